import PhoneAdministration
import PhoneDomain
import Testing

@Suite struct GuardOutlookTests {
    @Test func `other samples and percentages close other prefixes`() throws {
        let prefixes = [
            Traffic.Sample(sent: 9): 1000, Traffic.Sample(sent: 30, approved: 1): 2,
            Traffic.Sample(sent: 100, approved: 60): 5,
        ]
        func outlook(_ level: GuardPolicy.Level, _ kind: TrafficKey.Kind = .prefix) -> [Int] {
            let outlook = GuardPolicy(level: level).outlook(prefixes, of: kind)
            return [outlook.requested, outlook.closed, outlook.suppressed, outlook.approved]
        }
        #expect(outlook(.basic) == [9560, 0, 0, 0])
        // One approval justifies six messages.
        #expect(outlook(.standard) == [9560, 2, 8, 2])
        #expect(outlook(.max) == [9560, 2, 30, 2])
        // Of networks as large as these it takes twice as many.
        for kind in [TrafficKey.Kind.network56, .network48] { #expect(outlook(.max, kind) == [9560, 2, 10, 2]) }
        for kind in [TrafficKey.Kind.address, .network64] { #expect(outlook(.max, kind) == [9560, 2, 30, 2]) }
        #expect(outlook(.max, .country) == [9560, 0, 0, 0])
        let countries = GuardPolicy(level: .max).outlook([Traffic.Sample(sent: 500, approved: 20): 1], of: .country)
        #expect([countries.closed, countries.suppressed, countries.approved] == [1, 100, 20])
    }
}
