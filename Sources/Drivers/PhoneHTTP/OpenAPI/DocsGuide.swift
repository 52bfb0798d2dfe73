import PhoneNumbers

/// What else the service understands than its own API, in a line of `/docs`.
public struct DocsLine: Hashable, Sendable {
    let title, path, text: String

    /// - Parameter text: what one needs for it, with commands and paths between backquotes.
    public init(title: String, path: String, text: String) { (self.title, self.path, self.text) = (title, path, text) }
}

/// What `/docs` begins with: a call that works as it is pasted, and the ways in.
struct DocsGuide: Sendable {
    /// Where the service is, if the page's script does not know better.
    let address: String
    let region: Region
    let hasInbox: Bool
    let others: [DocsLine]

    var html: HTML {
        """
        <p>Begin a signup. This call needs no key:</p>
        \(call("\(begin)"))
        <p>The response has the <code>id</code> and the <code>token</code> of the next two. Send a code\(inbox), and sign up with it:</p>
        \(call("""
            signup=$(\(begin))
            id=$(echo "$signup" | grep -o 'sgn_[0-9a-f]*') token=$(echo "$signup" | grep -o 'sgt_[^"]*')
            \(post("/v1/signups/$id/send", #"{"phone_text": "\#(number)"}"#, "$token"))
            """))
        \(call(post("/v1/signups/$id/sign-up", #"{"code_text": "123456"}"#, "$token")))
        <h2>Ways in</h2>
        <table class="ways">
        \(ways.map(row).joined(separator: "\n"))
        </table>
        <p>Errors, headers and limits are the same for all calls: <a href="#conventions">conventions</a>.</p>
        """
    }

    private var begin: HTML { begin(at: nil) }

    /// It needs no key.
    func begin(at origin: String?) -> HTML { post("/v1/signups", #"{"region": "\#(region)"}"#, at: origin) }

    private var inbox: HTML? { hasInbox ? " (it is at <a href=\"inbox\">/inbox</a>)" : nil }

    private var number: String { region == .korea ? "010-1234-5678" : "YOUR NUMBER" }

    /// A command whose quotation marks a shell leaves alone, but for the variable of the token.
    private func post(_ path: String, _ body: String, _ token: String? = nil, at origin: String? = nil) -> HTML {
        let authorization = token.map { " \\\n  -H \"Authorization: Bearer \($0)\"" } ?? ""
        let rest = "\(path)\(authorization) \\\n  -H 'Content-Type: application/json' -d '\(body)'"
        return "curl -s <span class=\"base\">\(origin ?? address)</span>\(rest)"
    }

    private func call(_ command: HTML) -> HTML {
        "<div class=\"call\"><pre>\(command)</pre><button type=\"button\" hidden>Copy</button></div>"
    }

    private var ways: [(what: HTML, path: HTML, text: String)] {
        [
            (
                "Your own form", "<a href=\"#beginSignup\">/v1/signups</a>",
                "No key: each signup has a token of its own. Its account has access tokens for your other services."
            ),
            (
                "From your server", "<a href=\"#beginVerification\">/v1/verifications</a>",
                "Two calls, with a key: `phoneproof keys create --name NAME`."
            ),
            (
                "Our pages", "<a href=\"signup\">/signup</a>",
                "For people, in your name and colors; a program needs nothing of its own."
            ),
            (
                "Sign-in for your programs", "<a href=\".well-known/openid-configuration\">/oauth2</a>",
                "OpenID Connect: `/oauth2/authorize`, `/oauth2/token`, `/oauth2/userinfo`, `/oauth2/revoke` and "
                    + "`/oauth2/logout`. Any library finds them by the issuer. A client: `phoneproof clients create`."
            ),
        ] + others.map { ("\($0.title)", "<code>\($0.path)</code>", $0.text) }
    }

    private func row(_ way: (what: HTML, path: HTML, text: String)) -> HTML {
        "<tr><th>\(way.what)<br>\(way.path)</th><td>\(DocsPage.inline(way.text))</td></tr>"
    }
}
