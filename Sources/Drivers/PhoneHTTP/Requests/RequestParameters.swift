import CoreEncodings
import HTTPTypes
package import PhoneDomain
import PhoneNumbers
import PhoneSignup

extension Request {
    /// The decoded query parameter, or nil if it is missing or empty.
    package func query(_ name: String) -> String? {
        FormFields(queryParameters)[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The query's parameters, decoded as forms are, since browsers and most libraries write queries so: a plus sign is
    /// a space. But `?to=+8210…` means what it seems to: where a value begins with a plus sign and a digit other than
    /// zero, it is kept.
    package var queryParameters: [(name: String, value: String)] {
        (queryText ?? "").utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            let next = value.dropFirst().first ?? 0
            let isNumber = value.first == UInt8(ascii: "+") && next.isASCIIDigit && next != UInt8(ascii: "0")
            return (Self.decode(name), isNumber ? "+" + Self.decode(value.dropFirst()) : Self.decode(value))
        }
    }

    /// What `parse` reads in the parameter, if it is there.
    ///
    /// - Throws: ``Problem`` with the expectation where it reads nothing.
    func query<Value>(
        _ name: String,
        _ expectation: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = query(name) else { return nil }
        guard let value = parse(text) else { throw Problem.field(name, expectation()) }
        return value
    }

    func flag(_ name: String) throws(Problem) -> Bool? { try query(name, "must be true or false") { Bool($0) } }

    package func query(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
        try query(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        } ?? standard
    }
}

extension Timestamp {
    /// A time in RFC 3339 as queries have it: the plus sign of an offset (`09:00:00+09:00`) may have become a space.
    package init?(inQuery text: String) {
        var bytes = Array(text.utf8)
        let sign = bytes.count - "+09:00".utf8.count
        if sign >= 0, bytes[sign] == UInt8(ascii: " ") { bytes[sign] = UInt8(ascii: "+") }
        self.init(rfc3339: String(decoding: bytes, as: UTF8.self))
    }
}

extension APIContext {
    package func pathText(_ name: String) throws -> String {
        guard let text = parameters.get(name).flatMap({ String(percentDecoding: $0[...]) }) else {
            throw Problem.malformed("The path is not percent-encoded UTF-8.")
        }
        return text
    }

    /// The ID in the path; nil if it is malformed or of another kind.
    func pathID<Subject: Identified>(of subject: Subject.Type = Subject.self) -> Identifier<Subject>? {
        parameters.get("id").flatMap { Identifier($0) }
    }

    func verificationID() throws(PhoneFailure) -> Verification.ID {
        guard let id: Verification.ID = pathID() else { throw .verificationNotFound }
        return id
    }
}

extension Request {
    /// The bearer token (RFC 6750 section 2.1); nil if there is none.
    package var bearerToken: SecretToken? { credentials(of: "bearer").map(SecretToken.init) }

    /// What `Authorization` has behind this scheme (RFC 9110 section 11.4), which clients may write in any case; nil if
    /// there is no such field, or more in it than that.
    ///
    /// - Parameter scheme: lower-case letters.
    func credentials(of scheme: String) -> String? {
        // By bytes: every request has one, and searching a space among characters takes longer than looking up the key.
        guard var field = headers[.authorization] else { return nil }
        return field.withUTF8 { bytes in
            let name = bytes.prefix { $0 != UInt8(ascii: " ") }
            let rest = bytes.dropFirst(name.count).drop { $0 == UInt8(ascii: " ") }
            guard name.count == scheme.utf8.count, zip(name, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 }),
                !rest.isEmpty, !rest.contains(UInt8(ascii: " "))
            else { return nil }
            return String(decoding: rest, as: UTF8.self)
        }
    }
}

/// The region and the language of requests that name none.
struct RequestLocale: Sendable {
    let region: Region
    let language: LanguageTag

    /// - Parameter body: has `region` and `locale`, if the client may choose them.
    func context(
        _ owner: Owner,
        _ body: JSONBody? = nil,
        from address: @autoclosure () throws -> ClientAddress?
    ) throws -> RequestContext {
        RequestContext(
            owner: owner,
            region: try region(body?.text("region")),
            language: try language(body?.text("locale")),
            address: try address()
        )
    }

    func region(_ code: String?) throws -> Region { try code.map(JSONBody.region) ?? region }

    func language(_ tag: String?) throws -> LanguageTag {
        guard let tag else { return language }
        guard let language = LanguageTag(tag) else {
            throw Problem.field("locale", "must be a BCP 47 language tag, such as ko or en-US")
        }
        return language
    }
}

extension Request {
    /// The credentials of the scheme Basic (RFC 7617 section 2); nil if there are none.
    package var basicCredentials: (name: String, secret: SecretToken)? {
        guard var base64 = credentials(of: "basic").map({ Array($0.utf8) }) else { return nil }
        // Clients differ in whether they pad.
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        guard let bytes = [UInt8](.base64, base64), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let name = String(validating: bytes[..<colon], as: UTF8.self),
            let secret = String(validating: bytes[(colon + 1)...], as: UTF8.self), name.isStreamSafe
        else { return nil }
        return (name, SecretToken(secret))
    }
}
