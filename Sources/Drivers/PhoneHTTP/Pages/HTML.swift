package import PhoneAccounts
package import PhoneDomain

/// HTML with every text in it escaped: a `String` that is put in becomes text or a quoted attribute's value, and only
/// another ``HTML`` is put in as it is.
package struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ text: some StringProtocol) { self.text += String(text).htmlEscaped }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }
        /// What is there only sometimes.
        package mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
        package mutating func appendInterpolation(_ html: HTML, if isShown: Bool) { if isShown { text += html.text } }
    }

    package let text: String

    package init(stringLiteral text: String) { self.text = text }
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// A file of ours, as it is.
    package init(trusted text: String) { self.text = text }

    /// The picture of a page in tabs and bookmarks, which is within it too: its policy must allow images of `data:`.
    static func icon(_ color: Color? = nil) -> HTML {
        let fill = (color?.description ?? "#0b57d0").replacing("#", with: "%23")
        return """
            <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
            %3Crect width='32' height='32' rx='8' fill='\(HTML(trusted: fill))'/%3E%3Cpath d='M9 16.5l5 5L23.5 11' fill='none' \
            stroke='%23fff' stroke-width='3.5' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E">
            """
    }

    /// A page. Its style and its script are within it and have the nonce, so that its policy can refuse all others.
    ///
    /// - Parameters:
    ///   - color: of its icon.
    ///   - body: with the `main` element.
    package init(
        page title: String,
        in language: LanguageTag,
        nonce: String,
        color: Color? = nil,
        style: HTML,
        script: HTML? = nil,
        body: HTML
    ) {
        self = """
            <!DOCTYPE html>
            <html lang="\(language.description)" dir="\(language.isRightToLeft ? "rtl" : "ltr")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="robots" content="noindex">
            \(Self.icon(color))
            <title>\(title)</title>
            <style nonce="\(nonce)">\(style)</style>
            </head>
            <body>
            \(body)
            \(script.map { "<script nonce=\"\(nonce)\">\($0)</script>\n" as HTML })</body>
            </html>

            """
    }

    /// A sentence with a number in place of `{{number}}`, which stays on one line and from left to right: browsers would
    /// break it at its hyphens, and turn its groups round in a language that is written from the right.
    init(_ sentence: String, with number: String) {
        let parts = sentence.split(separator: "{{number}}", omittingEmptySubsequences: false).map { "\($0)" as HTML }
        self = parts.joined(separator: "<span class=\"whole\">\(number)</span>")
    }

    /// A server-sent event of it (HTML, section 9.2.5). Each of these ends a line, and a text may contain any.
    package var event: String {
        text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }.map { "data: \($0)\n" }
            .joined() + "\n"
    }

    package static func + (one: HTML, other: HTML) -> HTML { HTML(trusted: one.text + other.text) }
}

extension Sequence<HTML> {
    package func joined(separator: String = "") -> HTML { HTML(trusted: map(\.text).joined(separator: separator)) }
}

extension String {
    /// The text with the characters that HTML gives a meaning escaped, for content and quoted attributes.
    ///
    /// It goes by scalars, as browsers do: to Swift `<` and a combining mark after it are one `Character`, which is not
    /// "<".
    var htmlEscaped: String {
        var html = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": html += "&amp;".unicodeScalars
            case "<": html += "&lt;".unicodeScalars
            case ">": html += "&gt;".unicodeScalars
            case "\"": html += "&quot;".unicodeScalars
            case "'": html += "&#39;".unicodeScalars
            default: html.append(scalar)
            }
        }
        return String(html)
    }
}
