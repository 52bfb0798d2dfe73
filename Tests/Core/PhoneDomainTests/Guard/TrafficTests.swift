import PhoneSignup
import Testing

@testable import PhoneDomain

@Suite struct TrafficTests {
    /// The beginning of hour 1000.
    private let start = Timestamp(seconds: 3_600_000)
    private let blockTime: Duration = .seconds(43_200)

    private func moment(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

    private func traffic(_ hours: (number: Int64, sent: Int, approved: Int)...) -> Traffic {
        Traffic(hours: hours.map { Traffic.Hour(number: $0.number, sent: $0.sent, approved: $0.approved) })
    }

    @Test func `messages and approvals are counted in the hour of the clock`() {
        var traffic = Traffic.none
        for second in [0, 3599, 3600] { traffic.changeSends(by: 1, at: moment(Int64(second))) }
        traffic.recordApproval(at: moment(3600))
        #expect(
            traffic.hours == [
                Traffic.Hour(number: 1000, sent: 2), Traffic.Hour(number: 1001, sent: 1, approved: 1),
            ]
        )
    }

    @Test func `the last hour is the one that runs and the one before it`() {
        let traffic = traffic((999, 5, 5), (1000, 3, 1), (1001, 2, 2))
        #expect(traffic.lastHour(at: moment(3600)) == Traffic.Sample(sent: 5, approved: 3))
        #expect(traffic.lastHour(at: moment(2 * 3600 - 1)) == Traffic.Sample(sent: 5, approved: 3))
        #expect(traffic.lastHour(at: moment(2 * 3600)) == Traffic.Sample(sent: 2, approved: 2))
        #expect(traffic.lastHour(at: moment(3 * 3600)) == Traffic.Sample())
    }

