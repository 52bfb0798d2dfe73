import CoreEncodings
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneSignup

/// A page of the console, within its frame: the navigation, who is signed in, and one heading.
struct ConsolePage: Sendable {
    let title: String
    /// Its path below `/console`, which marks its place in the navigation.
    let path: String
    let body: HTML
    /// Whether ``ConsoleRoutes/script`` keeps its parts `live` and `state` up to date.
    var isLive = false
    /// What the act did that led here.
    var done: String?
    var language = LanguageTag.english

    private static let places = [
        ("", "Now"), ("deliveries", "Deliveries"), ("guard", "Guard"), ("person", "Person"), ("funnel", "Funnel"),
        ("programs", "Programs"), ("audit", "Audit"), ("health", "Health"),
    ]

    func html(for visitor: Visitor?, nonce: String) -> HTML {
        HTML(
            page: "\(title) – PhoneProof",
            in: language,
            nonce: nonce,
            style: PageAssets.style + HTML(trusted: EmbeddedFiles.consoleCSS),
            body: """
                \(visitor.map(header))
                <main\(" class=\"narrow\"", if: visitor == nil)>
                <h1>\(title)</h1>
                \(done.map { "<p role=\"status\" class=\"done\">\($0)</p>" as HTML })
                \(body)
                </main>
                \(script(nonce), if: isLive)
                """
        )
    }

    private func script(_ nonce: String) -> HTML {
        "<script src=\"/console/live.js\" nonce=\"\(nonce)\"></script>"
    }

    /// Allows nothing of others, and no script but that one.
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

    /// A button that opens an act's form over the page, which says what it acts on; nothing for whom it is not.
    ///
    /// - Parameters:
    ///   - name: of the button.
    ///   - title: what is done to whom: `Pause main`. The form's heading, and its button.
    ///   - note: what will happen.
    ///   - fields: hidden ones, and what they have.
    ///   - more: other fields.
    func act(
        _ name: String,
        _ title: String,
        _ path: String,
        _ role: Role,
        note: HTML? = nil,
        isDestructive: Bool = false,
        fields: KeyValuePairs<String, String> = [:],
        more: HTML = ""
    ) -> HTML {
        guard self.role >= role else { return "" }
        let hidden = fields.map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" as HTML }
        let id = ([path] + fields.map(\.value)).joined(separator: " ").percentEncoded
        let kind: HTML = isDestructive ? " danger" : ""
        return """
            <button type="button" class="act\(kind)" popovertarget="\(id)">\(name)</button>
            <div popover id="\(id)" role="dialog" aria-labelledby="\(id)-title" class="dialog">
            <form method="post" action="/console/\(path)"><h2 id="\(id)-title">\(title)</h2>
            \(note.map { "<p>\($0)</p>" as HTML })\(tokenField)\(hidden.joined())\(more)
            \(Self.reasonField)
            <div class="buttons"><button class="act\(kind)">\(title)</button>
            <button type="button" class="plain" popovertarget="\(id)" popovertargetaction="hide">Cancel</button></div>
            </form></div>
            """
    }

    static var reasonField: HTML {
        """
        <label>Reason, for the audit log<input name="reason" required maxlength="\(AuditReason.longest)" \
        autocomplete="off" autofocus></label>
        """
    }
}

// MARK: - Parts of pages

extension HTML {
    /// On a narrow screen each row is a card: every cell has its column's title.
    static func table(_ label: String, _ titles: [String], _ rows: [[any TableCell]], ifEmpty: String) -> HTML {
        if rows.isEmpty { return "<p class=\"small\">\(ifEmpty)</p>" }
        // Columns of numbers are marked.
        let columns = titles.map {
            (title: $0.hasPrefix("#") ? String($0.dropFirst()) : $0, isNumber: $0.hasPrefix("#"))
        }
        let heads = columns.map { column -> HTML in
            "<th scope=\"col\"\(" class=\"num\"", if: column.isNumber)>\(column.title)</th>"
        }
        let lines = rows.map { row -> HTML in
            let cells = zip(row, columns).map { cell, column -> HTML in
                let content = cell.content
                let kind: HTML = content.text.isEmpty ? " class=\"none\"" : cell.isNumber ? " class=\"num\"" : ""
                return "<td data-label=\"\(column.title)\"\(kind)>\(content)</td>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        return """
            <div class="wide" role="region" aria-label="\(label)" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody></table></div>
            """
    }

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
        """
        <div><label for="\(name)">\(label)</label><select id="\(name)" name="\(name)"><option value="">any</option>\
        \(options(values, chosen))</select></div>
        """
    }

    static func options(_ values: [String], _ chosen: String?) -> HTML {
        values.map { value in "<option\(" selected", if: value == chosen)>\(value)</option>" as HTML }.joined()
    }

    /// - Parameter fault: why the value is refused.
    static func field(
        _ name: String,
        _ label: String,
        _ value: String?,
        fault: String? = nil,
        isFirst: Bool = false
    ) -> HTML {
        let focus: HTML = isFirst ? " autofocus" : ""
        let mark: HTML = fault == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(name)-fault\""
        return """
            <div><label for="\(name)">\(label)</label><input id="\(name)" name="\(name)" value="\(value ?? "")" \
            autocomplete="off"\(focus)\(mark)>\(fault.map { "<p id=\"\(name)-fault\" class=\"alert\">\($0)</p>" as HTML })</div>
            """
    }
}

/// What a cell of a table has.
protocol TableCell {
    var content: HTML { get }
    var isNumber: Bool { get }
}

extension TableCell {
    var isNumber: Bool { false }
}

extension HTML: TableCell {
    var content: HTML { self }
}

extension String: TableCell {
    var content: HTML { "\(self)" }
}

extension Int: TableCell {
    var content: HTML { "\(self)" }
    var isNumber: Bool { true }
}

extension Timestamp: TableCell {
    var content: HTML { HTML.time(self) }
}

extension Optional: TableCell where Wrapped: TableCell {
    var content: HTML { self?.content ?? "–" }
    var isNumber: Bool { self?.isNumber ?? false }
}

/// Text of numbers, in a column of them.
struct Figures: TableCell {
    let content: HTML
    let isNumber = true
    init(_ text: String) { content = "\(text)" }
    init(_ content: HTML) { self.content = content }
}

/// `3 %`, in one line, or a dash of nothing.
func percent(_ part: Int, of whole: Int) -> String { whole > 0 ? "\(part * 100 / whole)\u{A0}%" : "–" }

func money(_ millionths: Int, _ currency: String) -> String {
    "\(Money.text(millionths, decimals: 2...2)) \(currency)"
}
