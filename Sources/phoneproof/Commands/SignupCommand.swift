import ArgumentParser
import Foundation
import Logging
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneViewModel

/// The guided signup in a terminal or through a pipe.
struct SignupCommand: AsyncParsableCommand {
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
    var server: ServerAddress?

    @Option(help: "The region whose plan a number without + is read by.")
    var region: Region?

    @Option(help: "The language of the prompt and the message: en or ko. Otherwise that of the environment.")
    var locale: LanguageTag?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let environment = ProcessInfo.processInfo.environment
            let language = locale ?? LanguageTag(environment: environment) ?? settings.language
            let terminal = PosixTerminal()
            let start = Start(
                region: region ?? settings.region,
                language: language,
                texts: language.promptTexts(environment: environment),
                terminal: terminal,
                appearance: Appearance(terminal: terminal, environment: environment)
            )
            if let server { return await start.remote(at: server) }
            return try await start.embedded(settings)
        }
    }

    /// What both kinds of signup have in common.
    private struct Start {
        let region: Region
        let language: LanguageTag
        let texts: any PromptTexts
        let terminal: PosixTerminal
        let appearance: Appearance
        let clock = SystemWallClock()

        func remote(at server: ServerAddress) async -> ExitStatus {
            let flow = RemoteSignupFlow(server: server, region: region, language: language, clock: clock)
            let inbox = RemoteInbox(server: server)
            return await prompt(flow, note: { await inbox.note($0) }).run()
        }

        func embedded(_ settings: Settings) async throws -> ExitStatus {
            var settings = settings
            // Whoever signs up here reads the message here: on the console it would be written across the prompt.
            settings.gateways = [.stub]
            // The prompt says what the person must know; the log is for what the operator must.
            // The stub shows messages here alone, so those that a service on the same database owes are left to that.
            let core = try Core(
                settings: settings,
                sendsOwnMessagesOnly: true,
                logger: .standardError(level: max(settings.logLevel, .warning))
            )
            let viewModel = PhoneViewModel(
                useCase: core.useCase,
                context: RequestContext(
                    owner: .signup(try core.identifiers.makeIdentifier()),
                    region: region,
                    language: language
                ),
                phoneText: NumberingPlans.builtIn.startText(for: region)
            )
            let inbox = core.stub.map { EmbeddedInbox(stub: $0) }
            let dispatching = Task { await core.dispatcher.run() }
            let status = await prompt(EmbeddedSignupFlow(viewModel), note: { await inbox?.note($0) }).run()
            dispatching.cancel()
            await dispatching.value
            return status
        }

        private func prompt(
            _ flow: any SignupFlow,
            note: @escaping @Sendable (SignupView.SentCode) async -> String?
        ) -> SignupPrompt {
            SignupPrompt(
                flow: flow,
                terminal: terminal,
                texts: texts,
                appearance: appearance,
                clock: clock,
                messageNote: note
            )
        }
    }
}
