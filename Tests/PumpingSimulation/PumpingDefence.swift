public import PhoneDomain

/// What a service of the simulation has against an attack.
public struct PumpingDefence: Sendable {
    /// In a few words.
    public let name: String
    let policy: AbusePolicy

    /// A guard of this mode, with the standard limits or none.
    public init(_ mode: GuardPolicy.Mode, hasLimits: Bool) throws {
        let guarding = mode == .off ? "no guard" : mode == .shadow ? "guard watches" : "guard"
        name = guarding + (hasLimits ? ", limits" : "")
        policy = AbusePolicy(
            limits: hasLimits ? .standard : .none,
            trafficGuard: try GuardPolicy(mode: mode),
            testNumbers: .none
        )
    }
}
