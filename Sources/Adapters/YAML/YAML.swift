import CYAML
import CoreEncodings

/// A YAML document, read by libyaml. Packages that read YAML in Swift need all of Foundation, whose tables of languages
/// are two thirds of a program that is linked statically.
package indirect enum YAML: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: YAML
        /// The line of the name, from 1.
        package let line: Int
    }

    /// - Parameter isPlain: whether it is written without quotes, so that `null`, `true` and `1` are no text.
    case scalar(String, isPlain: Bool)
    case sequence([YAML])
    case mapping([Member])

    /// Whether nothing is written, or that it is nothing.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = self else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// Why a document is no YAML, for people.
package struct YAMLError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension YAML {
    /// How deep brackets may be open: libyaml takes the square of it, before a node is to be had.
    private static let mostOpenBrackets = 1000

    /// - Parameter mostValues: how many there may be, those counted again that an alias stands for.
    /// - Returns: nil for a document of comments only.
    package static func parse(_ bytes: [UInt8], mostValues: Int = 100_000) throws(YAMLError) -> YAML? {
        var open = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            default: continue
            }
            guard open <= mostOpenBrackets else { throw YAMLError("it is nested without end") }
        }
        // The parser points into itself, so it must not move.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { throw YAMLError("out of memory") }
        defer { yaml_parser_delete(parser) }
        return try bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
            var valuesLeft = mostValues
            let root = try load(parser, &valuesLeft)
            if root != nil, try load(parser, &valuesLeft) != nil {
                throw YAMLError("there is a second document behind ---")
            }
            return root
        }
    }

    /// The next document, or nil at the end.
    private static func load(
        _ parser: UnsafeMutablePointer<yaml_parser_t>,
        _ valuesLeft: inout Int
    ) throws(YAMLError) -> YAML? {
        var document = yaml_document_t()
        guard yaml_parser_load(parser, &document) == 1 else {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
            throw YAMLError("line \(parser.pointee.problem_mark.line + 1): \(problem)")
        }
        defer { yaml_document_delete(&document) }
        guard let root = yaml_document_get_root_node(&document) else { return nil }
        return try YAML(root, of: &document, depth: 0, &valuesLeft)
    }

    private init(
        _ node: UnsafeMutablePointer<yaml_node_t>,
        of document: inout yaml_document_t,
        depth: Int,
        _ valuesLeft: inout Int
    ) throws(YAMLError) {
        // An alias may stand for what it is inside of.
        guard depth < 100 else { throw YAMLError("it is nested without end") }
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw YAMLError("it has too many values, what aliases stand for included") }
        func child(_ index: CInt) throws(YAMLError) -> YAML {
            guard let node = yaml_document_get_node(&document, index) else { return .scalar("", isPlain: true) }
            return try YAML(node, of: &document, depth: depth + 1, &valuesLeft)
        }
        let data = node.pointee.data
        switch node.pointee.type {
        case YAML_SEQUENCE_NODE:
            let items = data.sequence.items
            var values: [YAML] = []
            for item in UnsafeBufferPointer(start: items.start, count: items.top - items.start) {
                values.append(try child(item))
            }
            self = .sequence(values)
        case YAML_MAPPING_NODE:
            let pairs = data.mapping.pairs
            var (members, names): ([Member], Set<String>) = ([], [])
            for pair in UnsafeBufferPointer(start: pairs.start, count: pairs.top - pairs.start) {
                let key = yaml_document_get_node(&document, pair.key) ?? node
                let line = Int(key.pointee.start_mark.line) + 1
                guard case .scalar(let name, _) = try child(pair.key) else {
                    throw YAMLError("line \(line): a key is no text")
                }
                guard names.insert(name).inserted else {
                    throw YAMLError("line \(line): \(name) is there twice")
                }
                members.append(Member(name: name, value: try child(pair.value), line: line))
            }
            self = .mapping(members)
        default:
            let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
            self = .scalar(
                String(decoding: bytes, as: UTF8.self),
                isPlain: data.scalar.style == YAML_PLAIN_SCALAR_STYLE
            )
        }
    }
}

extension JSON {
    /// The same value in YAML, by its core schema (https://yaml.org/spec/1.2.2/#103-core-schema). Of its types only
    /// those of JSON count: a date is text.
    package init(_ yaml: YAML) {
        switch yaml {
        case .mapping(let members): self = .object(members.map { Member($0.name, JSON($0.value)) })
        case .sequence(let values): self = .array(values.map(JSON.init))
        case _ where yaml.isNull: self = .null
        // What is written without quotes is true, false, a number or a text, never an array.
        case .scalar(let text, isPlain: true): self = JSON(parsing: text) ?? .string(text)
        case .scalar(let text, isPlain: false): self = .string(text)
        }
    }
}
