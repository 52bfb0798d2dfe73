import Hummingbird

extension Request {
    /// The body as an HTML form sends it (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1). Of several
    /// values of one name the first counts, and what cannot be decoded stands as it is.
    ///
    /// - Throws: ``Problem`` if the body is too long or breaks off.
    func decodeForm() async throws -> [String: String] {
        Dictionary(try await formFields()) { first, _ in first }
    }

    /// The fields of such a body as they came, those of the same name one by one.
    ///
    /// - Throws: ``Problem`` if the body is too long or breaks off.
    func formFields() async throws -> [(name: String, value: String)] {
        Self.formFields(in: String(buffer: try await collectBody()))
    }

    /// Goes by bytes: a mark that combines with `&` or `=` before it does not make it another character.
    static func formFields(in text: String) -> [(name: String, value: String)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (decode(name), decode(pair.dropFirst(name.count + 1)))
        }
    }

    /// These parameters of a form of OAuth's. One without a value counts as omitted, and any other is ignored (RFC 6749
    /// section 3.2).
    ///
    /// - Throws: ``Problem`` if one is repeated, or if the body is too long or breaks off.
    func oauthForm(_ names: Set<String>) async throws -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in try await formFields() where !value.isEmpty && names.contains(name) {
            guard parameters.updateValue(value, forKey: name) == nil else { throw Self.repeatedParameter }
        }
        return parameters
    }

    static let repeatedParameter = Problem.malformed("Send each parameter once.").inOAuth(.invalidRequest)

    /// The media type of forms.
    static let formType = "application/x-www-form-urlencoded"

    static let notForm = Problem(.unsupportedMediaType, "Send the body as a form: Content-Type: \(formType).")

    private static func decode(_ text: Substring.UTF8View) -> String {
        let spaced = String(decoding: text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
        return String(percentDecoding: spaced) ?? spaced
    }
}
