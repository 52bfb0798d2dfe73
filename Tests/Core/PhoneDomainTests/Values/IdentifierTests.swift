import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@Suite struct IdentifierTests {
    @Test func textIsPrefixAnd32Digits() {
        let id = Verification.ID(bits: 0x0123_4567_89AB_CDEF, 1)
        #expect(id.description == "ver_0123456789abcdef0000000000000001")
        #expect(id.hexadecimal == "0123456789abcdef0000000000000001")
        #expect(Verification.ID("ver_0123456789abcdef0000000000000001") == id)
    }

    @Test(arguments: [
        "", "ver_", "ver_0123456789abcdef000000000000000", "ver_0123456789abcdef00000000000000012",
        "ver_0123456789ABCDEF0000000000000001", "acc_0123456789abcdef0000000000000001",
        "0123456789abcdef0000000000000001", "ver_+123456789abcdef0000000000000001",
        "ver_0123456789abcdef000000000000000é", "ver_ 123456789abcdef0000000000000001",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(Verification.ID(text) == nil)
    }
}

@Suite struct OrderedIdentifiersTests {
    private struct SameBits: IdentifierSource {
        func makeBits() -> (UInt64, UInt64) { (.max, .max) }
    }

    @Test func `the moment is in front, and all else is left to chance`() throws {
        let clock = ManualClock(Timestamp(milliseconds: 0x0123_4567_89AB))
        let identifiers = OrderedIdentifiers(random: SameBits(), clock: clock)
        let (high, low) = try identifiers.makeBits()
        #expect(high == 0x0123_4567_89AB_FFFF)
        #expect(low == .max)
        // Of a nonce or a secret all is.
        #expect(try identifiers.makeRandomBits().0 == .max)
    }

    @Test func `what is made later comes later in order, as text too`() throws {
        let clock = ManualClock(Timestamp(milliseconds: 0x019A_FFFF_FFFF))
        let identifiers = OrderedIdentifiers(random: SameBits(), clock: clock)
        let first: Verification.ID = try identifiers.makeIdentifier()
        clock.advance(by: .milliseconds(1))
        let second: Verification.ID = try identifiers.makeIdentifier()
        #expect(first.description == "ver_019affffffffffffffffffffffffffff")
        #expect(second.description == "ver_019b00000000ffffffffffffffffffff")
        #expect(first.description < second.description)
    }
}
