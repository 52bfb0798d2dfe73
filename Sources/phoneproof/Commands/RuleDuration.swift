import ArgumentParser
import PhoneCLI

/// How long a rule holds, as `12h`.
struct RuleDuration: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard case .ago(let duration)? = PastMoment(argument), duration > .zero else { return nil }
        self.duration = duration
    }
}
