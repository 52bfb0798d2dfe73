import PhoneDomain
import PhoneSignup
import Texts

extension Texts {
    func explanation(of failure: SignupFailure) -> String { failure.message ?? failure.code.rawValue }

    func explanation(of error: SignupFlowError) -> String {
        switch error {
        case .unreachable(let server, let reason):
            prompt.serverUnreachable.filled(["server": server, "reason": reason])
        case .notUnderstood(let server, let status):
            prompt.serverNotUnderstood.filled(["server": server, "status": "\(status)"])
        case .refused(_, let message): message
        }
    }

    /// What the person accepts, with the addresses of the rules.
    func sentence(on consent: ConsentPolicy) -> String {
        let rules = [(pages.terms, consent.terms), (pages.privacy, consent.privacy)].compactMap { name, address in
            address.map { "\(name) (\($0))" }
        }
        let list = rules.joined(separator: pages.conjunction)
        return (consent.isRequired ? pages.consent : pages.acceptance).filled(["rules": list])
    }

    func welcome(to account: SignedUpAccount, with phoneText: String) -> String {
        (account.isNew ? prompt.signedUp : prompt.welcomeBack).filled(["phone": phoneText, "account": account.id])
    }
}

enum Countdown {
    /// `0:27`, `10:00`, `23:59:59`; rounded up, so that a person who waits that long has waited long enough.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.wholeSecondsRoundedUp
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let clock = hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)"
        return "\(clock):\(twoDigits(seconds % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
