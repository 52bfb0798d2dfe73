import HTTPTypes
import Hummingbird
import NIOCore
import PhoneDomain

/// The parameters of a request as Twilio's libraries send them: a form, names in PascalCase, `true` and `false`, and JSON
/// within a value. An empty value is none. A parameter that is not known is passed over, as Twilio does.
struct TwilioForm {
    private let fields: [String: String]

    /// - Throws: ``TwilioError`` for a body that is no form.
    init(of request: Request) async throws {
        if request.isContent(Request.formType) == false {
            throw TwilioError(
                20415,
                "Send the parameters as a form (\(Request.formType)).",
                status: .unsupportedMediaType
            )
        }
        fields = try await request.decodeForm().filter { !$0.value.isEmpty }
    }

    /// The parameter of this name; nil if it is not there.
    func text(_ name: String) -> String? { fields[name] }

    /// The parameter of this name as its type reads it.
    ///
    /// - Throws: ``TwilioError`` for anything else.
    func value<Value>(_ name: String, _ wanted: String? = nil, _ read: (String) -> Value?) throws -> Value? {
        guard let text = fields[name] else { return nil }
        guard let value = read(text) else { throw TwilioError.parameter(name, wanted) }
        return value
    }

    /// - Throws: ``TwilioError`` for anything else, and if it is not there.
    func required<Value>(_ name: String, _ wanted: String? = nil, _ read: (String) -> Value?) throws -> Value {
        guard let value = try value(name, wanted, read) else { throw TwilioError.parameter(name, wanted) }
        return value
    }

    /// - Throws: ``TwilioError`` for anything but true and false, in any case.
    func flag(_ name: String) throws -> Bool? {
        try value(name, "true or false") { text in
            switch text.lowercased() {
            case "true": true
            case "false": false
            default: nil
            }
        }
    }

    /// - Throws: ``TwilioError`` for anything but a whole number of this range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// - Throws: ``TwilioError`` for anything but a JSON object whose members are texts, numbers or booleans, which are told as
    ///   texts.
    func texts(_ name: String, atMost limit: Int) throws -> [String: String] {
        let wanted = "a JSON object of \(limit) texts at most"
        let object = try value(name, wanted) { text -> [JSON.Member]? in
            guard case .object(let members)? = try? JSONParser.parse(ByteBuffer(string: text).readableBytesView) else {
                return nil
            }
            return members
        }
        var texts: [String: String] = [:]
        for member in object ?? [] {
            switch member.value {
            case .string(let text), .number(let text): texts[member.name] = text
            case .bool(let flag): texts[member.name] = String(flag)
            case .null, .array, .object: throw TwilioError.parameter(name, wanted)
            }
            guard (1...64).contains(member.name.utf8.count), member.name.utf8.allSatisfy(\.isUnreserved) else {
                throw TwilioError.parameter(name, wanted)
            }
        }
        guard texts.count <= limit else { throw TwilioError.parameter(name, wanted) }
        return texts
    }

    /// The names of those of these parameters that are there and ask for something.
    func named(_ isMeant: (String) -> Bool) -> String? {
        fields.filter { isMeant($0.key) && $0.value.lowercased() != "false" }.keys.min()
    }
}
