extension GuardPolicy {
    /// What to do with a message to a number of this traffic, and what that does to the traffic: a block may begin, be
    /// renewed, or end.
    ///
    /// A prefix is held back by its own traffic; a country only holds back prefixes that have too little traffic of
    /// their own to speak for them. Two stages: while what was sent a moment ago may still be approved, one who vouches
    /// for the person gets through (`challenge`), and the next approvals open the prefix by themselves; once it has had
    /// its time, the prefix is closed for ``blockTime`` (`block`).
    ///
    /// - Parameters:
    ///   - traffic: that of the number.
    ///   - rules: the operator's rules that fit the number, in any order.
    ///   - isVouched: whether the caller vouches that a person asks.
    ///   - isSafe: whether a tenant has the number on its safe list (``SafeNumber``).
    ///   - now: this moment.
    func judge(
        _ traffic: inout NumberTraffic,
        rules: [GuardRule],
        isVouched: Bool,
        isSafe: Bool = false,
        at now: Timestamp
    ) -> GuardVerdict {
        let rule = rules.filter { $0.isInForce(at: now) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }
        if let rule {
            return rule.action == .allow
                ? GuardVerdict(.allow, [.safeListed])
                : GuardVerdict(.block, [.blockListed], retryAt: rule.until ?? now + blockTime)
        }
        if isSafe { return GuardVerdict(.allow, [.safeListed]) }
        if mode == .off { return GuardVerdict(.allow, [.guardOff]) }
        let verdict = judgeTraffic(&traffic, isVouched: isVouched, at: now)
        guard mode == .shadow, verdict.action != .allow else { return verdict }
        return GuardVerdict(.shadow, verdict.reasons)
    }

    /// What ``judge(_:rules:isVouched:isSafe:at:)`` would say to a message now; nothing comes of it.
    public func forecast(
        _ traffic: NumberTraffic,
        rules: [GuardRule],
        isVouched: Bool = false,
        at now: Timestamp
    ) -> GuardVerdict {
        var traffic = traffic
        traffic.prune(at: now, blockTime: blockTime)
        return judge(&traffic, rules: rules, isVouched: isVouched, at: now)
    }

    private func judgeTraffic(
        _ traffic: inout NumberTraffic,
        isVouched: Bool,
        at now: Timestamp
    ) -> GuardVerdict {
        if traffic.prefix.isBlocked(at: now) {
            traffic.prefix.recordRefusal(at: now, renewingAfter: prefixSample, for: blockTime)
            return GuardVerdict(.block, [.prefixBlocked], retryAt: traffic.prefix.blockedUntil)
        }
        if traffic.prefix.blockedUntil != nil { traffic.prefix.unblock() }
        if traffic.prefix.ripe(at: now).isPoor(minimum: prefixSample, percent: prefixPercent) {
            traffic.prefix.block(from: now, for: blockTime)
            return GuardVerdict(.block, [.prefixConversionLow], retryAt: traffic.prefix.blockedUntil)
        }
        let prefix = traffic.prefix.lastDay(at: now)
        if prefix.isGood(minimum: prefixSample, percent: prefixPercent) {
            return GuardVerdict(.allow, [.prefixConversionGood])
        }
        let doubt: GuardVerdict.Reason? =
            if prefix.sent >= prefixSample {
                .prefixConversionPending
            } else if prefix.isPoor(minimum: Self.sampleInPoorCountry, percent: prefixPercent),
                traffic.country.lastDay(at: now).isPoor(minimum: countrySample, percent: countryPercent)
            {
                .countryConversionLow
            } else {
                nil
            }
        guard let doubt else { return GuardVerdict(.allow, [.sampleSmall]) }
        if isVouched { return GuardVerdict(.allow, [.vouched, doubt]) }
        return GuardVerdict(.challenge, [doubt], retryAt: now + Verification.longestLife)
    }
}
