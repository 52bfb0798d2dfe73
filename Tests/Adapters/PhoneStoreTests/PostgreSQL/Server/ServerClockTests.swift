import PhoneSignup
import Testing

@testable import PhoneStore

@Suite struct ServerClockTests {
    private let clock = ServerClock()

    /// The server's clock shows this when the question came, and so many milliseconds are taken by each way.
    private func compare(_ server: Int64, asked: Int64, way: Int64) {
        clock.compare(
            .integer(server),
            asked: Timestamp(milliseconds: asked),
            answered: Timestamp(milliseconds: asked + 2 * way)
        )
    }

    @Test func `half of the time of an answer is that of a way`() {
        #expect(clock.difference == .zero)
        compare(305_040, asked: 5000, way: 40)
        #expect(clock.difference == .seconds(300))
        compare(5000, asked: 305_000, way: 0)
        #expect(clock.difference == .seconds(-300))
    }

    @Test func `an answer that came late counts only if there is no better one`() {
        compare(9000, asked: 1000, way: 2000)
        #expect(clock.difference == .seconds(6))
        compare(90_000, asked: 1000, way: 501)
        #expect(clock.difference == .seconds(6))
    }

    @Test func `a clock that is set meanwhile says nothing`() {
        compare(9000, asked: 1000, way: 0)
        compare(9000, asked: 3_601_000, way: -1_800_000)
        compare(9000, asked: 1000, way: 1_800_000)
        clock.compare(.text("9000"), asked: Timestamp(milliseconds: 1000), answered: Timestamp(milliseconds: 1000))
        #expect(clock.difference == .seconds(8))
    }
}
