import CoreEncodings
import PhoneDomain

/// `GET /docs`: `openapi.yaml` as a page for people.
///
/// It is written here and not in the browser, so that it can be read, linked to and printed without a script; the
/// script only searches and copies. It loads nothing from elsewhere.
struct DocsPage {
    let document: JSON

    static func html(_ guide: DocsGuide, nonce: String) -> HTML {
        HTML(
            page: "PhoneProof API",
            in: .english,
            nonce: nonce,
            style: HTML(trusted: EmbeddedFiles.docsCSS),
            script: HTML(trusted: EmbeddedFiles.docsJS),
            body: "\(whole.before)\(guide.html)\(whole.after)"
        )
    }

    /// Written once: it takes long.
    private static let whole = DocsPage(document: OpenAPIDocument.whole).body

    private var title: String { document["info"]?["title"]?.string ?? "" }

    /// What is before and behind the guide.
    var body: (before: HTML, after: HTML) {
        let info = document["info"]
        let groups = groups
        let before: HTML = """
            <header>
            <p class="title"><b>\(title)</b> <span>API <small>\(info?["version"]?.string ?? "")</small></span></p>
            <input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off" hidden>
            <a class="contents" href="#contents">Contents</a>
            <a class="source" href="openapi.json">openapi.json</a>
            </header>
            <nav id="contents" aria-label="Contents">
            <ul><li data-for="overview"><a href="#overview">Overview</a></li><li data-for="conventions"><a href="#conventions">Conventions</a></li></ul>
            \(groups.map(\.navigation).joined(separator: "\n"))
            <details data-group><summary>Schemas</summary>
            <ul>\(schemas.map { "<li data-for=\"schema-\($0.name)\"><a href=\"#schema-\($0.name)\">\($0.name)</a></li>" as HTML }.joined())</ul>
            </details>
            </nav>
            <main>
            <p id="found" role="status"></p>
            <section id="overview" data-item>
            <h1>\(info?["summary"]?.string ?? "")</h1>

            """
        let after: HTML = """

            </section>
            \(groups.map(\.content).joined(separator: "\n"))
            <div data-group>
            <h2>Conventions</h2>
            <section id="conventions" data-item>
            \(paragraphs(info?["description"]))
            \(securitySchemes)
            </section>
            </div>
            <div data-group>
            <h2>Schemas</h2>
            \(schemas.map(section).joined(separator: "\n"))
            </div>
            </main>
            """
        return (before, after)
    }

    private var schemas: [JSON.Member] { document["components"]?["schemas"]?.members ?? [] }

    private var securitySchemes: HTML {
        let rows = (document["components"]?["securitySchemes"]?.members ?? []).map { scheme -> HTML in
            "<tr><th id=\"auth-\(scheme.name)\"><code>\(scheme.name)</code></th><td>\(inline(scheme.value["description"]))</td></tr>"
        }
        return
            "<h3>Authorization</h3><p>A bearer token: <code>Authorization: Bearer …</code></p><table>\(rows.joined())</table>"
    }
}

// Operations.
extension DocsPage {
    private struct Operation {
        let id: String
        /// Upper-case; or `EVENT`.
        let method: String
        let path: String
        let value: JSON
        let parameters: [JSON]
    }

    private struct Group {
        let navigation: HTML
        let content: HTML
    }

    private var operations: [Operation] {
        func operations(of paths: JSON?, isWebhook: Bool) -> [Operation] {
            (paths?.members ?? []).flatMap { path in
                let shared = path.value["parameters"]?.elements ?? []
                return path.value.members.filter { $0.name != "parameters" }.map { member in
                    Operation(
                        id: member.value["operationId"]?.string ?? "",
                        method: isWebhook ? "EVENT" : member.name.uppercased(),
                        path: path.name,
                        value: member.value,
                        parameters: (member.value["parameters"]?.elements ?? []) + shared
                    )
                }
            }
        }
        return operations(of: document["paths"], isWebhook: false)
            + operations(of: document["webhooks"], isWebhook: true)
    }

    /// One for each tag.
    private var groups: [Group] {
        (document["tags"]?.elements ?? []).map { tag in
            let name = tag["name"]?.string ?? ""
            let operations = operations.filter { $0.value["tags"]?.elements.first?.string == name }
            let heading = name == "webhooks" ? "Webhooks" : name
            let links = operations.map { operation -> HTML in
                """
                <li data-for="\(operation.id)"><a href="#\(operation.id)">\(badge(operation.method))\
                <span>\(operation.value["summary"]?.string ?? "")</span></a></li>
                """
            }
            return Group(
                navigation:
                    "<details open data-group><summary>\(heading)</summary>\n<ul>\(links.joined())</ul>\n</details>",
                content: """
                    <div data-group>
                    <h2>\(heading)</h2>
                    \(introduction(tag["description"]))
                    \(operations.map(section).joined(separator: "\n"))
                    </div>
                    """
            )
        }
    }

    private func badge(_ method: String) -> HTML { "<b class=\"method \(method.asciiLowercased)\">\(method)</b>" }

