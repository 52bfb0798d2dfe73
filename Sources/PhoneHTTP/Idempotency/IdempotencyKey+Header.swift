import HTTPTypes
import Hummingbird
import PhoneDomain

extension IdempotencyKey {
    /// The key in the value of an `Idempotency-Key` field: a String as RFC 9651 section 3.3.3 has it, in quotation marks
    /// with `\` before `"` and `\`. Without them it is taken as well if all its characters are unreserved ones (RFC 3986
    /// section 2.3), as a UUID's are, since many programs send it so; both forms are the same key.
    init?(header value: String) {
        let bytes = Array(value.utf8)
        guard bytes.first == UInt8(ascii: "\"") else {
            guard bytes.allSatisfy(\.isUnreserved) else { return nil }
            self.init(value)
            return
        }
        guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var rest = bytes.dropFirst().dropLast().makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = rest.next(), next == byte || next == UInt8(ascii: "\"") else { return nil }
                text.append(next)
            case UInt8(ascii: "\""): return nil
            default: text.append(byte)
            }
        }
        self.init(String(decoding: text, as: UTF8.self))
    }
}

extension Request {
    /// The key that the caller has given this request, or nil for none.
    ///
    /// - Throws: ``Problem`` if what there is is none, or if there are several.
    func idempotencyKey() throws -> IdempotencyKey? {
        guard let name = HTTPField.Name.idempotencyKey, let value = headers[name] else { return nil }
        guard let key = IdempotencyKey(header: value) else {
            throw Self.malformedIdempotencyKey
        }
        return key
    }

    static let malformedIdempotencyKey = Problem.malformed(
        #"Idempotency-Key must be one string of 1 to 255 characters in quotation marks, such as "8e03978e-40d5"."#
    )
}

extension HTTPField.Name {
    /// By what a caller knows a request that it may have to send again.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")
    /// Says of an answer that it was given before.
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed")
}
