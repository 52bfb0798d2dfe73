import ArgumentParser
import CoreEncodings
import FoundationEssentials
import Glibc
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService

/// A command that is a request to the admin API, and prints what that answers.
protocol AdminCommand: Command {
    var admin: AdminOptions { get }
    /// Why the operator acts; nil for a question.
    var reason: AuditReason? { get }
    /// What shows what there is, after the word that something is not found.
    static var remedy: String? { get }

    /// What the API works with where no service is asked.
    func administration(_ settings: Settings) throws -> Administration
    /// Asks the person whether to go on.
    func confirm() throws
    /// - Returns: what `--json` prints.
    func send(to api: AdminAPI) async throws -> JSON
    /// What is printed for people.
    func text(of body: JSON) -> String
    /// What was not done although the API answered, once that is printed.
    func failure(in body: JSON) async throws -> Failure?
}

extension AdminCommand {
    var reason: AuditReason? { nil }
    static var remedy: String? { nil }

    func confirm() {}

    func failure(in body: JSON) -> Failure? { nil }

    func administration(_ settings: Settings) throws -> Administration { try settings.existingAdministration() }

    func execute() async throws {
        try confirm()
        let body: JSON
        do {
            let api = try await admin.api(reason: reason, over: administration)
            body = try await Waiting.shown { try await send(to: api) }
        } catch AdministrationFailure.notFound(let line) {
            throw Self.notFound(line)
        } catch let refusal as AdminRefusal where refusal.status == 404 {
            throw Self.notFound(refusal.detail)
        }
        let output = admin.json ? body == .null ? "" : body.indentedText : text(of: body).asTyped
        if !output.isEmpty { print(output) }
        if let failure = try await failure(in: body) { throw failure }
    }

    /// The rows of a list as a table.
    func table(_ page: JSON, ifEmpty none: String, _ columns: [Listing.Column]) -> String {
        Listing(page: page, columns).table(.standardOutput, ifEmpty: none)
    }

    private static func notFound(_ line: String) -> Failure {
        guard let remedy else { return .failed(line) }
        return .failed("\(line.hasSuffix(".") ? line.dropLast() : line[...]); \(remedy)")
    }
}

/// Shows in a terminal what takes longer than a moment is at, and for how long it has worked.
private actor Waiting {
    private let start = ContinuousClock.now
    private var step = "Working"
    private var isShown = false

    static func shown<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        guard isatty(STDERR_FILENO) == 1 else { return try await work() }
        let waiting = Waiting()
        let ticking = Task {
            while (try? await Task.sleep(for: .milliseconds(500))) != nil { await waiting.show() }
        }
        let result: Result<Value, any Error>
        do {
            let report: @Sendable (String) -> Void = { step in Task { await waiting.note(step) } }
            result = .success(try await ActProgress.$report.withValue(.init(report), operation: work))
        } catch {
            result = .failure(error)
        }
        ticking.cancel()
        await ticking.value
        await waiting.end()
        return try result.get()
    }

    private func note(_ step: String) { self.step = step }

    private func show() {
        isShown = true
        let seconds = (ContinuousClock.now - start).components.seconds
        PosixTerminal.write("\r\u{1B}[K\(step) … \(seconds) s", to: STDERR_FILENO)
    }

    private func end() { if isShown { PosixTerminal.write("\r\u{1B}[K", to: STDERR_FILENO) } }
}

/// An act of an operator: its reason and its author are on the audit log.
protocol AdminAct: AdminCommand {
    var act: ActOptions { get }
}

extension AdminAct {
    var admin: AdminOptions { act.admin }
    var reason: AuditReason? { act.author.reason }
}

struct ActOptions: ParsableArguments {
    @OptionGroup var author: OperatorOptions
    @OptionGroup var admin: AdminOptions
}

/// Whose admin API a command calls.
struct AdminOptions: ParsableArguments {
    @Flag(help: "Print JSON, as /v1/admin answers.") var json = false

    @Option(
        help: ArgumentHelp(
            "Ask this service instead of opening its database.",
            discussion: "With an API key of the scope admin in PHONEPROOF_API_KEY. An act needs a --reason then.",
            valueName: "url"
        )
    )
    var server: EndpointURL?

    @OptionGroup var store: StoreOptions

    /// - Parameter administration: what the API of this process works with.
    func api(
        reason: AuditReason?,
        over administration: (Settings) throws -> Administration = { try $0.existingAdministration() }
    ) async throws -> AdminAPI {
        if let server {
            guard let key = ProcessInfo.processInfo.environment["PHONEPROOF_API_KEY"] else {
                throw Failure.configuration("set PHONEPROOF_API_KEY to an API key of the scope admin")
            }
            if server.isPlain, !server.isLoopback {
                StandardError.write("phoneproof: without https the API key can be read on its way to \(server.origin)")
            }
            return AdminAPI(server: server, key: key, reason: reason)
        }
        let local = LocalAdmin(try administration(store.load()), by: OperatorOptions.owner)
        return AdminAPI(longestPage: LocalAdmin.longestPage, reason: reason, send: local.send)
    }
}

/// An ID, whole or shortened as lists in a terminal show it.
struct IDArgument<Subject: Identified>: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard ShortName(argument)?.prefix == Subject.identifierPrefix + "_" else { return nil }
        text = argument
    }
}
