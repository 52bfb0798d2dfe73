public import PhoneDomain

/// What a service of the simulation has against an attack.
public struct PumpingDefence: Sendable {
    /// In a few words.
    public let name: String
    let policy: AbusePolicy
    /// Where people ask: on pages, which solve challenges, or by programs that know none.
    let challenges: ChallengeSupport
    /// Whether the attack solves challenges too.
    let attackSolves: Bool

    /// A guard of this mode, with the standard limits or none.
    public init(_ mode: GuardPolicy.Mode, hasLimits: Bool) throws {
        let guarding = mode == .off ? "no guard" : mode == .shadow ? "guard watches" : "guard"
        name = guarding + (hasLimits ? ", limits" : "")
        policy = AbusePolicy(
            limits: hasLimits ? .standard : .none,
            trafficGuard: try GuardPolicy(mode: mode),
            testNumbers: .none
        )
        (challenges, attackSolves) = (.none, false)
    }

    /// A guard of this level and the standard limits, with challenges where there are pages.
    public init(_ level: GuardPolicy.Level, onPages: Bool, attackSolves: Bool = false) {
        name = level.rawValue + (onPages ? ", pages" : "") + (attackSolves ? ", solved" : "")
        var trafficGuard = GuardPolicy(level: level)
        trafficGuard.work = onPages ? .standard : nil
        policy = AbusePolicy(limits: .standard, trafficGuard: trafficGuard, testNumbers: .none)
        (challenges, self.attackSolves) = (onPages ? .page : .none, attackSolves)
    }
}
