import Testing

@testable import PhoneDelivery

@Suite struct ShiftTests {
    @Test("no more is taken than there is room for, less what is left for others")
    func takes() {
        let shift = Shift(limit: 5)
        var taken = [shift.take(upTo: 2), shift.take(upTo: .max, leaving: 2), shift.take(upTo: 1, leaving: 2)]
        taken += [shift.take(upTo: 9), shift.take(upTo: 9), shift.room]
        #expect(taken == [2, 1, 0, 2, 0, 0])
        _ = shift.finish(3)
        #expect(shift.room == 3)
        shift.end()
        #expect(shift.take(upTo: 1) == 0)
        #expect(shift.room == 0)
    }

    @Test("whoever gives room back hears, once, whether somebody found none")
    func awaited() {
        let shift = Shift(limit: 2)
        shift.begin(2)
        var heard = [shift.finish()]
        shift.begin(1)
        _ = shift.room
        heard += [shift.finish(0), shift.finish(), shift.finish()]
        _ = shift.take(upTo: 0)
        _ = shift.take(upTo: 1, leaving: 2)
        heard += [shift.finish(-1), shift.take(upTo: 2) == 2, shift.finish(), shift.finish()]
        #expect(heard == [false, false, true, false, false, true, true, false])
    }
}
