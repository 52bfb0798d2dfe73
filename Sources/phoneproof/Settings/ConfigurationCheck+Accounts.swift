import PhoneDelivery
import PhoneDomain

extension ConfigurationCheck {
    mutating func checkAccounts(_ settings: Settings) {
        let policy = settings.accounts.policy
        let days = policy.dormantAfter.map { "unused for \($0.wholeDays) days: \(policy.recycling.rawValue)" }
        add(
            "accounts",
            "\(days ?? "none is ever dormant"), deleted \(max(policy.deletionGrace, policy.undoTime).wholeDays) days after the wish"
        )
        // What is asked must have somebody to ask.
        if policy.dormantAfter != nil, policy.recycling == .ask {
            warn(
                "nobody signs in to a dormant account until a program with a key of the scope accounts decides (accounts.recycling)"
            )
        }
        add("undo", "\(settings.undoAddress?.description ?? "nowhere")…, \(Int(policy.undoTime / .seconds(3600))) h")
        if let doubt = settings.doubtAboutUndoAddress { warn(doubt) }
        if settings.undoAddress?.isPlain ?? false {
            warn("whoever sees a link on its way can undo a change of number (accounts.undo_url)")
        }
        if policy.deletionGrace == .zero {
            warn(
                "an account is deleted as soon as a change of number cannot be undone any more, and whoever has a device of "
                    + "somebody can do it (accounts.deletion_grace_days)"
            )
        }
        if policy.recycling != .signIn, let dormant = policy.dormantAfter, settings.tokens.sessions.idleTime < dormant {
            warn(
                "no device is still signed in to an account that is dormant, so whoever loses it to quarantine cannot come back "
                    + "to it (tokens.idle_days is less than accounts.dormant_days)"
            )
        }
    }
}

extension Duration {
    fileprivate var wholeDays: Int { Int(self / .seconds(86_400)) }
}
