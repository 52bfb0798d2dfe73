import ArgumentParser
import Glibc
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

struct EraseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase all data of a phone number.",
        discussion: """
            Deletes the number's account with its sessions, number changes, verifications, messages, signups, activity, and \
            the guard rules and safe lists that name it. Entries of the audit log are unlinked: what was done and when stays, \
            and so does this erasure. Other accounts stay, also those that once had the number; in their metadata the number \
            is replaced by `[erased 1]` (a JSON number by null). Traffic of the number's prefix stays: it counts ten thousand \
            numbers.

            A SQLite file is then rewritten, so that no deleted bytes remain. Meanwhile (about 0.6 s for 100 MB) the service \
            can read but not write, and may answer 503 after database.busy_timeout_seconds. PostgreSQL tables are vacuumed \
            while the service runs, which requires their owner. Deleted bytes may remain in free space and in the \
            write-ahead log; the command that removes them is printed, and `files_are_clean` is false.

            Afterwards the number is unknown: cooldowns, limits, lockouts and rules are gone, and the next person who proves \
            it gets a new account. Do not let clients trigger this at will.

            Not erased are audit entries made with removed keys, unless their verification or account still existed; \
            backups, copies and standbys; what gateways and carriers store; the SMS stub's inbox of a running service.

            Asks for confirmation; without a terminal it requires --yes.
            """
    )

    @Argument(help: "The phone number.") var number: String
    @Option(help: .region) var region: Region?
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let settings = try options.load()
        let number = try NumberArgument.read(number, region: region ?? settings.region)
        let administration = try settings.patient.existingAdministration()
        try confirm(number)
        let (erasure, hindrance) = try await administration.erase(number, by: act.author)
        let remains = settings.remainsAfterErasure
        let report = ErasureReport(erasure, of: number, filesAreClean: hindrance == nil && remains == nil)
        print(options.json ? report.json : report.text)
        if let remains { StandardError.write("phoneproof: \(remains)") }
        if settings.sms.gateways.contains(.stub) {
            StandardError.write(
                "phoneproof: a running service with the SMS stub still shows its messages until it stops or receives "
                    + "DELETE /stub/messages"
            )
        }
        if let hindrance {
            throw Failure.failed(
                "erased data may remain in the database files: \(hindrance); run this command again"
            )
        }
    }

    private func confirm(_ number: PhoneNumber) throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure.usage("there is no terminal to ask for confirmation; add --yes")
        }
        StandardError.write("This permanently erases all data of \(number.masked). Type yes to continue:")
        guard readLine()?.lowercased() == "yes" else { throw Failure.failed("nothing was erased") }
    }
}
