import FoundationEssentials

/// The bytes of a JSON object of which no two members have one name.
///
/// Foundation takes the first of two members of one name, others the last (RFC 8725 section 2.4 has what comes of that;
/// RFC 7519 section 4 lets a receiver refuse them). It also reads UTF-16 and UTF-32, which no token is in.
struct JSONObject {
    /// The names of its members.
    let names: Set<String>
    private let bytes: [UInt8]

    /// The object, or nil if the bytes are none. Only the outermost object is looked at: what stands further in is decoded
    /// by nobody.
    init?(_ bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil,
            let names = Self.names(in: bytes), Set(names).count == names.count
        else { return nil }
        self.names = Set(names)
        self.bytes = bytes
    }

    /// What it says; nil if it is no such thing, or no JSON at all.
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    /// The names of the outermost members, if this is JSON; nil if one is written with an escape, by which one name can be
    /// written in several ways, or if it is nested deeper than any token.
    private static func names(in bytes: [UInt8]) -> [String]? {
        var names: [String] = []
        var (depth, isName) = (0, false)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isName = depth == 1
                guard depth <= 8 else { return nil }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isName = depth == 1
            case UInt8(ascii: "\""):
                guard let end = Self.end(ofTextAt: index, in: bytes) else { return nil }
                if isName, depth == 1 {
                    let name = bytes[(index + 1)..<end]
                    guard !name.contains(UInt8(ascii: "\\")) else { return nil }
                    names.append(String(decoding: name, as: UTF8.self))
                    isName = false
                }
                index = end
            default: break
            }
            index += 1
        }
        return names
    }

    /// Where the quotation mark is that ends the text.
    private static func end(ofTextAt start: Int, in bytes: [UInt8]) -> Int? {
        var index = start + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }
}
