public import Logging
public import PhoneDomain
import Synchronization

/// Sends codes by the next channel whose message no gateway accepted, was reported as undelivered, or was not reported
/// as delivered in time (``Routes/fallbackTime``).
///
/// It asks as the person would: every limit, the guard, the budget and the hook judge the message, and may refuse it.
/// The person can ask for the next channel in any case, so that nothing is lost where this process ends before it has.
public final class ChannelFallback: Sendable {
    private static let interval: Duration = .seconds(1)
    /// One may wait for the operator's hook for seconds; the others do not wait for it.
    private static let mostAtOnce = 100

    private let store: any OutboxStore
    private let useCase: @Sendable () -> VerificationUseCase
    private let clock: any WallClock
    private let logger: Logger
    private let running = Atomic(0)

    /// - Parameter useCase: asked before each look, since routes and limits may change.
    public init(
        store: any OutboxStore,
        useCase: @escaping @Sendable () -> VerificationUseCase,
        clock: any WallClock,
        logger: Logger
    ) {
        (self.store, self.useCase, self.clock, self.logger) = (store, useCase, clock, logger)
    }

    /// Goes on until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { tasks in
            while !Task.isCancelled {
                await takeDue(in: &tasks)
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// What is due now, as far as there are slots. A store that is down is asked again at the next time; others log
    /// that it is.
    func takeDue(in tasks: inout DiscardingTaskGroup) async {
        let useCase = useCase()
        if useCase.routes.fallbackTime == nil { return }
        let free = Self.mostAtOnce - running.load(ordering: .relaxed)
        for claim in (try? await store.takeFallbacks(limit: free, at: clock.now())) ?? [] {
            running.add(1, ordering: .relaxed)
            tasks.addTask {
                await self.moveOn(claim, useCase)
                self.running.subtract(1, ordering: .relaxed)
            }
        }
    }

    private func moveOn(_ claim: OutboxClaim, _ useCase: VerificationUseCase) async {
        let (verification, log) = (claim.verification, MessageLog(claim: claim, logger: logger))
        var context = RequestContext(of: verification)
        context.address = verification.begunFrom
        var options = VerificationOptions()
        (options.failedMessage, options.dialect.wording) = (claim.message, claim.message.wording)
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
