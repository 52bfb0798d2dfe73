public import Logging
public import PhoneDomain

/// Sends codes by the next channel whose message was not reported as delivered in time (``Routes/fallbackTime``).
///
/// It asks as the person would: every limit, the guard and the budget count the message, and may refuse it. The person
/// can ask for the next channel in any case, so that nothing is lost where this process ends before it has.
public struct ChannelFallback: Sendable {
    private static let interval: Duration = .seconds(2)
    private static let mostAtOnce = 100

    private let store: any OutboxStore
    private let useCase: VerificationUseCase
    private let clock: any WallClock
    private let logger: Logger

    public init(store: any OutboxStore, useCase: VerificationUseCase, clock: any WallClock, logger: Logger) {
        (self.store, self.useCase, self.clock, self.logger) = (store, useCase, clock, logger)
    }

    /// Goes on until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await takeDue()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// What is due now. A store that is down is asked again at the next time; others log that it is.
    func takeDue() async {
        while let due = try? await store.takeFallbacks(limit: Self.mostAtOnce, at: clock.now()) {
            for claim in due { await moveOn(claim) }
            if due.count < Self.mostAtOnce { return }
        }
    }

    private func moveOn(_ claim: OutboxClaim) async {
        let (verification, log) = (claim.verification, MessageLog(claim: claim, logger: logger))
        let context = RequestContext(of: verification)
        var options = VerificationOptions()
        (options.movesOn, options.wording) = (true, claim.message.wording)
        await TraceParent.$current.withValue(claim.message.traceParent) {
            do throws(PhoneFailure) {
                let answer = try await useCase.begin(verification.phoneNumber, options, context: context)
                log.log(
                    .info,
                    "A code is sent by the next channel",
                    ["message.channel": "\(answer.verification.channel)"]
                )
            } catch {
                log.log(.info, "A code is not sent by the next channel", ["reason": "\(error.code)"])
            }
        }
    }
}
