public import PhoneDelivery
public import PhoneDomain
public import PhoneSignup
import Synchronization

/// The SMS stub: keeps the newest messages, codes and all, in memory, for development and tests.
public actor SMSStub {
    /// The messages with a callback; the newest thousand that are unread. Read once, by one reader.
    public nonisolated let calledBack: AsyncStream<StubMessage>

    private static let capacity = 1000
    private static let maxWatchers = 50
    private static let longestWatch: Duration = .seconds(60)

    private let callbackSource: AsyncStream<StubMessage>.Continuation
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let behaviorChanged = WakeSignal()
    private(set) var behavior = StubBehavior.deliver
    private let answersAtOnce = Atomic(true)
    /// Oldest first. A slice, since that loses its first element without moving the others.
    private var messages: ArraySlice<StubMessage> = [] {
        didSet { for watcher in watchers.values { watcher.yield() } }
    }
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastWatcher = 0
    private var lastSerial = 0

    public init(
        identifiers: any IdentifierSource,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (calledBack, callbackSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
        (self.identifiers, self.wallClock, self.clock) = (identifiers, wallClock, clock)
    }

    /// Accepts a message by the current behavior, or throws ``TwilioError``.
    func accept(_ request: StubRequest) async throws(TwilioError) -> StubMessage {
        let behavior = try await awaitBehavior(to: request.to)
        if behavior.mode == .reject {
            throw TwilioError(behavior.errorCode ?? 21610, "The stub is set to reject messages.")
        }
        guard let (high, low) = try? identifiers.makeBits() else {
            throw TwilioError(20500, "The stub could not name the message.")
        }
        lastSerial += 1
        let message = StubMessage(
            request,
            sid: (request.isCall ? "CA" : "SM") + Identifier<OutboxMessage>(bits: high, low).hexadecimal,
            serial: lastSerial,
            lossCode: behavior.mode == .fail ? behavior.errorCode ?? 30008 : nil,
            at: wallClock.now()
        )
        if request.callback != nil { callbackSource.yield(message) }
        if messages.count == Self.capacity { messages.removeFirst() }
        messages.append(message)
        return message
    }

    /// The messages that match, newest first; none for a negative limit.
    func messages(limit: Int, where matches: (StubMessage) -> Bool) -> [StubMessage] {
        Array(messages.reversed().lazy.filter(matches).prefix(max(0, limit)))
    }

    /// Emits at once, and when messages have changed; several changes may be one element. It ends after a minute, since
    /// a client may have disconnected unnoticed. Nil if there are too many already.
    public func updates() -> AsyncStream<Void>? {
        guard watchers.count < Self.maxWatchers else { return nil }
        let (updates, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let ticket = lastWatcher
        watchers[ticket] = watcher
        watcher.yield()
        let end = Task { [clock] in
            try? await clock.sleep(for: Self.longestWatch)
            watcher.finish()
        }
        watcher.onTermination = { _ in
            end.cancel()
            Task { await self.forget(ticket) }
        }
        return updates
    }

    private func forget(_ watcher: Int) { watchers[watcher] = nil }

    func message(sid: String) -> StubMessage? { messages.last { $0.sid == sid } }

    func clear() { messages = [] }

    /// Sets how the next messages are treated; messages that hang are answered by the new behavior.
    func setBehavior(_ behavior: StubBehavior) {
        self.behavior = behavior
        answersAtOnce.store(behavior.mode != .hang && behavior.delay == .zero, ordering: .relaxed)
        behaviorChanged.wake()
    }

    /// Whether it answers without delay.
    nonisolated var isImmediate: Bool { answersAtOnce.load(ordering: .relaxed) }

    /// How many requests hang.
    var waiterCount: Int { behaviorChanged.waiterCount }

    /// Waits as long as the behaviour requires. It never returns one that hangs.
    private func awaitBehavior(to: String) async throws(TwilioError) -> StubBehavior {
        while true {
            let changes = behaviorChanged.count
            let behavior = behavior.toPrefix.map(to.hasPrefix) ?? true ? behavior : .deliver
            if behavior.mode == .hang {
                await behaviorChanged.wait(beyond: changes)
            } else if behavior.delay > .zero {
                try? await clock.sleep(for: behavior.delay)
            }
            if Task.isCancelled { throw TwilioError(20503, "The sender went away before the stub answered.") }
            if behavior.mode != .hang { return behavior }
        }
    }
}

extension SMSStub {
    /// A message to be sent at once, by no messaging service, without a status callback. Throws ``TwilioError`` where
    /// it rejects the message.
    package func accept(to: String, from: String, body: String) async throws(TwilioError) -> StubMessage {
        try await accept(StubRequest(to: to, from: from, body: body))
    }

    public func messages(to: String?, limit: Int) -> [StubMessage] {
        messages(limit: limit) { to == nil || $0.to == to }
    }
}

/// How the SMS stub treats the next messages, for testing failures.
struct StubBehavior: Hashable, Sendable {
    enum Mode: String, Sendable, CaseIterable {
        case deliver
        /// Accepted and then lost.
        case fail
        case reject
        /// The stub does not answer until its behavior is changed.
        case hang
    }

    var mode = Mode.deliver
    /// How long the stub takes to answer; at most a minute.
    var delay: Duration = .zero
    /// The Twilio error code of a message that is lost or rejected. Standard: 30008 (unknown error) for a lost one,
    /// 21610 (recipient does not want messages) for a rejected one.
    var errorCode: Int?
    /// Only numbers that begin with this are affected; nil for all.
    var toPrefix: String?

    static let deliver = StubBehavior()
}

/// Sends messages to an SMS stub in the same process.
public struct StubGateway: MessageGateway {
    public let name = "stub"
    public let channels: Set<Channel>

    private let stub: SMSStub
    private let sender: String

    public init(stub: SMSStub, sender: String, channels: Set<Channel> = [.sms]) {
        (self.stub, self.sender, self.channels) = (stub, sender, channels)
    }

    public var isImmediate: Bool { stub.isImmediate }

    /// The stub answers with what became of a message.
    public var reportsDelivery: Bool { true }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            let isCall = message.channel == .call
            let request = StubRequest(to: message.address, from: sender, body: message.body, isCall: isCall)
            let accepted = try await stub.accept(request)
            return GatewayReceipt(messageID: accepted.sid, outcome: accepted.outcome)
        } catch {
            // The stub hung: a sender cannot know what a carrier did that does not respond.
            if error.code == 20503, Task.isCancelled { throw .ambiguous("no response in time") }
            throw .refusal(twilioCode: error.code)
        }
    }
}
