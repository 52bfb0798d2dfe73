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
            style: PageAssets.style + Self.style,
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

    /// What the console adds to the style of the other pages.
    private static let style = HTML(
        trusted: """
            body { background: var(--page); word-break: normal }
            main { background: none; border: 0; box-shadow: none; margin: 0 auto; max-width: 76rem; padding: 1rem }
            h1 { margin-block: .5rem 1rem } h2 { font-size: 1.125rem; margin: 2rem 0 .75rem }
            header { align-items: center; background: var(--card); border-block-end: 1px solid var(--hair); display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between; padding: .25rem 1rem }
            #state { margin: -.625rem 0 .75rem }
            .name { color: var(--text); font-weight: 700; letter-spacing: -.01em; line-height: 2.75rem; text-decoration: none }
            nav { flex: 1; font-size: .9375rem } nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0 }
            a { display: inline; line-height: inherit; min-width: 0 }
            nav a { color: var(--text); display: block; line-height: 2.75rem; text-decoration: none }
            nav a[aria-current] { border-block-end: 2px solid var(--accent); font-weight: 600 }
            header form { align-items: center; color: var(--soft); display: flex; font-size: .875rem; gap: .75rem } header button { font-weight: 400; min-height: 2.25rem; padding-inline: .75rem }
            @media (max-width: 60rem) { header { column-gap: .5rem } header form { column-gap: .5rem } nav { flex-basis: 100%; order: 1 } }
            button { font-size: .875rem; margin: 0; min-height: 2.5rem; padding: .25rem .875rem; width: auto }
            input, select { background: var(--card); font-size: .9375rem; margin: 0; min-height: 2.5rem; padding: .25rem .625rem; width: 100% }
            .card { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; padding: 1rem }
            main.narrow { margin-block-start: 10vh; max-width: 28rem } .narrow button, .narrow .button { margin-block-start: .75rem; width: 100% }
            .tiles, .facts { display: grid; gap: .625rem; grid-template-columns: repeat(auto-fill, minmax(9.25rem, 1fr)); margin: 0 }
            .facts { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); padding: 1rem }
            .facts dt { color: var(--soft); font-size: .8125rem } .facts dd { font-size: .9375rem; margin: 0; overflow-wrap: anywhere } .facts .all { grid-column: 1 / -1 }
            .facts .id { font-size: .75rem; white-space: normal } h2 .state { font-size: .875rem; font-weight: 400; margin-inline-start: .5rem; vertical-align: .125em }
            .tiles div { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; padding: .75rem 1rem }
            .tiles dt { color: var(--soft); font-size: .8125rem } .tiles dd { font-size: 1.375rem; font-variant-numeric: tabular-nums; font-weight: 600; margin: 0; white-space: nowrap }
            .tiles dd small { color: var(--soft); display: block; font-size: .8125rem; font-weight: 400; white-space: normal }
            .wide { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; overflow-x: auto }
            table { border-collapse: collapse; font-size: .875rem; width: 100% }
            th, td { border-block-end: 1px solid var(--hair); padding: .5rem .75rem; text-align: start; vertical-align: top }
            tr:last-child > td { border-block-end: 0 }
            th { color: var(--soft); font-weight: 600; white-space: nowrap }
            .num { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap }
            time, .id { white-space: nowrap } .id { font-family: ui-monospace, monospace; font-size: .8125rem }
            form.row { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem .75rem; margin-block: 0 1rem }
            form.row > div { flex: 1 1 9rem; max-width: 20rem }
            details { margin-block: .25rem } summary { color: var(--accent); cursor: pointer; min-height: 1.5rem }
            details form { display: grid; gap: .5rem; margin-block-start: .5rem; max-width: 22rem; min-width: 14rem }
            td details { margin: 0 }
            .acts { align-items: start; display: flex; margin-block-start: .75rem; flex-wrap: wrap; gap: .5rem } .acts details { margin: 0 }
            .acts summary { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; font-size: .875rem; font-weight: 600; list-style: none; padding: .5rem .875rem; width: fit-content }
            .acts summary::-webkit-details-marker { display: none } .acts summary:hover { background: var(--box) } .acts details:has([name=confirmation]) summary { color: var(--bad) }
            .acts form { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; padding: 1rem }
            .state { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; white-space: nowrap }
            .state.bad { border-color: var(--bad); color: var(--bad) } .state.good { border-color: var(--accent); color: var(--accent) }
            .wrong { list-style: none; margin: 1rem 0 0; padding: 0 } .wrong li { background: var(--card); border: 1px solid var(--hair); border-inline-start: 3px solid var(--bad); border-radius: .5rem; margin-block-end: .5rem; padding: .5rem .875rem }
            svg.chart { display: block; height: 11rem; width: 100% } .grid { stroke: var(--hair) }
            .bar { fill: var(--accent) } .bar.soft { fill: var(--line) } .bar.bad { fill: var(--bad) } .axis { fill: var(--soft); font: .6875rem system-ui, sans-serif }
            .line { fill: none; stroke: var(--accent); stroke-width: 1.5 }
            pre { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; margin: 0 0 1rem; overflow-x: auto; padding: 1rem; white-space: pre-wrap }
            .timeline { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; list-style: none; margin: 0; padding: .25rem 1rem }
            .timeline li { border-block-end: 1px solid var(--hair); font-size: .9375rem; padding: .625rem 0 } .timeline li:last-child { border: 0 }
            .timeline b { font-weight: 600; margin-inline-end: .75rem } .timeline time { color: var(--soft); font-size: .8125rem } .timeline div { margin-block-start: .125rem }
            .key span { margin-inline-end: 1rem; white-space: nowrap } .key span::before { background: var(--accent); border-radius: .125rem; content: ""; display: inline-block; height: .625rem; margin-inline-end: .375rem; width: .625rem }
            .key .soft::before { background: var(--line) } .key .bad::before { background: var(--bad) }

            """
    )
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
            <label>Reason, for the audit log<input name="reason" required maxlength="200" autocomplete="off"></label>
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

/// Millionths of a currency, with two decimals.
func money(_ millionths: Int, _ currency: String) -> String {
    let cents = (millionths + 5_000) / 10_000
    return "\(cents / 100).\(String(100 + cents % 100).dropFirst()) \(currency)"
}
