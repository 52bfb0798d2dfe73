import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Texts

@testable import PhoneCLI

/// A person at the keyboard: presses keys, and sees the screen after every result.
final class TypedSignup {
    static let korean = Languages.all.first { $0.language == .korean } ?? Languages.english

    let world: SignupWorld
    private let begin: @Sendable () async throws(SignupFlowError) -> SignupFlow
    private var conversation: KeyPrompt
    private var decoder = KeyDecoder()
    private var screen = Screen()
    /// Everything that was written.
    private(set) var output = ""
    private(set) var errors = ""
    private(set) var taps: [SignupFlow.Tap] = []
    private(set) var status: ExitStatus?

    init(
        world: SignupWorld = SignupWorld(),
        begin: (@Sendable () async throws(SignupFlowError) -> SignupFlow)? = nil,
        texts: Texts = Languages.english,
        usesColour: Bool = true,
        region: Region? = nil,
        width: Int? = 80
    ) async throws {
        self.world = world
        let flow = try world.flow(texts: texts)
        // Not by `??`, over which this compiler crashes.
        if let begin { self.begin = begin } else { self.begin = { () async throws(SignupFlowError) in flow } }
        conversation = KeyPrompt(
            texts: texts,
            appearance: Appearance(redrawsLines: true, usesColour: usesColour),
            region: region
        )
        conversation.line.width = width
        await happen(.started)
    }

    var shown: String { screen.shown }

    /// The screen after these bytes have come from the keyboard, in one portion.
    @discardableResult
    func press(_ text: String) async -> String {
        for key in decoder.decode(text.utf8) { await happen(.key(key)) }
        return shown
    }

    /// The screens after each of these characters.
    func type(_ text: String) async -> [String] {
        var screens: [String] = []
        for character in text { screens.append(await press(String(character))) }
        return screens
    }

    /// The screen after so much time and a tick.
    func wait(_ duration: Duration) async -> String {
        world.clock.advance(by: duration)
        await happen(.tick)
        return shown
    }

    /// The screen after an event and whatever follows.
    @discardableResult
    func happen(_ event: KeyPrompt.Event) async -> String {
        var events = [event]
        while !events.isEmpty {
            for action in conversation.handle(events.removeFirst(), at: world.clock.now()) {
                switch action {
                case .write(let text):
                    output += text
                    screen.write(text)
                case .writeError(let text): errors += text
                case .exit(let status): self.status = status
                case .fetchMessage: events.append(.message(SignupWorld.message))
                case .begin:
                    events.append(await result { () async throws(SignupFlowError) in .begun(try await begin()) })
                case .tap(let tap):
                    taps.append(tap)
                    guard let flow = conversation.flow else { continue }
                    events.append(
                        await result { () async throws(SignupFlowError) in .handled(try await flow.tap(tap)) }
                    )
                }
            }
        }
        return shown
    }

    private func result(_ work: () async throws(SignupFlowError) -> KeyPrompt.Event) async -> KeyPrompt.Event {
        do throws(SignupFlowError) {
            return try await work()
        } catch {
            return .failed(error)
        }
    }
}

/// Everything behind a signup, in memory: the code is always 123456, and the clock stands at 2026-01-01T00:00:00Z.
struct SignupWorld {
    let clock = ManualClock()
    let store = MemoryStore()
    private let identifiers = CountingIdentifiers()
    private let policy: VerificationPolicy
    private let consent: ConsentPolicy?
    private let routes: Routes

    init(policy: VerificationPolicy = .standard, consent: ConsentPolicy? = nil, routes: Routes = .standard) {
        (self.policy, self.consent, self.routes) = (policy, consent, routes)
    }

    func flow(texts: Texts = Languages.english, region: Region = .korea) throws -> SignupFlow {
        var useCase = VerificationUseCase(
            store: store,
            vault: try FixedCodeVault(digits: "123456"),
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        (useCase.policy, useCase.routes) = (policy, routes)
        let viewModel = PhoneViewModel(
            useCase: ServerPhoneUseCase(
                useCase,
                context: RequestContext(owner: .local, region: region, language: .english),
                fallbackRegion: .korea,
                explain: { [clock] in texts.explanation(of: $0, at: clock.now()) }
            )
        )
        return SignupFlow(viewModel, consent: consent)
    }

    /// The message in the stub.
    static let message = "[PhoneProof] Your code is 123456."
}

/// A code on its way to a Korean number, of which nothing else is known.
func sampleSentCode(expiresAt: Timestamp? = nil) throws -> SentCode {
    SentCode(id: "ver_1", number: try PhoneNumber(e164: "+821012345678"), expiresAt: expiresAt)
}
