public import PhoneSignup
import Synchronization

/// What an operator has set over the settings. It is stored, so that every instance obeys it within seconds
/// (``OverridesInForce``) and after a restart.
public struct Override: Hashable, Sendable {
    /// `guard.mode`, or the name of a gateway that is paused behind `gateway `.
    public let name: String
    /// A ``GuardPolicy/Mode``, or `paused`.
    public let value: String
    public let since: Timestamp

    public init(_ name: String, _ value: String, since: Timestamp) {
        (self.name, self.value, self.since) = (name, value, since)
    }

    public static let guardMode = "guard.mode"
    public static let gateway = "gateway "
}

public struct Overrides: Hashable, Sendable {
    public static let none = Overrides([])

    /// The gateways that are paused, and since when.
    public let pausedGateways: [String: Timestamp]
    public let guardMode: GuardPolicy.Mode?

    public init(_ all: [Override]) {
        let paused = all.filter { $0.name.hasPrefix(Override.gateway) }
        pausedGateways = Dictionary(
            paused.map { (String($0.name.dropFirst(Override.gateway.count)), $0.since) }
        ) { first, _ in first }
        guardMode = all.first { $0.name == Override.guardMode }.flatMap { GuardPolicy.Mode(rawValue: $0.value) }
    }
}

/// The overrides as this process has last read them.
public final class OverridesInForce: Sendable {
    /// How often they are to be read.
    public static let interval: Duration = .seconds(2)
    private let overrides = Mutex(Overrides.none)

    public init() {}

    public var current: Overrides { overrides.withLock { $0 } }

    public func replace(by read: Overrides) { overrides.withLock { $0 = read } }
}
