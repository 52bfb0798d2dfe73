import ArgumentParser
import Glibc
import PhoneCLI
import PhoneDomain

struct EraseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase what is kept of a number.",
        discussion: """
            Deletes the account of the number with its sessions, changes from and to the number, its verifications and \
            messages, guided signups with it, its activity, rules and safe lists that name it, and unlinks it from the audit trail, \
            which keeps what was done when, and that this was done. Accounts of others stay, those that had the number before among \
            them; in their metadata `[erased 1]` (or null, for a JSON number) stands where the number stood, in whatever way \
            it was written as a number of its own region. Traffic of the number's prefix stays: it counts ten thousand numbers.

            Then a SQLite file is rewritten, so that no old bytes stay in it; while that lasts, some 0.6 s for 100 MB, the \
            service can read but not write, and requests may be answered by 503 after database.busy_timeout_seconds. With \
            PostgreSQL the tables are vacuumed while the service goes on, which the owner of tables or database alone may \
            do; the bytes may linger in free space until that is used again, and in the write-ahead log, and what to run to \
            free the tables of them is printed (`files_are_clean` is false then).

            The number is then as one that was never seen: its waits, daily limit and lockouts begin anew, an operator's \
            rule on it is gone, and whoever proves it next gets a new account. Do not let callers trigger this at will.

            Not reached: audit entries under keys that were removed from the key file, unless their verification or \
            account was still there; backups, copies and standbys; what a gateway or its carrier keeps; the SMS stub's inbox of a \
            running service.

            Asks first; without a terminal to ask at it needs --yes.
            """
    )

    @Argument(help: "The number, as people write it.") var number: String
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let settings = try await options.load()
        let number = try NumberArgument.read(number, region: region ?? settings.region)
        let store = try settings.existingStore()
        let command = try EraseNumber(
            number,
            digester: settings.existingVault(),
            owner: .local,
            now: SystemWallClock().now()
        )
        try confirm(number)
        let erasure = try await store.erase(command)
        var hindrance: (any Error)?
        do {
            try await store.removeTraces()
        } catch {
            hindrance = error
        }
        let remains = settings.remainsAfterErasure
        let report = ErasureReport(erasure, of: number, filesAreClean: hindrance == nil && remains == nil)
        print(options.json ? try report.json() : report.text)
        if let remains { StandardError.write("phoneproof: \(remains)") }
        if settings.sms.gateways.contains(.stub) {
            StandardError.write(
                "phoneproof: a service that runs with the SMS stub still shows the messages that it took, until it "
                    + "stops or gets DELETE /stub/messages"
            )
        }
        if let hindrance {
            throw Failure.failed(
                "what was erased may linger in the files of the database: \(hindrance); run this once more"
            )
        }
    }

    private func confirm(_ number: PhoneNumber) throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure.usage("there is no terminal to ask at; add --yes to erase without being asked")
        }
        StandardError.write("This erases what is kept of \(number.masked), for good. Type yes to go on:")
        guard readLine()?.lowercased() == "yes" else { throw Failure.failed("nothing was erased") }
    }
}
