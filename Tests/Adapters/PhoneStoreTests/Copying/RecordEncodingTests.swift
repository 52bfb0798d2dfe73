import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import StoreSuite

@Suite struct RecordEncodingTests {
    @Test func `numbers are in eight bytes, and texts behind their length`() {
        let meter = StoredRecord.meter(MeterInUse(key: LimitKey(rawValue: "aß"), meter: RateMeter(fullAt: -2)))
        #expect(
            meter.encoded == [
                0x72, 0x61, 0x74, 0x65, 0x5F, 0x6D, 0x65, 0x74, 0x65, 0x72,
                2, 0, 0, 0, 0, 0, 0, 0, 3, 0x61, 0xC3, 0x9F,
                1, 255, 255, 255, 255, 255, 255, 255, 254,
            ]
        )
    }

    @Test func `what is missing is not what is empty`() {
        func entry(_ owner: Owner?, _ mask: String?, _ reasons: [GuardVerdict.Reason]) -> [UInt8] {
            let entry = AuditEntry(
                at: Timestamp(seconds: 0),
                action: .begin,
                owner: owner,
                maskedNumber: mask,
                reasons: reasons
            )
            return StoredRecord.auditEntry(1, entry).encoded
        }
        let encoded = [
            entry(nil, nil, []), entry(Owner.operator(""), nil, []), entry(nil, "", []), entry(nil, nil, [.vouched]),
        ]
        #expect(Set(encoded).count == 4)
    }

    /// Every record is read as it was written, and the samples have two values of every field: one that was not written
    /// would be read as one of them at most.
    @Test func `every field counts`() throws {
        var seen: [String: Set<String>] = [:]
        func check<R: Record>(_ record: R) throws {
            #expect(try StoredRecord(record).record(as: R.self) == record)
            note(record, as: "\(R.self)")
        }
        func note(_ value: Any, as path: String) {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .struct, !(value is any LosslessStringConvertible), !(value is Duration) {
                for child in mirror.children { note(child.value, as: "\(path).\(child.label ?? "")") }
            } else {
                seen[path, default: []].insert("\(value)")
            }
        }
        for record in SampleRecords.values { try check(record) }
        #expect(seen.filter { $1.count == 1 }.keys.sorted() == [])
    }
}
