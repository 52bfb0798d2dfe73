import Logging
import PhoneDomain

/// Asks gateways that say nothing by themselves how the messages fared that they took.
///
/// Each gateway is asked on its own, and one that hangs, fails or lies costs nothing but its own receipts: it is given up after
/// ``timeout``, left alone for longer each time, and believed only about the messages that it was asked of. Several
/// programs over one store ask of the same messages; the first receipt counts.
struct ReceiptPoller: Sendable {
    /// How many questions are on their way to a gateway at the same time.
    private static let width = 8
    private static let backOff = BackOff(first: .seconds(5), longest: .seconds(300))

    let store: any OutboxStore
    let gateways: [any ReceiptSource]
    let schedule: ReceiptSchedule
    /// How long a gateway may take to answer.
    let timeout: Duration
    let recorder: ReceiptRecorder
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let logger: Logger
    let storeHealth: StoreHealth

    /// Why a round ended before its end.
    private enum Trouble: Error {
        case gateway(GatewayFailure)
        case store(any Error)

        /// How long it wants to be left alone.
        var wait: Duration {
            if case .gateway(let failure) = self, case .retry(let wait?) = failure.kind { wait } else { .zero }
        }
    }

    /// Asks until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for gateway in gateways {
                group.addTask { await self.poll(gateway) }
            }
        }
    }

    private func poll(_ gateway: any ReceiptSource) async {
        var last: Timestamp?
        var failures = 0
        while !Task.isCancelled {
            let now = wallClock.now()
            var sleep = schedule.interval
            do throws(Trouble) {
                try await ask(gateway, schedule.due(since: last, at: now))
                if failures > 0 {
                    logger.notice("A gateway tells again how messages fared", metadata: metadata(gateway))
                }
                (last, failures) = (now, 0)
            } catch {
                if Task.isCancelled { return }
                failures += 1
                if failures == 1 { report(error, of: gateway) }
                // No longer than we would wait ourselves, whatever it says.
                let longest = Self.backOff.longest
                sleep = max(sleep, Self.backOff.wait(after: failures), min(error.wait, longest))
            }
            try? await clock.sleep(for: sleep)
        }
    }

    private func ask(_ gateway: any ReceiptSource, _ intervals: [ReceiptSchedule.Interval]) async throws(Trouble) {
        let limit = max(gateway.mostAskedAtOnce, 1) * Self.width
        for interval in intervals {
            var last: SentMessage?
            while !Task.isCancelled {
                let page = try await page(of: gateway, interval, behind: last, limit)
                try await ask(gateway, of: page.map(\.gatewayMessageID))
                guard page.count == limit else { break }
                last = page.last
            }
        }
    }

    private func page(
        of gateway: any ReceiptSource,
        _ interval: ReceiptSchedule.Interval,
        behind last: SentMessage?,
        _ limit: Int
    ) async throws(Trouble) -> [SentMessage] {
        let question = AwaitedReceipts(
            gateway: gateway.name,
            after: interval.after,
            through: interval.through,
            behind: last,
            limit: limit
        )
        do {
            let page = try await store.awaitingReceipts(question)
            storeHealth.recordSuccess()
            return page
        } catch {
            storeHealth.record(error)
            throw .store(error)
        }
    }

    /// Asks of a page, all of it at once.
    private func ask(_ gateway: any ReceiptSource, of names: [String]) async throws(Trouble) {
        let size = max(gateway.mostAskedAtOnce, 1)
        let troubles: [Trouble] = await withTaskGroup(of: Trouble?.self) { group in
            for start in stride(from: 0, to: names.count, by: size) {
                let part = Array(names[start..<min(start + size, names.count)])
                group.addTask { await self.settle(part, of: gateway) }
            }
            return await group.reduce(into: []) { if let trouble = $1 { $0.append(trouble) } }
        }
        if let trouble = troubles.first { throw trouble }
    }

    private func settle(_ names: [String], of gateway: any ReceiptSource) async -> Trouble? {
        let told: [DeliveryReceipt]
        switch await receipts(for: names, of: gateway) {
        case .success(let receipts): told = receipts
        case .failure(let failure): return .gateway(failure)
        }
        for receipt in told where names.contains(receipt.messageID) {
            do {
                _ = try await recorder.record(receipt, of: gateway.name)
            } catch {
                return .store(error)
            }
        }
        return nil
    }

    private func receipts(
        for names: [String],
        of gateway: any ReceiptSource
    ) async -> Result<[DeliveryReceipt], GatewayFailure> {
        await withTaskGroup { group in
            group.addTask { () -> Result<[DeliveryReceipt], GatewayFailure> in
                do throws(GatewayFailure) {
                    return .success(try await gateway.receipts(for: names))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await clock.sleep(for: timeout)
                return .failure(.retry("no answer in time"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.retry("no answer in time"))
        }
    }

    /// At the first failure of several in a row alone: the store's own are told by ``StoreHealth``.
    private func report(_ trouble: Trouble, of gateway: any ReceiptSource) {
        guard case .gateway(let failure) = trouble else { return }
        var metadata = metadata(gateway)
        metadata["failure.reason"] = "\(failure.reason)"
        if let code = failure.code { metadata["failure.code"] = "\(code)" }
        logger.warning("A gateway does not tell how messages fared", metadata: metadata)
    }

    private func metadata(_ gateway: any ReceiptSource) -> Logger.Metadata {
        ["gateway.name": "\(gateway.name)"]
    }
}
