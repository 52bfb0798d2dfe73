import PhoneDomain

/// What the guard would do with a message, in sentences with the figures that it goes by.
struct GuardExplanation {
    let number: PhoneNumber
    let traffic: NumberTraffic
    let rules: [GuardRule]
    let policy: GuardPolicy
    let now: Timestamp

    var text: String {
        let verdict = policy.forecast(traffic, rules: fitting, at: now)
        let (prefix, country) = (traffic.prefix.lastDay(at: now), traffic.country.lastDay(at: now))
        var lines = [
            "A message to \(number.prefix)… would \(Self.fate(verdict.action)): "
                + verdict.reasons.map { sentence($0) }.joined(separator: "; ") + ".",
            "Prefix \(number.prefix): \(figures(prefix)) within the last day, \(traffic.prefix.ripe(at: now).sent) of them "
                + "long enough ago; held back under \(policy.prefixPercent) % of \(policy.prefixSample) or more.",
            "Country \(number.region): \(figures(country)) within the last day; held back under "
                + "\(policy.countryPercent) % of \(policy.countrySample) or more.",
        ]
        if traffic.prefix.isBlocked(at: now), let end = traffic.prefix.blockedUntil {
            lines.append(
                "The block on the prefix ends at \(end), unless \(policy.prefixSample) more are asked for before; "
                    + "\(traffic.prefix.refusedInBlock) were since it began or was renewed."
            )
        }
        if verdict.action == .challenge {
            lines.append(
                "It ends by itself when enough codes are typed in; `guard allow \(number.prefix)` ends it now."
            )
        }
        lines += fitting.map { "A rule of \($0.createdAt) says \($0.action.rawValue) for \($0.prefix), \($0.time)." }
        lines.append(
            "The guard is set to \(policy.mode.rawValue), and to \(policy.answer.rawValue) what a block holds back."
        )
        return lines.joined(separator: "\n")
    }

    private var fitting: [GuardRule] {
        rules.filter { number.e164.hasPrefix($0.prefix) && $0.isInForce(at: now) }
    }

    private static func fate(_ action: GuardVerdict.Action) -> String {
        switch action {
        case .allow: "go out"
        case .shadow: "go out, and be noted as one to hold back"
        case .challenge: "go out only if the caller vouches for the person"
        case .block: "be held back"
        }
    }

    private func figures(_ sample: Traffic.Sample) -> String {
        let share = sample.sent > 0 ? " (\(sample.approved * 100 / sample.sent) %)" : ""
        return "\(sample.sent) messages, \(sample.approved) approvals\(share)"
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
        case .sampleSmall: "too little was sent to go by"
        case .vouched: "the caller vouches for the person"
        }
    }
}
