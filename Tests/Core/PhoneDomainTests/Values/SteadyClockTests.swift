import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

/// The clock of the service, while the machine's clock is set this way and that.
@Suite struct SteadyClockTests {
    private static let start = Timestamp(seconds: 1_767_225_600)

    private let wall = ManualClock(start)
    private let sinceBoot = ManualClock(Timestamp(seconds: 500))
    private let clock: SteadyClock

    init() {
        clock = SteadyClock(wall, elapsed: { [sinceBoot] in sinceBoot.now() - Timestamp(seconds: 0) })
    }

    private func pass(_ seconds: Int) {
        wall.advance(by: .seconds(seconds))
        sinceBoot.advance(by: .seconds(seconds))
    }

    /// What it shows, in seconds since the start.
    private var shown: Duration { clock.now() - Self.start }

    @Test func followsTheMachinesClock() {
        #expect(shown == .zero)
        pass(3600)
        #expect(shown == .seconds(3600))
    }

    @Test func followsAClockThatIsSteered() {
        for turn in 1...100 {
            pass(10)
            wall.advance(by: .milliseconds(900))
            #expect(shown == .milliseconds(10_900 * turn))
        }
        wall.advance(by: .milliseconds(-1000))
        #expect(shown == .milliseconds(1_089_000))
    }

    @Test func aMomentAheadOrBehindIsNotSeen() {
        for step in [86_400, -86_400, -3600, 3600] {
            wall.advance(by: .seconds(step))
            let before = shown
            pass(59)
            #expect(shown == before + .seconds(59))
            wall.advance(by: .seconds(-step))
            #expect(shown == before + .seconds(59))
        }
        #expect(shown == .seconds(236))
    }

    @Test func aStepForwardIsTakenAfterAMinute() {
        wall.advance(by: .seconds(86_400))
        #expect(shown == .zero)
        pass(59)
        #expect(shown == .seconds(59))
        pass(1)
        #expect(shown == .seconds(86_460))
        pass(1)
        #expect(shown == .seconds(86_461))
    }

    @Test func aStepBackIsTakenAfterAQuarterOfAnHour() {
        wall.advance(by: .seconds(-3600))
        #expect(shown == .zero)
        pass(899)
        #expect(shown == .seconds(899))
        pass(1)
        #expect(shown == .seconds(-2700))
    }

    @Test func stepsInTurnAreEachWaitedFor() {
        wall.advance(by: .seconds(-3600))
        #expect(shown == .zero)
        pass(50)
        wall.advance(by: .seconds(90_000))
        #expect(shown == .seconds(50))
        pass(59)
        #expect(shown == .seconds(109))
        wall.advance(by: .seconds(-90_000))
        #expect(shown == .seconds(109))
        pass(899)
        #expect(shown == .seconds(1008))
        pass(1)
        #expect(shown == .seconds(-2591))
    }

    /// Whoever sets the clock back by four minutes every four minutes gets no code to live on.
    @Test func stepsBackOneAfterTheOtherDoNotStopTheTime() {
        var end: Int?
        for minute in 1...60 {
            pass(60)
            if minute % 4 == 0 { wall.advance(by: .seconds(-240)) }
            if end == nil, shown >= .seconds(600) { end = minute }
        }
        #expect(end == 10)
    }
}
