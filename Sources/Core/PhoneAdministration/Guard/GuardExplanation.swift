public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What the guard would do with a message to a number now, and why, in words.
public struct GuardExplanation: Sendable {
    public let number: PhoneNumber
    public let traffic: NumberTraffic
    let rules: [GuardRule]
    public let policy: GuardPolicy
    public let now: Timestamp

    public var verdict: GuardVerdict { policy.forecast(traffic, rules: fitting, at: now) }

    public var text: String {
        let verdict = verdict
        let (prefix, country) = (traffic.prefix.lastDay(at: now), traffic.country.lastDay(at: now))
        var lines = [
            "A message to \(number.prefix)… \(Self.result(verdict.action)).",
            "Reason: " + verdict.reasons.map { sentence($0) }.joined(separator: "; ") + ".",
            "",
            "Prefix \(number.prefix): \(figures(prefix)), \(traffic.prefix.ripe(at: now).sent) old enough to judge.",
            "Country \(number.region): \(figures(country)).",
        ]
        lines += traffic.networks.map { "Network \($0.key): \(figures($0.traffic.lastDay(at: now)))." }
        lines += [
            "Suppressed below: \(policy.prefixPercent)% of \(minimum(policy.prefixSample, traffic.prefix)) messages to a prefix, "
                + "\(policy.countryPercent)% of \(minimum(policy.countrySample, traffic.country)) to a country."
        ]
        if traffic.prefix.isBlocked(at: now), let end = traffic.prefix.blockedUntil {
            lines.append(
                "Blocked until \(end), longer after \(policy.prefixSample) more requests; "
                    + "so far \(traffic.prefix.refusedInBlock)."
            )
        }
        if verdict.action == .challenge {
            lines.append("The challenge ends once enough codes are entered. To end it now:")
            lines.append("  phoneproof guard \(verdict.network.map { "unblock \($0)" } ?? "allow \(number.prefix)")")
        }
        lines += fitting.map { rule in
            let end = rule.until.map { "until \($0)" } ?? "until it is removed"
            return "Rule of \(rule.createdAt): \(rule.action.rawValue) \(rule.prefix) \(end)."
        }
        lines.append("Guard: \(policy.mode.rawValue). Answer to suppressed requests: \(policy.answer.rawValue).")
        return lines.joined(separator: "\n")
    }

    /// The rules in force that fit the number.
    public var fitting: [GuardRule] {
        rules.filter { number.e164.hasPrefix($0.prefix) && $0.isInForce(at: now) }
    }

    private func minimum(_ sample: Int, _ traffic: Traffic) -> Int { policy.minimum(sample, for: traffic, at: now) }

    private static func result(_ action: GuardVerdict.Action) -> String {
        switch action {
        case .allow: "is sent"
        case .shadow: "is sent, but recorded as one to suppress"
        case .challenge: "is sent only if the client vouches for the person or solves a challenge"
        case .block: "is suppressed"
        }
    }

    private func figures(_ sample: Traffic.Sample) -> String {
        let share = sample.sent > 0 ? " (\(sample.approved * 100 / sample.sent)%)" : ""
        return "\(sample.sent) messages, \(sample.approved) approved\(share) in 24 h"
    }

    private func sentence(_ reason: GuardVerdict.Reason) -> String {
        switch reason {
        case .guardOff: "the guard is off"
        case .safeListed: "a rule allows these numbers"
        case .blockListed: "a rule blocks these numbers"
        case .prefixBlocked: "the prefix is blocked"
        case .prefixConversionLow: "too few messages to the prefix led to an approval"
        case .prefixConversionPending: "too few messages to the prefix have led to an approval so far"
        case .prefixConversionGood: "enough messages to the prefix led to an approval"
        case .countryConversionLow: "too few messages to the country led to an approval"
        case .networkBlocked: "the client's network is blocked"
        case .networkConversionLow: "too few messages asked for from the client's network led to an approval"
        case .networkConversionPending: "too few messages asked for from the client's network have led to an approval"
        case .sampleSmall: "too few messages to judge by"
        case .vouched: "the client vouches for the person"
        case .proven: "the client has solved a challenge"
        case .hookDenied: "hooks.before_send refused it"
        case .hookChallenged: "hooks.before_send wanted a challenge to be solved"
        case .hookVouched: "hooks.before_send vouched for the person"
        case .appRequired: "only the operator's own app causes messages"
        }
    }
}