    private func section(_ operation: Operation) -> HTML {
        let schemes =
            (operation.value["security"] ?? document["security"])?.elements.flatMap(\.members).map(\.name) ?? []
        let needed = schemes.map { "<a href=\"#auth-\($0)\">\($0)</a>" as HTML }.joined(separator: " or ")
        let parameters = operation.parameters.compactMap(resolved)
        // Headers that a call does without are many, and the same for all.
        let headers = parameters.filter { $0["in"] == "header" && $0["required"] != true }
        let rows = parameters.filter { !headers.contains($0) }.map(parameterRow)
        let more: HTML =
            "<details><summary>Optional headers</summary><table>\(headers.map(parameterRow).joined())</table></details>"
        return """
            <section id="\(operation.id)" data-item>
            <h3>\(badge(operation.method)) <code>\(operation.path)</code>\
            <a class="self" href="#\(operation.id)" aria-label="Link to this operation">#</a></h3>
            <p class="summary">\(operation.value["summary"]?.string ?? "")</p>
            \(paragraphs(operation.value["description"]))
            \("<p class=\"auth\">Needs \(needed).</p>", if: !schemes.isEmpty)
            \(requestBody(operation.value["requestBody"]))
            \("<h4>Parameters</h4><table>\(rows.joined())</table>", if: !rows.isEmpty)
            \(operation.method == "EVENT" ? "" : call(operation, parameters, schemes.first))
            \(more, if: !headers.isEmpty)
            <h4>\(operation.method == "EVENT" ? "Expected responses" : "Responses")</h4>
            <table class="responses">\((operation.value["responses"]?.members ?? []).map(responseRow).joined())</table>
            </section>
            """
    }

    private func parameterRow(_ parameter: JSON) -> HTML {
        row(
            parameter["name"]?.string ?? "",
            "\(kind(of: parameter["schema"] ?? .null)), in \(parameter["in"]?.string ?? "")",
            isRequired: parameter["required"] == true,
            parameter["description"]
        )
    }

    /// The operation as a command for a shell. What only the reader has is a variable of it: `$id`, `$token`.
    private func call(_ operation: Operation, _ parameters: [JSON], _ scheme: String?) -> HTML {
        func value(_ parameter: JSON) -> String? {
            (parameter["example"] ?? parameter["schema"]?["example"])?.scalarText
        }
        var path = operation.path
        var query: [String] = []
        for parameter in parameters {
            guard let name = parameter["name"]?.string, let place = parameter["in"]?.string else { continue }
            // An ID in an example is nobody's.
            let isID = parameter["schema"]?["pattern"]?.string?.contains("_[0-9a-f]") ?? false
            let own = isID ? "$\(name)" : value(parameter)?.percentEncoded ?? "$\(name)"
            if place == "path" { path = path.replacing("{\(name)}", with: own) }
            if place == "query", parameter["required"] == true { query.append("\(name)=\(own)") }
        }
        path += query.isEmpty ? "" : "?" + query.joined(separator: "&")
        var lines: [String] = []
        if let scheme {
            lines.append("-H \"Authorization: Bearer $\(scheme.hasSuffix("Key") ? "PHONEPROOF_API_KEY" : "token")\"")
        }
        for parameter in parameters where parameter["in"] == "header" && parameter["required"] == true {
            lines.append("-H \"\(parameter["name"]?.string ?? ""): \(value(parameter) ?? "$value")\"")
        }
        let method = operation.method == "GET" ? "" : operation.method == "POST" ? "" : "-X \(operation.method) "
        if let body = operation.value["requestBody"]?["content"]?.members.first {
            let schema = body.value["schema"].flatMap(resolved)
            let example = body.value["example"] ?? schema?["examples"]?.elements.first
            if body.name.hasSuffix("x-www-form-urlencoded") {
                lines += (example?.members ?? []).map { "-d '\($0.name)=\($0.value.scalarText ?? "")'" }
            } else {
                lines.append(
                    "-H 'Content-Type: \(body.name)' -d '\((example ?? [:]).text.replacing("'", with: #"'\''"#))'"
                )
            }
        }
        if operation.method == "POST", operation.value["requestBody"] == nil { lines.append("-X POST") }
        let rest = lines.map { " \\\n  \($0)" as HTML }.joined()
        return """
            <h4>Call</h4><div class="call"><pre>curl -s \(method)"<span class="base">http://127.0.0.1:8080</span>\(path)"\(rest)</pre>\
            <button type="button" hidden>Copy</button></div>
            """
    }

    private func requestBody(_ body: JSON?) -> HTML {
        guard let contents = body?["content"]?.members, let first = contents.first else { return "" }
        let types = contents.map { "<code>\($0.name)</code>" as HTML }.joined(separator: " or ")
        let isOptional = body?["required"] != true
        return "<h4>Body</h4><p>\(types)\(isOptional ? ", optional" : "")</p>" + details(of: first.value["schema"])
    }

