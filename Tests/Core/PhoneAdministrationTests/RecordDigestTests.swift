import PhoneAdministration
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

@Suite struct RecordDigestTests {
    private func digest(_ bytes: [UInt8]) -> RecordDigest { RecordDigest(bytes: bytes) }

    private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
    private func ones(_ count: Int) -> [UInt8] { Array(repeating: 255, count: count) }

    @Test func `it is written in 64 digits`() {
        #expect(
            digest(Array(0...31)).description == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        )
        #expect(RecordDigest.none.description == String(repeating: "0", count: 64))
    }

    @Test func `a sum carries from the lower half to the upper, and over the end to nothing`() {
        var sum = digest(zeros(16) + ones(16))
        sum.add(digest(zeros(31) + [1]))
        #expect(sum == digest(zeros(15) + [1] + zeros(16)))
        sum = digest(ones(32))
        sum.add(digest(zeros(31) + [2]))
        #expect(sum == digest(zeros(31) + [1]))
    }

    @Test func `a tally is the same in any order, and another for any other records`() throws {
        let meters = (1...4).map { serial in
            StoredRecord.meter(
                MeterInUse(key: LimitKey(rawValue: "key \(serial)"), meter: RateMeter(fullAt: Int64(serial)))
            )
        }
        func tally(_ indices: Int...) throws -> RecordTally {
            var tally = RecordTally()
            for index in indices { try tally.add([meters[index]], by: PlainRequestAuthenticator()) }
            return tally
        }
        #expect(try tally(0, 1, 2) == tally(2, 0, 1))
        #expect(try tally(0, 1, 2).count == 3)
        #expect(try tally(0, 1, 2) != tally(0, 1, 3))
        // By XOR these would be the same.
        #expect(try tally(0, 1, 1) != tally(0, 2, 2))
        #expect(try tally() == RecordTally())
    }
}
