import CoreEncodings
import HTTPTypes
package import PhoneAccounts
package import PhoneDomain
import PhoneSignup

/// What a browser keeps of the pages: the signup that it is in the middle of, and the session that it is signed in
/// with. No script can read either, and no other site's form brings them (SameSite).
package struct BrowserCookies: Sendable {
    package struct Kind: Hashable, Sendable {
        fileprivate let name: String
        package init(_ name: String) { self.name = name }

        /// ``SignupCookie``.
        static let signup = Kind("signup")
        /// The first refresh token of a session, which is never used up.
        static let session = Kind("session")
    }

    /// Whether the pages are reached by TLS. Only this very host can then set the cookies (the prefix `__Host-`,
    /// https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2).
    let isSecure: Bool
    let tokens: any TokenVault

    package init(isSecure: Bool, tokens: any TokenVault) { (self.isSecure, self.tokens) = (isSecure, tokens) }

    func name(_ kind: Kind) -> String { (isSecure ? "__Host-" : "") + "phoneproof_" + kind.name }

    /// Nil without the cookie, and for an empty one.
    ///
    /// Goes by bytes: to Swift U+037E equals a semicolon, so a cookie that another host of the domain may set could
    /// pass for two.
    package func value(_ kind: Kind, of request: Request) -> String? {
        let start = Array("\(name(kind))=".utf8)
        for field in request.headers[values: .cookie] {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.trimmingWhitespace
                guard pair.starts(with: start) else { continue }
                return pair.count > start.count ? String(Substring(pair.dropFirst(start.count))) : nil
            }
        }
        return nil
    }

    /// - Parameter value: nil to have it deleted.
    package func set(_ kind: Kind, _ value: String?, for duration: Duration, in response: inout Response) {
        let age = value == nil ? 0 : duration.wholeSecondsRoundedUp
        let cookie = "\(name(kind))=\(value ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
        response.headers.append(.setCookie, cookie + (isSecure ? "; Secure" : ""))
    }

    /// What a form must bring along with this cookie: it comes from the cookie and does not lead back to it, and no
    /// other site can know it.
    package func formToken(for cookie: String) throws(PhoneFailure) -> String {
        try available { try tokens.digest(of: Self.secret(of: cookie)).base64URL }
    }

    /// Why a form is not one of a page that this browser shows.
    package enum FormFault: Error, Hashable {
        /// The cookie of the page is gone.
        case expired
        /// The browser has the cookie of another page, which it was shown since.
        case replaced
        case otherSite
    }

    /// Nil for a form of a page that this browser shows.
    package func fault(
        of form: FormFields,
        with cookie: String?,
        from request: Request
    ) throws(PhoneFailure) -> FormFault? {
        // What browsers say of themselves (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header).
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { return .otherSite }
        guard let cookie else { return .expired }
        guard let digest = form["form_token"].flatMap({ [UInt8](.base64URL, $0.utf8) }) else { return .replaced }
        return try available { try tokens.matches(Self.secret(of: cookie), digest: digest) ? nil : .replaced }
    }

    private static func secret(of cookie: String) -> SecretToken { SecretToken("form " + cookie) }
}

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

extension Request {
    /// Whether a page of another site has sent it, as the browser says; for forms that no token is for. Browsers
    /// without Fetch Metadata name the page's origin, and `null` for one that they are not to tell.
    package var isOfOtherSite: Bool {
        if let site = headers[.secFetchSite] { return site != "same-origin" && site != "none" }
        guard let origin = headers[.origin], let scheme = origin.firstRange(of: "://") else {
            return headers[.origin] != nil
        }
        return origin[scheme.upperBound...].asciiLowercased != authority?[...].asciiLowercased
    }

    /// Whether a page of another site loads this as a part of itself, such as an image or a frame: nobody has asked for
    /// it, or reads it.
    var isPartOfOtherSite: Bool { isOfOtherSite && headers[.secFetchDest].map { $0 != "document" } ?? false }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
    fileprivate static let secFetchDest = known("Sec-Fetch-Dest")
}