    private func responseRow(_ response: JSON.Member) -> HTML {
        let value = resolved(response.value) ?? .null
        let types = Set((value["content"]?.members ?? []).compactMap { $0.value["schema"].map(kind) })
            .sorted { $0.text < $1.text }
        let category = String(response.name.prefix(1))
        return """
            <tr><th><b class="status s\(category)">\(response.name)</b></th>\
            <td>\(inline(value["description"]))\(" <span class=\"type\">\(types.joined(separator: " or "))</span>", if: !types.isEmpty)\
            </td></tr>
            """
    }
}

// Schemas.
extension DocsPage {
    private func section(_ schema: JSON.Member) -> HTML {
        """
        <section id="schema-\(schema.name)" data-item>
        <h3>\(schema.name)<a class="self" href="#schema-\(schema.name)" aria-label="Link to this schema">#</a></h3>
        \(paragraphs(schema.value["description"]))
        \(details(of: schema.value))
        </section>
        """
    }

    /// The properties and an example, of a reference as well.
    private func details(of schema: JSON?) -> HTML {
        guard let schema, let target = resolved(schema) else { return "" }
        let rows = propertyRows(of: target, prefix: "")
        let link: HTML = schema["$ref"] == nil ? "" : "<p class=\"type\">\(kind(of: schema))</p>"
        let properties: HTML =
            rows.isEmpty ? "<p class=\"type\">\(kind(of: target))</p>" : link + "<table>\(rows.joined())</table>"
        guard let example = target["examples"]?.elements.first, !rows.isEmpty else { return properties }
        return properties + "<details><summary>Example</summary><pre>\(example.indentedText)</pre></details>"
    }

    /// A row for each property, and for those of objects within.
    private func propertyRows(of schema: JSON, prefix: String) -> [HTML] {
        let required = schema["required"]?.elements ?? []
        return (schema["properties"]?.members ?? []).flatMap { property in
            let name = prefix + property.name
            let row = row(
                name,
                kind(of: property.value),
                isRequired: required.contains(.string(property.name)),
                property.value["description"]
            )
            let items = property.value["items"]
            let inner = items.map { propertyRows(of: $0, prefix: name + "[].") }
            return [row] + (inner ?? propertyRows(of: property.value, prefix: name + "."))
        }
    }

    private func row(_ name: String, _ type: HTML, isRequired: Bool, _ description: JSON?) -> HTML {
        """
        <tr><th><code>\(name)</code>\(" <small>optional</small>", if: !isRequired)</th>\
        <td><span class="type">\(type)</span> \(inline(description))</td></tr>
        """
    }

    /// The type in HTML, with links to the schemas that it refers to.
    private func kind(of schema: JSON) -> HTML {
        if let reference = schema["$ref"]?.string {
            let name = reference.split(separator: "/").last.map { String($0) } ?? ""
            return "<a href=\"#schema-\(name)\">\(name)</a>"
        }
        if let choices = schema["anyOf"] ?? schema["oneOf"] {
            return choices.elements.map(kind).joined(separator: " or ")
        }
        if let value = schema["const"] { return code(value) }
        if let values = schema["enum"] { return values.elements.map(code).joined(separator: " ") }
        let names = schema["type"]?.string.map { [$0] } ?? schema["type"]?.elements.compactMap(\.string) ?? ["any"]
        let type: HTML = "\(names.joined(separator: " or "))"
        if let items = schema["items"] { return "\(type) of \(kind(of: items))" }
        let limits = ["format", "pattern", "minimum", "maximum", "minLength", "maxLength"].compactMap { limit in
            schema[limit].map { value -> HTML in
                switch limit {
                case "format": "\(value.string ?? "")"
                case "pattern": code(value)
                default: "\(limit) \(code(value))"
                }
            }
        }
        return limits.isEmpty ? type : "\(type) (\(limits.joined(separator: ", ")))"
    }

    private func code(_ value: JSON) -> HTML { "<code>\(value.string ?? value.text)</code>" }

    private func resolved(_ value: JSON) -> JSON? {
        guard let reference = value["$ref"]?.string else { return value }
        return reference.split(separator: "/").dropFirst().reduce(JSON?.some(document)) { $0?[String($1)] }
    }
}

// Texts of the document, which are Markdown with paragraphs and `code` only.
extension DocsPage {
    private func paragraphs(_ text: JSON?) -> HTML {
        (text?.string ?? "").split(separator: "\n").map { "<p>\(inline(.string(String($0))))</p>" as HTML }
            .joined(separator: "\n")
    }

    /// A long one is a list, of which most people want only what it is a list of.
    private func introduction(_ text: JSON?) -> HTML {
        guard let string = text?.string, string.utf8.count > 400, let colon = string.firstRange(of: ": ") else {
            return paragraphs(text)
        }
        let (summary, list) = (String(string[..<colon.lowerBound]), String(string[colon.upperBound...]))
        return "<details><summary>\(Self.inline(summary))</summary>\(paragraphs(.string(list)))</details>"
    }

    private func inline(_ text: JSON?) -> HTML { Self.inline(text?.string ?? "") }

    static func inline(_ text: String) -> HTML {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> HTML in
            index.isMultiple(of: 2) ? "\(part)" : "<code>\(part)</code>"
        }.joined()
    }
}

extension JSON {
    fileprivate var elements: [JSON] { array ?? [] }
}
