import AsyncHTTPClient
import PhoneNumbers
import PhoneProofAsyncHTTPClient
import PhoneProofClient
import PhoneSignup
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The client of apps and servers for test_client.py: a line of words on standard input is a call, and a line on
/// standard output is what it returned or threw. Pauses before repetitions are printed, and not waited for.
@main
struct ClientDriver {
    private let client: PhoneProofClient
    private let verifications: VerificationClient
    private var signup: RemoteSignup?
    private var sentCode: SentCode?
    private var session: PhoneProofSession?

    static func main() async throws {
        let http = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
        let (server, apiKey) = (CommandLine.arguments[1], CommandLine.arguments[2])
        let pauses = Mutex<[Duration]>([])
        let client = PhoneProofClient(
            server: server,
            transport: AsyncHTTPClientTransport(http, timeout: .seconds(5)),
            pause: { pause in pauses.withLock { $0.append(pause) } }
        )
        guard let client else { throw NotDone(reason: "\(server) is no server") }
        var driver = ClientDriver(client: client, verifications: client.verifications(apiKey: apiKey))
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            var outcome: String
            do {
                outcome = try await driver.call(words[0], Array(words.dropFirst()))
            } catch {
                outcome = driver.description(of: error)
            }
            for pause in pauses.withLock({ pauses in
                defer { pauses = [] }
                return pauses
            }) {
                outcome += ", waited \(pause)"
            }
            print(outcome)
            fflush(nil)
        }
        try await http.shutdown()
    }

    private mutating func call(_ name: String, _ words: [String]) async throws -> String {
        switch name {
        case "begin":
            let (channel, key) = (words.dropFirst().first.flatMap(Channel.init), words.dropFirst(2).first)
            return text(try await verifications.begin(words[0], channel: channel, key: key))
        case "check": return text(try await verifications.check(words[0], of: words[1]))
        case "get": return text(try await verifications.verification(words[0]))
        case "cancel": return text(try await verifications.cancel(words[0]))
        case "signup":
            // What it is to solve, it guesses, and wrongly.
            let guess: WorkChallenge.Solver = { work in work.maxNumber + 1 }
            signup = try await client.beginSignup(region: .korea, solver: words.first == "guessing" ? guess : nil)
            return signup?.startText ?? ""
        case "continue":
            signup = try await client.signup(words[0], token: words[1], region: .korea)
            return signup?.startText ?? ""
        case "send":
            let signup = try value(signup)
            let sent = try await signup.requestCode(CodeRequest(phone: signup.phoneText(words[0])))
            sentCode = sent
            let channels = sent.channels.map(\.rawValue).joined(separator: " or ")
            return "sent to \(sent.number.e164) by \(channels), \(sent.checksLeft ?? 0) checks left"
        case "accept-consent":
            let signup = try value(signup)
            signup.acceptConsent()
            return "accepted \(signup.consent?.version ?? "nothing")"
        case "choose-new-account":
            try await value(signup).chooseNewAccount()
            return "chosen"
        case "sign-up":
            let account = try await value(signup).signUp(words[0], for: value(sentCode))
            return account.isNew ? "new account" : "known account"
        case "session":
            let tokens = try value(signup?.tokens)
            // As if they had expired by now, or as they are.
            let expiresAt = words.first == "expired" ? Timestamp(seconds: 0) : tokens.expiresAt
            session = PhoneProofSession(
                client,
                tokens: SessionTokens(
                    accessToken: tokens.accessToken,
                    refreshToken: tokens.refreshToken,
                    expiresAt: expiresAt
                )
            )
            return "session"
        case "is-signed-in": return try await value(session).tokens == nil ? "signed out" : "signed in"
        case "account":
            let session = try value(session)
            return try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<(words.first.flatMap { Int($0) } ?? 1) {
                    group.addTask { try await text(session.account()) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }.joined(separator: " and ")
            }
        case "metadata": return text(try await value(session).editMetadata(words[0]))
        case "sessions":
            return try await value(session).sessions().map { $0.isCurrent ? "this" : $0.id }.joined(separator: " ")
        case "end":
            try await value(session).endSession(words[0])
            return "ended"
        case "begin-change": return text(try await value(session).beginNumberChange(words[0], region: .korea))
        case "change": return text(try await value(session).changeNumber(words[0], of: words[1]))
        case "get-change": return text(try await value(session).numberChange(words[0]))
        case "cancel-change": return text(try await value(session).cancelNumberChange(words[0]))
        case "delete": return text(try await value(session).deleteAccount())
        case "sign-out":
            try await value(session).signOut()
            return "signed out"
        default: throw NotDone(reason: "\(name) is no call")
        }
    }

    private func description(of error: any Error) -> String {
        guard let error = error as? PhoneProofError ?? (error as? SignupFailure).flatMap({ _ in signup?.error }) else {
            return String(describing: error)
        }
        switch error {
        case .unreachable: return "unreachable"
        case .notUnderstood(let status): return "not understood: \(status)"
        case .refused(let problem):
            let more = [
                problem.retryAfter.map { "retry after \($0)" }, problem.checksLeft.map { "\($0) checks left" },
                problem.sendsLeft.map { "\($0) sends left" }, problem.field,
            ]
            return (["\(problem.status) \(problem.code.rawValue)"] + more.compactMap { $0 } + problem.violatedPolicies)
                .joined(separator: ", ")
        }
    }

    private func value<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw NotDone(reason: "something must be called before this") }
        return value
    }
}

private struct NotDone: Error { let reason: String }

private func text(_ verification: RemoteVerification) -> String {
    "\(verification.id) \(verification.status), \(verification.checksLeft) checks left"
}

private func text(_ account: SignedInAccount) -> String {
    let end = account.deletionDueAt == nil ? "" : ", to be deleted"
    return "\(account.phoneNumber ?? "no number") \(account.metadata)\(end)"
}
