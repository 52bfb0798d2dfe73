import PhoneDomain
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
