import CoreEncodings
import PhoneDomain
import PhoneHTTP

/// A page of the console, within its frame: the navigation, who is signed in, and one heading.
struct ConsolePage: Sendable {
    let title: String
    /// Its path below `/console`, which marks its place in the navigation.
    let path: String
    let body: HTML
    /// Whether ``ConsoleRoutes/script`` keeps its parts `live` and `state` up to date.
    var isLive = false

    private static let places = [
        ("", "Now"), ("deliveries", "Deliveries"), ("guard", "Guard"), ("person", "Person"), ("funnel", "Funnel"),
        ("programs", "Programs"), ("audit", "Audit"), ("health", "Health"),
    ]

    func html(for visitor: Visitor?, nonce: String) -> HTML {
        HTML(
            page: "\(title) – PhoneProof",
            in: .english,
            nonce: nonce,
            style: PageAssets.style + HTML(trusted: EmbeddedFiles.consoleCSS),
            body: """
                \(visitor.map(header))
                <main\(" class=\"narrow\"", if: visitor == nil)>
                <h1>\(title)</h1>
                \(body)
                </main>
                \(script(nonce), if: isLive)
                """
        )
    }

    private func script(_ nonce: String) -> HTML {
        "<script src=\"/console/live.js\" nonce=\"\(nonce)\"></script>"
    }

    /// Nothing of others, and no script but that one.
    func contentSecurityPolicy(nonce: String) -> String {
        let live = isLive ? "script-src 'nonce-\(nonce)'; connect-src 'self'; " : ""
        return "default-src 'none'; \(live)style-src 'nonce-\(nonce)'; img-src data:; form-action 'self'; "
            + "base-uri 'none'; frame-ancestors 'none'"
    }

    private func header(_ visitor: Visitor) -> HTML {
        let links = Self.places.map { path, name -> HTML in
            let current: HTML = path == self.path ? " aria-current=\"page\"" : ""
            return "<li><a href=\"/console\(path.isEmpty ? "" : "/" + path)\"\(current)>\(name)</a></li>"
        }
        return """
            <header>
            <a class="name" href="/console">PhoneProof</a>
            <nav aria-label="Console"><ul>\(links.joined())</ul></nav>
            <form method="post" action="/console/sign-out">\(visitor.tokenField)<span>\(visitor.name), \("\(visitor.role)")</span>
            <button class="plain">Sign out</button></form>
            </header>
            """
    }
}

extension Visitor {
    var tokenField: HTML { "<input type=\"hidden\" name=\"form_token\" value=\"\(formToken)\">" }

    /// A form of an act behind a line to click, with a field for the reason; nothing for whom it is not.
    ///
    /// - Parameters:
    ///   - fields: hidden ones, and what they have.
    ///   - more: other fields.
    func act(
        _ name: String,
        _ path: String,
        _ role: Role,
        fields: KeyValuePairs<String, String> = [:],
        more: HTML = ""
    ) -> HTML {
        guard self.role >= role else { return "" }
        let hidden = fields.map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" as HTML }
        return """
            <details><summary>\(name)</summary><form method="post" action="/console/\(path)">\(tokenField)\(hidden.joined())\(more)
            <label>Reason, for the audit log<input name="reason" required maxlength="\(AuditReason.longest)" autocomplete="off"></label>
            <button>\(name)</button></form></details>
            """
    }
}

// MARK: - Parts of pages

extension HTML {
    /// - Parameter rows: each with its cells, `td` elements included.
    static func table(_ label: String, _ titles: [String], _ rows: [HTML], ifEmpty: String = "Nothing.") -> HTML {
        if rows.isEmpty { return "<p>\(ifEmpty)</p>" }
        let heads = titles.map { title -> HTML in
            // Columns of numbers are marked.
            title.hasPrefix("#")
                ? "<th scope=\"col\" class=\"num\">\(title.dropFirst())</th>" : "<th scope=\"col\">\(title)</th>"
        }
        let lines = rows.map { "<tr>\($0)</tr>\n" as HTML }
        return """
            <div class="wide" role="region" aria-label="\(label)" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody></table></div>
            """
    }

    static func cells(_ cells: [any TableCell]) -> HTML { cells.map(\.cell).joined() }

    static func time(_ moment: Timestamp?) -> HTML {
        guard let moment else { return "–" }
        let text = moment.description
        return "<time datetime=\"\(text)\">\(text.prefix(10)) \(text.dropFirst(11).prefix(8))</time>"
    }

    static func id(_ id: String) -> HTML { "<span class=\"id\">\(id)</span>" }

    /// A state that needs somebody is marked.
    static func state(_ text: String, bad: Set<String> = [], good: Set<String> = []) -> HTML {
        let kind = bad.contains(text) ? " bad" : good.contains(text) ? " good" : ""
        return "<span class=\"state\(kind)\">\(text.map { $0 == "_" ? " " : String($0) }.joined())</span>"
    }

    static func state(_ status: OutboxMessage.Status) -> HTML {
        state(status.rawValue, bad: ["failed", "undelivered", "unknown"], good: ["delivered"])
    }

    static func next(_ path: String, _ query: [(String, String?)], _ cursor: String?) -> HTML {
        guard let cursor else { return "" }
        return "<p><a href=\"\(path)?\(Self.query(query + [("cursor", cursor)]))\">Older</a></p>"
    }

    static func query(_ parameters: [(String, String?)]) -> String {
        parameters.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }.joined(separator: "&")
    }

    /// A choice of a filter; the first is none.
    static func select(_ name: String, _ label: String, _ values: [String], _ chosen: String?) -> HTML {
        let options = values.map { value -> HTML in
            let mark: HTML = value == chosen ? " selected" : ""
            return "<option\(mark)>\(value)</option>"
        }
        return """
            <div><label for="\(name)">\(label)</label><select id="\(name)" name="\(name)"><option value="">any</option>\
            \(options.joined())</select></div>
            """
    }

    static func field(_ name: String, _ label: String, _ value: String?) -> HTML {
        "<div><label for=\"\(name)\">\(label)</label><input id=\"\(name)\" name=\"\(name)\" value=\"\(value ?? "")\" autocomplete=\"off\"></div>"
    }
}

/// What a cell of a table has.
protocol TableCell {
    /// The content with its `td` element.
    var cell: HTML { get }
}

extension HTML: TableCell {
    var cell: HTML { "<td>\(self)</td>" }
}

extension String: TableCell {
    var cell: HTML { "<td>\(self)</td>" }
}

extension Int: TableCell {
    var cell: HTML { "<td class=\"num\">\(self)</td>" }
}

extension Timestamp: TableCell {
    var cell: HTML { HTML.time(self).cell }
}

extension Optional: TableCell where Wrapped: TableCell {
    var cell: HTML { self?.cell ?? "<td>–</td>" }
}

/// Text of numbers, in a column of them.
struct Figures: TableCell {
    let text: String
    init(_ text: String) { self.text = text }
    var cell: HTML { "<td class=\"num\">\(text)</td>" }
}

/// `3 %`, in one line, or a dash of nothing.
func percent(_ part: Int, of whole: Int) -> String { whole > 0 ? "\(part * 100 / whole)\u{A0}%" : "–" }

func money(_ millionths: Int, _ currency: String) -> String {
    "\(Money.text(millionths, decimals: 2...2)) \(currency)"
}
