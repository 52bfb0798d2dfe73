import PhoneAccounts
import PhoneDomain
import PhoneSignup

/// The ID and the token of a browser's signup. They are made with the first page, before there is a signup, so that all
/// tabs of the browser have one, and a form that is sent twice does not begin two.
///
/// But for its time the ID follows from the token, so that nobody can choose it.
struct SignupCookie: Hashable, Sendable {
    let id: Signup.ID
    let token: SecretToken

    init(at now: Timestamp, by tokens: any TokenVault) throws {
        let token = try tokens.makeToken(prefix: "sgt_")
        self.init(token, UInt64(truncatingIfNeeded: now.milliseconds), try tokens.digest(of: token))
    }

    /// Nil unless the text is that of one.
    init?(_ text: String, by tokens: any TokenVault) throws {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
        guard parts.count == 2, let id = Signup.ID(String(Substring(parts[0]))) else { return nil }
        let token = SecretToken(String(Substring(parts[1])))
        self.init(token, id.bits.high >> 16, try tokens.digest(of: token))
        guard self.id == id else { return nil }
    }

    private init(_ token: SecretToken, _ milliseconds: UInt64, _ digest: [UInt8]) {
        func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        id = Signup.ID(bits: milliseconds << 16 | bits(digest.prefix(2)), bits(digest.dropFirst(2).prefix(8)))
        self.token = token
    }

    var text: String { "\(id).\(token.text)" }
    var madeAt: Timestamp { Timestamp(milliseconds: Int64(id.bits.high >> 16)) }
}
