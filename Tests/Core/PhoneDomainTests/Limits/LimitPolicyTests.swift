import PhoneNumbers
import Testing

@testable import PhoneDomain

@Suite struct LimitPolicyTests {
    private let address = ClientAddress("203.0.113.7")

    private func number() throws -> PhoneNumber {
        try PhoneNumber(parsing: "010-1234-5678", region: .korea)
    }

    @Test func `a message is subject to limits on its address, prefix, country and the service`() throws {
        let rules = LimitPolicy.standard.sends(to: try number(), from: address)
        #expect(
            rules.map { "\($0.key) = \($0.limit)" } == [
                "address-sends-1h 203.0.113.7 = 30/1h", "prefix-sends-1h +82101234 = 100/1h",
                "country-sends-1h KR = 5000/1h", "service-sends-1h = 10000/1h",
            ]
        )
        // One who is refused hears the name of the limit and no subject.
        let names = ["address-sends-1h", "prefix-sends-1h", "country-sends-1h", "service-sends-1h"]
        #expect(rules.map(\.policy.name) == names)
    }

    @Test func `where nobody knows the address no limit on one holds`() throws {
        #expect(
            LimitPolicy.standard.sends(to: try number(), from: nil).map(\.key.description) == [
                "prefix-sends-1h +82101234", "country-sends-1h KR", "service-sends-1h",
            ]
        )
        #expect(LimitPolicy.standard.checks(from: nil) + LimitPolicy.standard.signups(from: nil) == [])
    }

    @Test func `checks and signups are subject to limits of their own on the address`() {
        let rules = LimitPolicy.standard.checks(from: address) + LimitPolicy.standard.signups(from: address)
        #expect(rules.map(\.key.description) == ["address-checks-1h 203.0.113.7", "address-signups-1h 203.0.113.7"])
    }

    @Test func `devices take nothing of what signups and checks have, and as much of their own`() {
        let rules = LimitPolicy.standard.deviceStarts(from: address) + LimitPolicy.standard.deviceTries(from: address)
        #expect(
            rules.map { "\($0.key) = \($0.limit)" } == [
                "address-device-starts-1h 203.0.113.7 = 300/1h", "address-device-tries-1h 203.0.113.7 = 300/1h",
            ]
        )
        #expect(rules.map { LimitPolicy.standard.limit(of: $0.key) } == rules.map(\.limit))
    }

    @Test func `a message from the person takes nothing of what messages have, and as much of its own`() throws {
        let rules = LimitPolicy.standard.inboundRequests(for: try number(), by: .local, from: address)
        #expect(
            rules.map { "\($0.key) = \($0.limit)" } == [
                "address-sends-1h 203.0.113.7 = 30/1h", "address-changes-1h 203.0.113.7 = 10000/1h",
                "number-inbound-1d +821012345678 = 10/1d", "prefix-inbound-1h +82101234 = 100/1h",
                "country-inbound-1h KR = 5000/1h", "service-inbound-1h = 10000/1h",
            ]
        )
        #expect(rules.map { LimitPolicy.standard.limit(of: $0.key) } == rules.map(\.limit))
        // Operators see the number masked, and an erasure deletes it.
        #expect(rules.map(\.key.isOfPrefix) == [false, false, false, true, false, false])
    }

    @Test func `every limit by address counts the networks of an IPv6 address too, which may have more`() throws {
        let address = ClientAddress("2001:db8:1:203::4")
        let policy = LimitPolicy.standard
        let all = [
            policy.sends(to: try number(), from: address), policy.checks(from: address), policy.signups(from: address),
            policy.changes(by: .local, from: address),
        ]
        .joined().filter { $0.key.description.hasPrefix("address-") }
        #expect(
            all.map { "\($0.key) = \($0.limit)" } == [
                "address-sends-1h 2001:db8:1:203::/64 = 30/1h", "address-sends-56-1h 2001:db8:1:200::/56 = 60/1h",
                "address-sends-48-1h 2001:db8:1::/48 = 120/1h",
                "address-checks-1h 2001:db8:1:203::/64 = 300/1h", "address-checks-56-1h 2001:db8:1:200::/56 = 600/1h",
                "address-checks-48-1h 2001:db8:1::/48 = 1200/1h",
                "address-signups-1h 2001:db8:1:203::/64 = 300/1h",
                "address-signups-56-1h 2001:db8:1:200::/56 = 600/1h",
                "address-signups-48-1h 2001:db8:1::/48 = 1200/1h",
                "address-changes-1h 2001:db8:1:203::/64 = 10000/1h",
                "address-changes-56-1h 2001:db8:1:200::/56 = 20000/1h",
                "address-changes-48-1h 2001:db8:1::/48 = 40000/1h",
            ]
        )
        // Listings find each by its key.
        #expect(all.map { policy.limit(of: $0.key) } == all.map(\.limit))
        #expect(RateLimit("999999/1h")?.times(4) == RateLimit("1000000/1h"))
    }

    @Test func `several limits hold together, and of two within the same time the least`() throws {
        var policy = LimitPolicy.none
        policy.sendsByService = ["30/1h", "5/1m", "20/60m", "100/1d", "20/1h"].compactMap { RateLimit($0) }
        #expect(
            policy.sends(to: try number(), from: address).map { "\($0.key) = \($0.limit)" } == [
                "service-sends-1m = 5/1m", "service-sends-1h = 20/1h", "service-sends-1d = 100/1d",
            ]
        )
    }

    @Test func `without limits there are none`() throws {
        #expect(LimitPolicy.none.sends(to: try number(), from: address) == [])
        #expect(LimitPolicy.none.checks(from: address) == [])
        #expect(LimitPolicy.none.signups(from: address) == [])
    }
}
