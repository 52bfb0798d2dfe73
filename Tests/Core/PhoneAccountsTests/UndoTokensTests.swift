import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@Suite struct UndoTokensTests {
    private let vault = PlainTokenVault()

    private func change(_ id: NumberChange.ID, _ digest: [UInt8]) throws -> NumberChange {
        NumberChange(
            id: id,
            accountID: Account.ID(bits: 0, 1),
            sessionID: Session.ID(bits: 0, 1),
            verificationID: Verification.ID(bits: 0, 1),
            oldNumber: nil,
            newNumber: try PhoneNumber(e164: "+821011111111"),
            language: .korean,
            changedAt: Timestamp(seconds: 0),
            undoableUntil: Timestamp(seconds: 0),
            undoDigest: digest
        )
    }

    @Test func `a secret is 22 characters, and the same for one change however often it is made`() throws {
        let tokens = UndoTokens(deriver: PlainSecretDeriver(), vault: vault)
        let id = NumberChange.ID(bits: 0, 1)
        let (token, digest) = try tokens.make(for: id)
        #expect(token.text.utf8.count == 22)
        #expect(try tokens.digest(of: token) == digest)
        #expect(try tokens.token(of: change(id, digest))?.text == token.text)
        #expect(try tokens.make(for: NumberChange.ID(bits: 0, 2)).token.text != token.text)
    }

    @Test func `no secret ends in what a phone may leave out of a link`() throws {
        let tokens = UndoTokens(deriver: PlainSecretDeriver(), vault: vault)
        let ends = try Set((0..<500).compactMap { try tokens.make(for: NumberChange.ID(bits: 0, $0)).token.text.last })
        #expect(ends.count > 50)
        #expect(ends.filter { !$0.isLetter && !$0.isNumber } == [])
    }

    @Test func `a secret that was made under a key of before is found as long as the key is there`() throws {
        let id = NumberChange.ID(bits: 0, 1)
        let (token, digest) = try UndoTokens(deriver: PlainSecretDeriver(keys: ["old"]), vault: vault).make(for: id)
        let rotated = UndoTokens(deriver: PlainSecretDeriver(keys: ["new", "old"]), vault: vault)
        #expect(try rotated.token(of: change(id, digest))?.text == token.text)
        #expect(try rotated.make(for: id).token.text != token.text)
        let removed = UndoTokens(deriver: PlainSecretDeriver(keys: ["new"]), vault: vault)
        #expect(try removed.token(of: change(id, digest)) == nil)
    }

    @Test(arguments: ["", "a", String(repeating: "a", count: 21), String(repeating: "a", count: 23)])
    func `what has not the form of a secret has no digest`(_ text: String) throws {
        let tokens = UndoTokens(deriver: PlainSecretDeriver(), vault: vault)
        #expect(try tokens.digest(of: SecretToken(text)) == nil)
    }
}
