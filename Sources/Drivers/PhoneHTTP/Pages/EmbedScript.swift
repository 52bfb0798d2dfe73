import CoreEncodings
import HTTPTypes
import NIOCore
import PhoneDomain
import Texts

/// `GET /embed.js`: the element `<phone-signup>`, a button with which pages of clients sign people in.
///
/// With `href` it opens a page of the client's server, which does all the rest; no token is ever in the browser. With
/// `client` it is itself the client: verifier, state and nonce stay in the script and in this window, a code is of no
/// use without the verifier, and the tokens that it gets are used for userinfo and forgotten. The window that it opens
/// comes back to a page of the same origin, which passes the response on by a `BroadcastChannel`: that needs no
/// reference from one window to the other, so neither page must give up its `Cross-Origin-Opener-Policy`, and no other
/// origin can listen or speak. Style sheets that a script constructs need no exception in a page's
/// `Content-Security-Policy`.
struct EmbedScript: Sendable {
    static let path = "/embed.js"
    private let file: StaticFile

    init(issuer: String) {
        let labels = JSON.object(
            Languages.all.map { JSON.Member($0.language.language, .string($0.pages.signInHeading)) }
        )
        var script = ByteBuffer(string: "const issuer = ")
        script.writeImmutableBuffer(JSON.string(issuer).bytes)
        script.writeString(", labels = ")
        script.writeImmutableBuffer(labels.bytes)
        script.writeString("\n" + EmbeddedFiles.embedJS)
        file = StaticFile(
            script,
            contentType: "text/javascript; charset=utf-8",
            headers: [
                .cacheControl: "public, max-age=3600",
                .accessControlAllowOrigin: "*",
                .crossOriginResourcePolicy: "cross-origin",
            ]
        )
    }

    func addRoutes(to router: APIRouter) {
        router.get(Self.path) { request, _ in file.response(to: request) }
    }
}

extension SignupPage {
    /// The page that opened this one in a window of its own, if the client asked for that (`display=popup`): one of the
    /// client's. Whatever else has opened the window gets a reference to it as well, which shows it nothing: the pages
    /// have no frames and no code that listens.
    var openerOrigin: String? {
        guard isPopup, let origin = redirectURI?.origin else { return nil }
        // Apps with a scheme of their own have no pages.
        return origin.contains("://") ? origin : nil
    }

    /// Reports to that page that the code was sent, or what has failed; never a number.
    var report: HTML? {
        guard let openerOrigin else { return nil }
        let error = failure.map { Problem($0, at: now).code.rawValue }
        if error == nil, case .code = content {} else if error == nil { return nil }
        return """
            <script nonce="\(nonce)" data-event="\(error == nil ? "sent" : "failed")" data-error="\(error ?? "")" data-origin="\(openerOrigin)">
            \(HTML(trusted: EmbeddedFiles.reportJS))</script>
            """
    }
}
