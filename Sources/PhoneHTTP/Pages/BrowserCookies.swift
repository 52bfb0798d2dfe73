import HTTPTypes
import PhoneDomain
import TextEncodings

/// What a browser keeps of the pages: the signup that it is in the middle of, and the session that it is signed in with.
/// No script can read either, and no other site's form brings them (SameSite).
struct BrowserCookies: Sendable {
    enum Kind: String {
        /// The ID of a signup, a dot and its token; before there is one, a token alone.
        case signup
        /// The first refresh token of a session, which is never used up.
        case session
    }

    /// Whether the pages are reached by TLS. Only this very host can then set the cookies (the prefix `__Host-`,
    /// https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2).
    let isSecure: Bool
    let tokens: any TokenVault

    func name(_ kind: Kind) -> String { (isSecure ? "__Host-" : "") + "phoneproof_" + kind.rawValue }

    func value(_ kind: Kind, of request: Request) -> String? {
        let start = name(kind) + "="
        // HTTP/2 may send each cookie in a field of its own (RFC 9113 section 8.2.3).
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.utf8.starts(with: start.utf8) {
                    let value = pair.utf8.dropFirst(start.utf8.count)
                    return value.isEmpty ? nil : String(Substring(value))
                }
            }
        }
        return nil
    }

    /// - Parameter value: nil to have it deleted.
    func set(_ kind: Kind, _ value: String?, for duration: Duration, in response: inout Response) {
        let age = value == nil ? 0 : duration.wholeSecondsRoundedUp
        let cookie = "\(name(kind))=\(value ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
        response.headers.append(HTTPField(name: .setCookie, value: cookie + (isSecure ? "; Secure" : "")))
    }

    /// What a form must bring along with this cookie: it comes from the cookie and does not lead back to it, and no other
    /// site can know it.
    func formToken(for cookie: String) throws(PhoneFailure) -> String {
        do {
            return try tokens.digest(of: Self.secret(of: cookie)).base64URL
        } catch {
            throw .unavailable(cause: String(describing: error))
        }
    }

    /// Whether a form comes from a page that this browser was shown.
    func accept(_ form: [String: String], with cookie: String?, from request: Request) throws(PhoneFailure) -> Bool {
        // What browsers say of themselves (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header).
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { return false }
        guard let cookie, let digest = form["form_token"].flatMap({ [UInt8](.base64URL, $0.utf8) }) else {
            return false
        }
        do {
            return try tokens.matches(Self.secret(of: cookie), digest: digest)
        } catch {
            throw .unavailable(cause: String(describing: error))
        }
    }

    private static func secret(of cookie: String) -> SecretToken { SecretToken("form " + cookie) }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite: HTTPField.Name = {
        guard let name = HTTPField.Name("Sec-Fetch-Site") else { preconditionFailure("not a header name") }
        return name
    }()
}