    @Test func `an hour counts until a whole day has passed since its end, and is then forgotten`() {
        var traffic = traffic((1000, 3, 1), (1010, 2, 2))
        #expect(traffic.lastDay(at: moment(25 * 3600 - 1)) == Traffic.Sample(sent: 5, approved: 3))
        #expect(traffic.lastDay(at: moment(25 * 3600)) == Traffic.Sample(sent: 2, approved: 2))
        traffic.changeSends(by: 1, at: moment(25 * 3600))
        #expect(
            traffic.hours == [Traffic.Hour(number: 1010, sent: 2, approved: 2), Traffic.Hour(number: 1025, sent: 1)]
        )
    }

    @Test func `hours before 1970 are rounded down like any other`() {
        var traffic = Traffic.none
        for milliseconds in [-3_600_001, -3_600_000, -1, 0] {
            traffic.changeSends(by: 1, at: Timestamp(milliseconds: Int64(milliseconds)))
        }
        #expect(traffic.hours.map(\.number) == [-2, -1, 0])
        #expect(traffic.hours.map(\.sent) == [1, 2, 1])
    }

    @Test func `what was sent is ripe ten minutes after the end of its hour, and approvals count at once`() {
        let traffic = traffic((1000, 30, 1), (1001, 10, 4))
        #expect(traffic.ripe(at: moment(4199)) == Traffic.Sample(sent: 0, approved: 5))
        #expect(traffic.ripe(at: moment(4200)) == Traffic.Sample(sent: 30, approved: 5))
        #expect(traffic.ripe(at: moment(7800)) == Traffic.Sample(sent: 40, approved: 5))
    }

    @Test func `a sample is poor or good from its least size on, and at the least share good`() {
        let sample = { (sent: Int, approved: Int) in Traffic.Sample(sent: sent, approved: approved) }
        #expect(!sample(19, 0).isPoor(minimum: 20, percent: 15))
        #expect(sample(20, 2).isPoor(minimum: 20, percent: 15))
        #expect(!sample(20, 3).isPoor(minimum: 20, percent: 15))
        #expect(sample(20, 3).isConverting(minimum: 20, percent: 15))
        #expect(!sample(20, 2).isConverting(minimum: 20, percent: 15))
        #expect(!sample(19, 19).isConverting(minimum: 20, percent: 15))
    }

    @Test func `a block ends when its time is over`() {
        var traffic = Traffic.none
        traffic.block(from: start, for: blockTime)
        #expect(traffic.blockedUntil == moment(43_200))
        #expect(traffic.isBlocked(at: moment(43_199)))
        #expect(!traffic.isBlocked(at: moment(43_200)))
        traffic.unblock()
        #expect(traffic == .none)
    }

    @Test func `while it is asked for on and on a block begins anew`() {
        var traffic = Traffic.none
        traffic.block(from: start, for: blockTime)
        for second in 1...19 { traffic.recordRefusal(at: moment(Int64(second)), renewingAfter: 20, for: blockTime) }
        #expect(traffic.blockedUntil == moment(43_200))
        #expect(traffic.refusedInBlock == 19)
        traffic.recordRefusal(at: moment(20), renewingAfter: 20, for: blockTime)
        #expect(traffic.blockedUntil == moment(43_220))
        #expect(traffic.refusedInBlock == 0)
    }

    @Test func `a clock set back by a second ends no block`() {
        var traffic = Traffic.none
        traffic.block(from: start, for: blockTime)
        traffic.prune(at: moment(-1), blockTime: blockTime)
        #expect(traffic.isBlocked(at: moment(-1)))
        #expect(traffic.blockedUntil == moment(43_199))
    }

    @Test func `a block that a clock ahead began ends as if it began now, and not years from now`() {
        var traffic = Traffic.none
        traffic.block(from: moment(365 * 86_400), for: blockTime)
        traffic.prune(at: start, blockTime: blockTime)
        #expect(traffic.blockedUntil == moment(43_200))
    }

    @Test func `hours still to come are taken for this one`() {
        var traffic = traffic((990, 1, 0), (1000, 2, 1), (1003, 4, 2), (9000, 8, 4))
        traffic.prune(at: moment(10), blockTime: blockTime)
        #expect(
            traffic.hours == [Traffic.Hour(number: 990, sent: 1), Traffic.Hour(number: 1000, sent: 14, approved: 7)]
        )
        #expect(traffic.lastDay(at: moment(25 * 3600)) == Traffic.Sample(sent: 0, approved: 0))
    }

    @Test func `nothing is mended where the clock is right`() {
        let loaded = traffic((980, 1, 0), (1000, 2, 1))
        var traffic = loaded
        traffic.prune(at: start, blockTime: blockTime)
        #expect(traffic == loaded)
    }

    @Test func `when fewer than N messages will be in the window`() {
        let traffic = traffic((1000, 3, 0), (1005, 4, 0), (1010, 2, 0))
        let now = moment(11 * 3600)
        #expect(traffic.firstMoment(withFewerThan: 10, after: now) == now)
        #expect(traffic.firstMoment(withFewerThan: 9, after: now) == moment(25 * 3600))
        #expect(traffic.firstMoment(withFewerThan: 7, after: now) == moment(25 * 3600))
        #expect(traffic.firstMoment(withFewerThan: 6, after: now) == moment(30 * 3600))
        #expect(traffic.firstMoment(withFewerThan: 1, after: now) == moment(35 * 3600))
    }

    /// Day 41 ends with hour 1007.
    @Test func `of the days before it only those are kept that the most approvals of two weeks can be of`() {
        var traffic = Traffic.none
        func approve(_ count: Int, day: Int64) {
            for _ in 0..<count { traffic.recordApproval(at: moment((day * 24 + 3) * 3600)) }
        }
        for (day, count) in [(0, 5), (1, 9), (2, 7), (3, 7), (4, 2)] { approve(count, day: Int64(day)) }
        #expect(traffic.peaks == [Traffic.Peak(day: 42, approved: 9), Traffic.Peak(day: 43, approved: 7)])
        #expect(traffic.mostApprovals(at: moment(4 * 86_400)) == 9)
        traffic.recordApproval(at: moment((4 * 24 + 30) * 3600))
        #expect(traffic.peaks.map(\.approved) == [9, 7, 2])
        // The fifteenth day after.
        #expect(traffic.mostApprovals(at: moment(15 * 86_400)) == 9)
        #expect(traffic.mostApprovals(at: moment(16 * 86_400)) == 7)
        approve(1, day: 17)
        #expect(traffic.peaks.map(\.approved) == [7, 2, 1])
        #expect(traffic.mostApprovals(at: moment(40 * 86_400)) == 0)
        // A clock that is set back.
        #expect(traffic.mostApprovals(at: moment(0)) == 0)
    }

    @Test func `a day whose hours are dropped one after the other counts as one`() {
        var traffic = Traffic.none
        for hour: Int64 in 8..<20 { traffic.recordApproval(at: moment(hour * 3600)) }
        for hour: Int64 in 32..<46 {
            traffic.changeSends(by: 1, at: moment(hour * 3600))
            #expect(traffic.peaks.map(\.approved) == (hour < 33 ? [] : [min(12, Int(hour) - 32)]))
        }
        #expect(traffic.peaks == [Traffic.Peak(day: 42, approved: 12)])
    }

    @Test func `a day of twenty approvals is remembered for two weeks, and a block ends that`() {
        var traffic = traffic((1000, 30, 10), (1007, 30, 9), (1008, 30, 19))
        #expect(traffic.rememberedUntil == nil)
        traffic.recordApproval(at: moment(8 * 3600))
        #expect(traffic.rememberedUntil == Timestamp(seconds: 57 * 86_400))
        traffic.changeSends(by: 1, at: moment(40 * 3600))
        #expect(traffic.rememberedUntil == Timestamp(seconds: 57 * 86_400))
        #expect(traffic.mostApprovals(at: moment(40 * 3600)) == 20)
        traffic.block(from: moment(41 * 3600), for: blockTime)
        #expect(traffic.rememberedUntil == nil)
    }

    @Test func `what is sent for nothing on a later day is had once`() {
        var traffic = traffic((1000, 40, 30))
        traffic.changeSends(by: 20, at: moment(30 * 3600))
        #expect(traffic.mostApprovals(at: moment(30 * 3600)) == 30)
        traffic.changeSends(by: 1, at: moment(60 * 3600))
        #expect(traffic.mostApprovals(at: moment(60 * 3600)) == 10)
        traffic.changeSends(by: 1, at: moment(90 * 3600))
        #expect(traffic.mostApprovals(at: moment(90 * 3600)) == 9)
    }

    @Test func `it is silent since its last hour ended or its block does`() {
        #expect(Traffic.none.silentSince == nil)
        #expect(traffic((1000, 1, 0)).silentSince == moment(3600))
        var blocked = traffic((1000, 1, 0))
        blocked.block(from: moment(60), for: blockTime)
        #expect(blocked.silentSince == moment(43_260))
    }
}
