import CoreEncodings
import HTTPTypes
import PhoneAdministration
package import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneSignup
import PhoneStore

/// The end of a command that failed: a line on the standard error stream for each error, and an exit code.
package struct Failure: Error {
    package let status: ExitStatus
    package let lines: [String]

    package init(status: ExitStatus, lines: [String]) { (self.status, self.lines) = (status, lines) }

    package static func failed(_ line: String) -> Failure { Failure(status: .failed, lines: [line]) }
    package static func usage(_ line: String) -> Failure { Failure(status: .usage, lines: [line]) }
    package static func unreachable(_ line: String) -> Failure { Failure(status: .unreachable, lines: [line]) }
    package static func configuration(_ line: String) -> Failure { Failure(status: .configuration, lines: [line]) }

    package var line: String { lines.joined(separator: "; ") }
}

extension Failure {
    private init(_ refusal: AdminRefusal) { self.init(status: refusal.exitStatus, lines: [refusal.detail]) }

    /// What the admin API refuses, or an error of a database; nil for other errors. A process manager retries ``ExitStatus/unreachable``; for the
    /// others somebody must correct something first.
    package static func store(_ error: any Error) -> Failure? {
        switch error {
        case SQLiteStoreError.folderLocked: return unreachable("\(error)")
        case is UnreadableRecord: return configuration("\(error)")
        case is BackupError: return failed("\(error)")
        case AdministrationFailure.invalid("phone_number", let line): return failed("the phone number \(line)")
        case AdministrationFailure.invalid(let field, let line): return usage("the \(field) \(line)")
        case let failure as AdministrationFailure: return failed("\(failure)")
        case PhoneFailure.numberTaken: return failed("another account has this number")
        case is PhoneFailure, is Problem:
            let problem = Problem(of: error, at: .now)
            return Failure(
                AdminRefusal(
                    status: problem.status.code,
                    detail: problem.detail,
                    field: problem.members["field"]?.string
                )
            )
        case let refusal as AdminRefusal: return Failure(refusal)
        default: break
        }
        return switch error as? PostgreSQLStoreError {
        case nil: nil
        case .unreachable, .disconnected, .timedOut, .waitedTooLong:
            unreachable("\(error); check that it is running and that database.url is right")
        case .tooFewConnections, .readOnly, .outcomeUnknown, .overloaded, .conflict, .closed: unreachable("\(error)")
        case .refused:
            configuration(
                "\(error); correct database.url (PHONEPROOF_DATABASE_URL) or the password file (PGPASSFILE)"
            )
        case .olderSchema: configuration("\(error); run `phoneproof migrate`")
        case .invalidURL, .sessionShared, .newerSchema, .failed: configuration("\(error)")
        }
    }
}
