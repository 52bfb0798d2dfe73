import PhoneSignup
import Testing

@testable import PhoneDelivery

@Suite("When gateways are polled for receipts")
struct ReceiptScheduleTests {
    private static let start = Timestamp(seconds: 1_000_000)

    private static func seconds(_ schedule: ReceiptSchedule, since last: Int?, at now: Int) -> [[Int]] {
        schedule.due(since: last.map { start + .seconds($0) }, at: start + .seconds(now)).map { interval in
            [interval.after, interval.through].map { Int(($0 - start) / .seconds(1)) }
        }
    }

    @Test("ages double up to the longest")
    func ages() {
        #expect(ReceiptSchedule(from: .seconds(5), to: .seconds(40)).ages == [5, 10, 20, 40].map { .seconds($0) })
        #expect(ReceiptSchedule(from: .seconds(5), to: .seconds(39)).ages == [5, 10, 20].map { .seconds($0) })
        #expect(ReceiptSchedule(from: .seconds(5), to: .zero).ages == [.seconds(5)])
        #expect(ReceiptSchedule(from: .zero, to: .seconds(1)).ages == [.seconds(1)])
        #expect(ReceiptSchedule.standard.ages.count == 15)
        #expect(ReceiptSchedule.standard.longest == .seconds(86_400))
    }

    @Test("at first everything is due that is neither too young nor too old")
    func first() {
        let schedule = ReceiptSchedule(from: .seconds(5), to: .seconds(100))
        #expect(Self.seconds(schedule, since: nil, at: 1000) == [[900, 995]])
        // The clock was put back.
        #expect(Self.seconds(schedule, since: 1001, at: 1000) == [[900, 995]])
    }

    @Test("then what came into an age since the last time, and nothing twice")
    func next() {
        let schedule = ReceiptSchedule(from: .seconds(5), to: .seconds(40))
        #expect(Self.seconds(schedule, since: 1000, at: 1004) == [[960, 964], [980, 984], [990, 994], [995, 999]])
        #expect(Self.seconds(schedule, since: 1000, at: 1005) == [[960, 965], [980, 985], [990, 1000]])
        #expect(Self.seconds(schedule, since: 1000, at: 1020) == [[960, 1015]])
        #expect(Self.seconds(schedule, since: 1000, at: 1000) == [])
        #expect(Self.seconds(schedule, since: 1000, at: 9000) == [[8920, 8995]])
    }

    @Test("a message is polled once at each age, whatever the interval")
    func each() {
        let schedule = ReceiptSchedule(from: .seconds(5), to: .seconds(100))
        var (last, asked): (Int?, [Int]) = (0, [])
        for now in [3, 4, 9, 12, 13, 19, 24, 33, 41, 52, 63, 77, 91, 105, 140, 300] {
            for interval in Self.seconds(schedule, since: last, at: now) where interval[0] < 2 && 2 <= interval[1] {
                asked.append(now)
            }
            last = now
        }
        // Queued at 2, so due from 7, 12, 22, 42 and 82 on.
        #expect(asked == [9, 12, 24, 52, 91])
    }
}
