import CoreEncodings
import FoundationEssentials
import YAML

// FileEmbedder OUTPUT FILE…: writes Swift with the text of each file. Of a YAML document it is the same value in JSON.

/// `page-style.css` is `pageStyleCSS`, and `openapi.yaml` is `openapiJSON`.
func constant(for path: String) -> String {
    let words = path.split(separator: "/").suffix(1).flatMap { $0.split { "-.".contains($0) } }
    let kinds = ["css": "CSS", "js": "JS", "yaml": "JSON"]
    return words[0] + words[1...].map { kinds[String($0)] ?? $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}

func document(_ path: String) throws -> JSON {
    try YAML.parse(Array(String(contentsOfFile: path, encoding: .utf8).utf8)).map { merged(JSON($0)) } ?? .null
}

func text(of path: String) throws -> String {
    guard path.hasSuffix(".yaml") else { return try String(contentsOfFile: path, encoding: .utf8) }
    // What `openapi-admin.yaml` refers to and does not have itself is from `openapi.yaml` beside it.
    let part = "-admin.yaml"
    guard path.hasSuffix(part) else { return try document(path).text }
    return try completed(document(path), by: document(path.dropLast(part.count) + ".yaml")).text
}

let constants = try CommandLine.arguments.dropFirst(2).map { path in
    // JSON escapes as Swift does, all but control characters, which are in no file of ours.
    "    static let \(constant(for: path)) = \(JSON.string(try text(of: path)).text)\n"
}
try "enum EmbeddedFiles {\n\(constants.joined())}\n"
    .write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
