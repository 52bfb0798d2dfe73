import ArgumentParser
import FoundationEssentials
import Logging
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneViewModel
import SMSStub

struct SignupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "signup",
        abstract: "Sign up with a phone number, guided.",
        discussion: """
            In a terminal the number gets its hyphens while it is typed; through a pipe a number and a code are read as \
            lines, and `r` for another message. Without --server everything happens here, with the database of the \
            settings and the SMS stub.
            """
    )

    @Option(
        help: ArgumentHelp("Drive the signup of a PhoneProof server, such as http://127.0.0.1:8080.", valueName: "url")
    )
    var server: ServerURL?

    @Option(help: "The region whose plan a number without + is read by.") var region: Region?

    @Option(help: "The language of the prompt and the message: en or ko. Otherwise that of the environment.")
    var locale: LanguageTag?

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        var settings = try await options.load()
        let environment = ProcessInfo.processInfo.environment
        let language = locale ?? LanguageTag(environment: environment) ?? settings.language
        let region = region ?? settings.region
        let texts = language.promptTexts(environment: environment)
        let terminal = PosixTerminal()
        func run(
            _ flow: any SignupFlow,
            note: @escaping @Sendable (SignupView.SentCode) async -> String?
        ) async -> ExitStatus {
            await SignupPrompt(
                flow: flow,
                terminal: terminal,
                texts: texts,
                appearance: Appearance(terminal: terminal, environment: environment),
                clock: SystemWallClock(),
                messageNote: note
            )
            .run()
        }
        if let server {
            let flow = RemoteSignupFlow(server: server, region: region, language: language, clock: SystemWallClock())
            let inbox = RemoteInbox(server: server)
            return try end(with: await run(flow) { await inbox.note($0) })
        }
        // The prompt shows the message; the console gateway would write across it.
        settings.sms.gateways = [.stub]
        // The stub shows messages here only, so it must not send those of a service on the same database.
        let core = try Core(
            settings: settings,
            sendsOwnMessagesOnly: true,
            logger: .standardError(level: max(settings.logLevel, .warning))
        )
        let owner = Owner.signup(try core.identifiers.makeIdentifier())
        let viewModel = PhoneViewModel(
            useCase: core.useCase,
            context: RequestContext(owner: owner, region: region, language: language),
            phoneText: NumberingPlans.builtIn.startText(for: region)
        )
        let inbox = core.stub.map { EmbeddedInbox(stub: $0) }
        let dispatching = Task { await core.dispatcher.run() }
        let status = await run(EmbeddedSignupFlow(viewModel)) { await inbox?.note($0) }
        dispatching.cancel()
        await dispatching.value
        try end(with: status)
    }
}

/// Shows the messages in this process's stub.
actor EmbeddedInbox {
    private let stub: SMSStub
    private var shown: Set<String> = []

    init(stub: SMSStub) { self.stub = stub }

    /// The message that was just sent to this number, if the dispatcher sends it within two seconds.
    func note(_ sent: SignupView.SentCode) async -> String? {
        for _ in 0..<100 {
            if let message = await stub.messages(to: sent.e164, limit: 1).first, shown.insert(message.sid).inserted {
                return message.body
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
