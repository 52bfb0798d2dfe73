import PhoneDomain
import TextEncodings

/// `GET /docs`: `openapi.yaml` as a page for people.
///
/// It is written here and not in the browser, so that it can be read, linked to and printed without a script; the script
/// only searches. It loads nothing from elsewhere.
struct DocsPage {
    let document: JSON

    static func html(nonce: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>PhoneProof API</title>
        <style nonce="\(nonce)">\(DocsAssets.style)</style>
        </head>
        \(body)
        <script nonce="\(nonce)">\(DocsAssets.script)</script>
        </html>

        """
    }

    /// Written once: only the nonce differs.
    private static let body = DocsPage(document: OpenAPIDocument.whole).body

    private var title: String { document["info"]?["title"]?.string?.htmlEscaped ?? "" }

    var body: String {
        let info = document["info"]
        let groups = groups
        return """
            <body>
            <header>
            <p class="title"><b>\(title)</b> API <small>\(info?["version"]?.string?.htmlEscaped ?? "")</small></p>
            <input id="search" type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off" hidden>
            <a href="/openapi.json">openapi.json</a>
            </header>
            <nav aria-label="Operations">
            \(groups.map(\.navigation).joined(separator: "\n"))
            <details data-group><summary>Schemas</summary>
            <ul>\(schemas.map { "<li data-for=\"schema-\($0.name)\"><a href=\"#schema-\($0.name)\">\($0.name)</a></li>" }.joined())</ul>
            </details>
            </nav>
            <main>
            <p id="nothing" hidden>Nothing found.</p>
            <section id="overview" data-item>
            <h1>\(info?["summary"]?.string?.htmlEscaped ?? "")</h1>
            \(paragraphs(info?["description"]))
            \(securitySchemes)
            </section>
            \(groups.map(\.content).joined(separator: "\n"))
            <div data-group>
            <h2>Schemas</h2>
            \(schemas.map(section).joined(separator: "\n"))
            </div>
            </main>
            </body>
            """
    }

    private var schemas: [JSON.Member] { document["components"]?["schemas"]?.members ?? [] }

    private var securitySchemes: String {
        let rows = (document["components"]?["securitySchemes"]?.members ?? []).map { scheme in
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
        let navigation: String
        let content: String
    }

    private var operations: [Operation] {
        func operations(of paths: JSON?, isWebhook: Bool) -> [Operation] {
            (paths?.members ?? []).flatMap { path in
                let shared = path.value["parameters"]?.elements ?? []
                return path.value.members.filter { $0.name != "parameters" }.map { member in
                    Operation(
                        id: member.value["operationId"]?.string?.htmlEscaped ?? "",
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
            let heading = name == "webhooks" ? "Webhooks" : name.htmlEscaped
            let links = operations.map { operation in
                """
                <li data-for="\(operation.id)"><a href="#\(operation.id)">\(badge(operation.method))\
                <span>\(operation.value["summary"]?.string?.htmlEscaped ?? "")</span></a></li>
                """
            }
            return Group(
                navigation:
                    "<details open data-group><summary>\(heading)</summary>\n<ul>\(links.joined())</ul>\n</details>",
                content: """
                    <div data-group>
                    <h2>\(heading)</h2>
                    \(paragraphs(tag["description"]))
                    \(operations.map(section).joined(separator: "\n"))
                    </div>
                    """
            )
        }
    }

    private func badge(_ method: String) -> String { "<b class=\"method \(method.lowercased())\">\(method)</b>" }

    private func section(_ operation: Operation) -> String {
        let schemes =
            (operation.value["security"] ?? document["security"])?.elements.flatMap(\.members).map(\.name) ?? []
        let needed = schemes.map { "<a href=\"#auth-\($0)\">\($0)</a>" }.joined(separator: " or ")
        let rows = operation.parameters.compactMap(resolved).map { parameter in
            row(
                parameter["name"]?.string ?? "",
                "\(kind(of: parameter["schema"] ?? .null)), in \(parameter["in"]?.string?.htmlEscaped ?? "")",
                isRequired: parameter["required"] == true,
                parameter["description"]
            )
        }
        return """
            <section id="\(operation.id)" data-item>
            <h3>\(badge(operation.method)) <code>\(operation.path.htmlEscaped)</code>\
            <a class="self" href="#\(operation.id)" aria-label="Link to this operation">#</a></h3>
            <p class="summary">\(operation.value["summary"]?.string?.htmlEscaped ?? "")</p>
            \(paragraphs(operation.value["description"]))
            \(needed.isEmpty ? "" : "<p class=\"auth\">Needs \(needed).</p>")
            \(rows.isEmpty ? "" : "<h4>Parameters</h4><table>\(rows.joined())</table>")
            \(requestBody(operation.value["requestBody"]))
            <h4>\(operation.method == "EVENT" ? "Expected responses" : "Responses")</h4>
            <table class="responses">\((operation.value["responses"]?.members ?? []).map(responseRow).joined())</table>
            </section>
            """
    }

    private func requestBody(_ body: JSON?) -> String {
        guard let contents = body?["content"]?.members, let first = contents.first else { return "" }
        let types = contents.map { "<code>\($0.name.htmlEscaped)</code>" }.joined(separator: " or ")
        let isOptional = body?["required"] != true
        return "<h4>Body</h4><p>\(types)\(isOptional ? ", optional" : "")</p>" + details(of: first.value["schema"])
    }

    private func responseRow(_ response: JSON.Member) -> String {
        let value = resolved(response.value) ?? .null
        let types = Set((value["content"]?.members ?? []).compactMap { $0.value["schema"].map(kind) }).sorted()
        let category = String(response.name.prefix(1))
        return """
            <tr><th><b class="status s\(category.htmlEscaped)">\(response.name.htmlEscaped)</b></th>\
            <td>\(inline(value["description"]))\(types.isEmpty ? "" : " <span class=\"type\">\(types.joined(separator: " or "))</span>")\
            </td></tr>
            """
    }
}

// Schemas.
extension DocsPage {
    private func section(_ schema: JSON.Member) -> String {
        """
        <section id="schema-\(schema.name)" data-item>
        <h3>\(schema.name)<a class="self" href="#schema-\(schema.name)" aria-label="Link to this schema">#</a></h3>
        \(paragraphs(schema.value["description"]))
        \(details(of: schema.value))
        </section>
        """
    }

    /// The properties and an example, of a reference as well.
    private func details(of schema: JSON?) -> String {
        guard let schema, let target = resolved(schema) else { return "" }
        let rows = propertyRows(of: target, prefix: "")
        let link = schema["$ref"] == nil ? "" : "<p class=\"type\">\(kind(of: schema))</p>"
        let properties =
            rows.isEmpty ? "<p class=\"type\">\(kind(of: target))</p>" : link + "<table>\(rows.joined())</table>"
        guard let example = target["examples"]?.elements.first, !rows.isEmpty else { return properties }
        return properties + "<details><summary>Example</summary><pre>\(example.indented().htmlEscaped)</pre></details>"
    }

    /// A row for each property, and for those of objects within.
    private func propertyRows(of schema: JSON, prefix: String) -> [String] {
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

    private func row(_ name: String, _ type: String, isRequired: Bool, _ description: JSON?) -> String {
        """
        <tr><th><code>\(name.htmlEscaped)</code>\(isRequired ? "" : " <small>optional</small>")</th>\
        <td><span class="type">\(type)</span> \(inline(description))</td></tr>
        """
    }

    /// The type in HTML, with links to the schemas that it refers to.
    private func kind(of schema: JSON) -> String {
        if let reference = schema["$ref"]?.string {
            let name = reference.split(separator: "/").last.map { String($0).htmlEscaped } ?? ""
            return "<a href=\"#schema-\(name)\">\(name)</a>"
        }
        if let choices = schema["anyOf"] ?? schema["oneOf"] {
            return choices.elements.map(kind).joined(separator: " or ")
        }
        if let value = schema["const"] { return code(value) }
        if let values = schema["enum"] { return values.elements.map(code).joined(separator: " ") }
        let names = schema["type"]?.string.map { [$0] } ?? schema["type"]?.elements.compactMap(\.string) ?? ["any"]
        let type = names.joined(separator: " or ").htmlEscaped
        if let items = schema["items"] { return "\(type) of \(kind(of: items))" }
        let limits = ["format", "pattern", "minimum", "maximum", "minLength", "maxLength"].compactMap { limit in
            schema[limit].map { value in
                limit == "format"
                    ? value.string?.htmlEscaped ?? "" : limit == "pattern" ? code(value) : "\(limit) \(code(value))"
            }
        }
        return limits.isEmpty ? type : "\(type) (\(limits.joined(separator: ", ")))"
    }

    private func code(_ value: JSON) -> String { "<code>\((value.string ?? value.text).htmlEscaped)</code>" }

    private func resolved(_ value: JSON) -> JSON? {
        guard let reference = value["$ref"]?.string else { return value }
        return reference.split(separator: "/").dropFirst().reduce(JSON?.some(document)) { $0?[String($1)] }
    }
}

// Texts of the document, which are Markdown with paragraphs and `code` only.
extension DocsPage {
    private func paragraphs(_ text: JSON?) -> String {
        (text?.string ?? "").split(separator: "\n").map { "<p>\(inline(.string(String($0))))</p>" }.joined(
            separator: "\n"
        )
    }

    private func inline(_ text: JSON?) -> String {
        let parts = (text?.string ?? "").split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? String(part).htmlEscaped : "<code>\(String(part).htmlEscaped)</code>"
        }.joined()
    }
}

extension JSON {
    fileprivate subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    fileprivate var members: [Member] { if case .object(let members) = self { members } else { [] } }

    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    /// On several lines.
    fileprivate func indented(by indent: String = "") -> String {
        let inner = indent + "  "
        func lines(_ open: String, _ values: [String], _ close: String) -> String {
            values.isEmpty
                ? open + close : "\(open)\n\(inner)\(values.joined(separator: ",\n" + inner))\n\(indent)\(close)"
        }
        return switch self {
        case .object(let members):
            lines("{", members.map { "\(JSON.string($0.name).text): \($0.value.indented(by: inner))" }, "}")
        case .array(let values): lines("[", values.map { $0.indented(by: inner) }, "]")
        default: text
        }
    }
}
