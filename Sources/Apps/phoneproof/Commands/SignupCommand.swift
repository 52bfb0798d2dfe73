import ArgumentParser
import CoreEncodings
import FoundationEssentials
import Logging
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneViewModel
import SMSStub
import Texts

struct SignupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "signup",
        abstract: "Sign up with a phone number, interactively.",
        discussion: """
            In a terminal the number is formatted while you type. From a pipe, the number and the code are read as lines, \
            and `r` requests another message. Without --server it runs in this process, with the configured database and \
            the SMS stub. With --server, a signup that was left at the code goes on there while the code is valid.
            """
    )

    @Option(
        help: ArgumentHelp("Use this PhoneProof server, such as http://127.0.0.1:8080.", valueName: "url")
    )
    var server: EndpointURL?

    @Option(help: .region) var region: Region?

    @Option(help: "The language of prompt and message: \(Languages.list). Default: that of the environment.")
    var locale: LanguageTag?

    @Option(
        help: ArgumentHelp(
            "How to send the code: sms, call or another channel. Default: the order of the number's country."
        )
    )
    var channel: Channel?

    @Flag(
        help: "Sign this terminal in by a browser on another device, such as your phone; needs --server and --client."
    )
    var web = false

    @Option(
        help: ArgumentHelp(
            "With --web: the ID of the client (`clients create --public --device-sign-in`).",
            valueName: "client"
        )
    )
    var client: String?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if web != (client != nil) || web && server == nil {
            throw ValidationError("--web needs --server and --client, and --client is for --web")
        }
    }

    private func signIn(at server: EndpointURL, as client: String) async throws {
        do throws(WebSignIn.Failure) {
            let person = try await WebSignIn(at: server, as: client).run { invitation in
                StandardError.write("Open \(invitation.address) on your phone and enter the code \(invitation.code).")
                StandardError.write("Or open \(invitation.completeAddress)")
            }
            print("Signed in: \(person["phone_number"]?.string ?? "") \(person["sub"]?.string ?? "")")
        } catch {
            switch error {
            case .unreachable(let line): throw Failure.unreachable(line)
            case .refused(let line): throw Failure.failed(line)
            }
        }
    }

    func execute() async throws {
        if let server, let client { return try await signIn(at: server, as: client) }
        var settings = try options.load()
        let environment = ProcessInfo.processInfo.environment
        let language = locale ?? LanguageTag(environment: environment) ?? settings.language
        let texts = language.texts(environment: environment)
        let terminal = PosixTerminal()
        func run(
            in region: Region,
            note: @escaping @Sendable (SentCode) async -> String?,
            begin: @escaping @Sendable () async throws(SignupFlowError) -> SignupFlow
        ) async -> ExitStatus {
            await SignupPrompt(
                begin: begin,
                terminal: terminal,
                texts: texts,
                appearance: Appearance(terminal: terminal, environment: environment),
                clock: SystemWallClock(),
                region: region,
                nextSteps: { [server, options] account in
                    if server != nil { return [texts.prompt.remoteNextStep] }
                    let show = options.command("accounts", "show", account.id)
                    let serve = options.command("serve")
                    return texts.prompt.localNextSteps.map { $0.filled(["show": show, "serve": serve]) }
                },
                messageNote: note
            )
            .run()
        }
        if let server {
            // The server's messages are shown here as well: a terminal without UTF-8 gets them in English.
            let shown = Appearance.isUTF8(environment) ? language : texts.language
            let region = region ?? settings.region
            let signups = SignupServer(
                server,
                region: region,
                language: shown,
                channel: channel,
                solver: OpenSSLChallengeSolver(),
                // A program at a pipe expects the first question.
                saved: terminal.isInputTerminal ? SavedSignup(environment: environment) : nil
            )
            let inbox = RemoteInbox(server: server)
            return try end(with: await run(in: region, note: { await inbox.note($0) }, begin: signups.begin))
        }
        // The prompt shows the message; the console gateway would write across it.
        settings.sms.useStubAlone()
        settings.accounts.policy.consent?.isAskedBefore = true
        // The stub shows messages here only, so it must not send those of a service on the same database.
        let core = try ServiceCore(
            settings: settings,
            sendsOwnMessagesOnly: true,
            reportNewDatabase: Settings.reportNewDatabase,
            logger: .standardError(level: max(settings.logLevel, .warning))
        )
        defer { core.store.close() }
        // Where every region may have codes, it is that of the person at the terminal; that is a guess, so numbers may
        // be dialled as in the service's own region as well.
        let ownRegion = settings.isLocalDevelopment && !settings.setsRegion ? Region(environment: environment) : nil
        let fallbackRegion = region == nil && ownRegion != nil ? settings.region : nil
        let region = region ?? ownRegion ?? settings.region
        let owner = Owner.signup(try core.identifiers.makeIdentifier())
        var context = RequestContext(owner: owner, region: region, language: language)
        context.challenges = .automatic
        let useCase = ServerPhoneUseCase(
            core.useCase,
            context: context,
            fallbackRegion: fallbackRegion,
            solver: OpenSSLChallengeSolver(),
            explain: { texts.explanation(of: $0, at: SystemWallClock().now()) }
        )
        let viewModel = PhoneViewModel(useCase: useCase, channel: channel)
        let inbox = core.stub.map { EmbeddedInbox(stub: $0) }
        let flow = SignupFlow(viewModel, consent: settings.accounts.policy.consent)
        let dispatching = Task { await core.dispatcher.run() }
        let status = await run(in: region, note: { await inbox?.note($0) }, begin: { flow })
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
    func note(_ sent: SentCode) async -> String? {
        for _ in 0..<100 {
            if let message = await stub.messages(to: sent.number.e164, limit: 1).first,
                shown.insert(message.sid).inserted
            {
                return message.body
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
