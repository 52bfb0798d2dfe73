import PhoneSignup

/// What the guard, the proof that a client brings and the operator's hook say of a message.
extension BeginVerification {
    func verdict(_ state: inout State, _ proof: Result<JudgedProof, ProofFault>?) -> GuardVerdict {
        if ruling == .deny { return GuardVerdict(.block, [.hookDenied]) }
        // A page is no app.
        let hasNoWay = challenger.map { $0.requiresApp && context.challenges == .page } ?? true
        let support = hasNoWay ? .none : context.challenges
        let provenWork = try? proof?.get().work
        let verdict = abusePolicy.trafficGuard.judge(
            &state.traffic,
            rules: state.guardRules,
            isVouched: context.isVouched || ruling == .vouch,
            support: support,
            provenWork: provenWork,
            isSafeListed: options.dialect.isSafeListed,
            at: now
        )
        switch ruling {
        case .vouch where verdict.reasons.first == .vouched && !context.isVouched:
            return GuardVerdict(.allow, [.hookVouched] + verdict.reasons.dropFirst())
        case .challenge where verdict.action == .allow && verdict.reasons.first != .proven:
            let work = support == .none ? nil : challenger?.policy.easiest
            if let work, let provenWork, WorkPolicy.isEnough(provenWork, for: work) {
                return GuardVerdict(.allow, [.proven, .hookChallenged])
            }
            var verdict = GuardVerdict(.challenge, [.hookChallenged], retryAt: now + Verification.longestLife)
            verdict.work = work
            return verdict
        default: return requireApp(verdict, support, isProven: provenWork != nil)
        }
    }

    /// What nobody doubts needs the app's proof all the same, where only apps cause messages.
    private func requireApp(_ verdict: GuardVerdict, _ support: ChallengeSupport, isProven: Bool) -> GuardVerdict {
        guard let challenger, challenger.requiresApp, verdict.action == .allow || verdict.action == .shadow,
            !context.isVouched, ruling != .vouch, verdict.reasons.first != .proven
        else { return verdict }
        if isProven { return GuardVerdict(.allow, [.proven, .appRequired]) }
        var verdict = GuardVerdict(.challenge, [.appRequired], retryAt: now + Verification.longestLife)
        verdict.work = support == .none ? nil : challenger.policy.easiest
        return verdict
    }

    func question(
        _ state: State,
        _ verification: Verification,
        isRepeated: Bool,
        _ verdict: GuardVerdict
    ) -> SendQuestion {
        SendQuestion(
            number: phoneNumber,
            channel: verification.channel,
            address: context.address,
            isRepeated: isRepeated,
            isVouched: context.isVouched,
            hasProof: verdict.reasons.first == .proven,
            labels: verification.serverLabels,
            prefix: state.traffic.prefix.lastDay(at: now),
            country: state.traffic.country.lastDay(at: now),
            network: state.traffic.networks.last?.traffic.lastDay(at: now),
            verdict: verdict
        )
    }

    /// Nil without a proof. It is judged even where the guard lets the message out without, and only fails where not:
    /// a page that was open for long may have an old one.
    func judgeProof(isUsed: Bool) throws -> Result<JudgedProof, ProofFault>? {
        guard let challenger, let proof = options.proof else { return nil }
        if isUsed { return .failure(.used) }
        return try challenger.judge(proof, for: phoneNumber, context, captchaResult: captchaResult, at: now)
    }

    func refusal(
        _ verdict: GuardVerdict,
        _ proof: Result<JudgedProof, ProofFault>?
    ) throws -> PhoneFailure? {
        let trafficGuard = abusePolicy.trafficGuard
        switch verdict.action {
        case .allow, .shadow: return nil
        case .block where verdict.reasons.first == .hookDenied: return .sendDenied
        case .challenge where verdict.reasons.first == .appRequired && verdict.work == nil: return .sendDenied
        case .block where trafficGuard.answer == .silent: return nil
        case .block, .challenge:
            if let challenger, let work = verdict.work {
                if case .failure(let fault) = proof { return .challengeFailed(fault) }
                return .challengeRequired(try challenger.challenge(for: phoneNumber, work: work, context, at: now))
            }
            let name = verdict.action == .block ? "guard-block" : "guard-challenge"
            return .rateLimited(
                policies: [QuotaPolicy(name: name, quota: 0, window: trafficGuard.blockTime)],
                retryAt: verdict.retryAt ?? now + trafficGuard.blockTime
            )
        }
    }
}
