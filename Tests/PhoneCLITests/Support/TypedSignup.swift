import PhoneDomain
import PhoneTestSupport

@testable import PhoneCLI

/// A person at the keyboard: presses keys, and sees the screen after everything that comes of them.
final class TypedSignup {
    let world: SignupWorld
    private let flow: any SignupFlow
    private var conversation: KeyConversation
    private var decoder = KeyDecoder()
    private var screen = Screen()
    /// Everything that was written.
    private(set) var output = ""
    private(set) var errors = ""
    /// What was asked of the signup, in order.
    private(set) var requests: [SignupRequest] = []
    private(set) var status: ExitStatus?

    init(
        world: SignupWorld = SignupWorld(),
        flow: (any SignupFlow)? = nil,
        texts: any PromptTexts = EnglishPromptTexts(),
        usesColour: Bool = true,
        width: Int? = 80
    ) async throws {
        self.world = world
        self.flow = try flow ?? world.flow()
        conversation = KeyConversation(
            texts: texts,
            appearance: Appearance(redrawsLines: true, usesColour: usesColour)
        )
        conversation.width = width
        await happen(.opened)
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
    func happen(_ event: KeyConversation.Event) async -> String {
        var events = [event]
        while !events.isEmpty {
            for action in conversation.handle(events.removeFirst(), at: world.clock.now()) {
                switch action {
                case .write(let text):
                    output += text
                    screen.write(text)
                case .complain(let text): errors += text
                case .leave(let status): self.status = status
                case .lookForMessage: events.append(.noted(SignupWorld.message))
                case .ask(let request): events.append(await answer(to: request))
                }
            }
        }
        return shown
    }

    private func answer(to request: SignupRequest) async -> KeyConversation.Event {
        requests.append(request)
        do throws(SignupFlowError) {
            return .answered(try await flow.answer(to: request))
        } catch {
            return .failed(error)
        }
    }
}
