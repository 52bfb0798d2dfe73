import ArgumentParser
import CoreEncodings
import Glibc
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService

struct EraseCommand: AdminAct {
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
    @OptionGroup var act: ActOptions

    func administration(_ settings: Settings) throws -> Administration {
        try settings.patient.existingAdministration()
    }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post(
            "/phone-numbers/erase",
            ["phone_number": .string(number), "region": .string(region?.description)]
        )
    }

    func text(of body: JSON) -> String {
        let counts = body.members.compactMap { member in member.value.integer.map { (member.name, $0) } }
        if counts.allSatisfy({ $0.1 == 0 }) { return "No data found for this number." }
        return aligned(
            counts.map { name, count in
                let words = name.prefix(1).uppercased() + name.dropFirst().replacing("_", with: " ")
                return (words, "\(count)")
            }
        )
    }

    func failure(in body: JSON) async throws -> Failure? {
        if admin.server == nil, try admin.store.load().sms.gateways.contains(.stub) {
            StandardError.write(
                "phoneproof: a running service with the SMS stub still shows its messages until it stops or receives "
                    + "DELETE /stub/messages"
            )
        }
        if let remains = body["remains"]?.string { StandardError.write("phoneproof: \(remains)") }
        return body["hindrance"]?.string.map {
            .failed("erased data may remain in the database files: \($0); run this command again")
        }
    }

    func confirm() throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure.usage("there is no terminal to ask for confirmation; add --yes")
        }
        // A service may have another region.
        let home = admin.server == nil ? try admin.store.load().region : nil
        let number = (region ?? home).flatMap { try? PhoneNumber(parsing: self.number, region: $0) }
        StandardError.write(
            "This permanently erases all data of \(number?.masked ?? "this number"). Type erase to continue:"
        )
        guard ["erase", "yes"].contains(readLine()?.lowercased()) else { throw Failure.failed("nothing was erased") }
    }
}
