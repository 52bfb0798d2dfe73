import HTTPTypes
import NIOCore
import PhoneAccounts
import PhoneDomain

/// The style and the script of the pages, which go into each: no page loads anything
/// but what computes.
package enum PageAssets {
    /// The picture above the heading of a page that ends something, or on which nothing can be typed.
    enum Mark: String {
        case done, wait, problem

        var html: HTML {
            let path =
                switch self {
                case .done: "M5 12.5l4.5 4.5L19 7.5"
                case .wait: "M12 7v5.5l3.5 2M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19"
                case .problem: "M12 5v9M12 18.5v.5"
                }
            return """
                <svg class="mark \(rawValue)" viewBox="0 0 24 24" aria-hidden="true"><path d="\(path)"/></svg>

                """
        }
    }

    /// The background in the dark scheme: `--card` in `pages.css`.
    static let darkCard: Color = {
        guard let color = Color("#1e1f20") else { preconditionFailure("not a color") }
        return color
    }()

    package static let style = HTML(trusted: EmbeddedFiles.pagesCSS)

    /// Text on the accent has the color of the background, so that one contrast holds for buttons and links.
    static func style(of theme: ClientTheme) -> HTML {
        let colors = theme.accent.map { accent -> HTML in
            """
            :root { --accent: \(accent.description); --on: \(Color.white.description) }
            @media (prefers-color-scheme: dark) { :root { --accent: \(accent.tint(for: darkCard).description); --on: \(darkCard.description) } }

            """
        }
        return "\(colors)\(theme.radius.map { ":root { --radius: \($0)px }\n" as HTML })"
    }

    static let script = HTML(trusted: EmbeddedFiles.signupJS)

    /// `GET /signup/proof.js`: the worker that solves a challenge. It is a file of its own, since a page's policy then
    /// needs no exception for scripts that a script makes.
    static let proof = StaticFile(
        ByteBuffer(string: EmbeddedFiles.proofJS),
        contentType: "text/javascript; charset=utf-8",
        headers: [.cacheControl: "public, max-age=3600"]
    )
}

extension PageIdentity {
    /// A page in this look that has no script and loads nothing, not even the logo.
    func plainPage(
        _ heading: String,
        _ mark: PageAssets.Mark?,
        _ paragraphs: HTML,
        status: HTTPResponse.Status = .ok,
        retryAfter: String? = nil,
        in language: LanguageTag,
        nonce: String
    ) -> Response {
        var headers: HeaderFields = [.contentLanguage: language.description]
        headers[.retryAfter] = retryAfter
        return Response(
            status,
            html: HTML(
                page: heading,
                in: language,
                nonce: nonce,
                color: theme.accent,
                style: PageAssets.style + PageAssets.style(of: theme),
                body: """
                    <main>
                    \(name(in: language).map { "<p class=\"client\">\($0)</p>\n" as HTML })\
                    \(mark?.html)<h1>\(heading)</h1>
                    \(paragraphs)
                    </main>
                    """
            ),
            contentSecurityPolicy:
                "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'",
            headers: headers
        )
    }
}
