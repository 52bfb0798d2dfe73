/// A form as browsers post it. Source: https://url.spec.whatwg.org/#application/x-www-form-urlencoded.
struct URLEncodedForm {
    static let contentType = "application/x-www-form-urlencoded"

    /// The form as it is sent. A space is `%20`, which servers read as well as a plus sign.
    let bytes: [UInt8]

    init(_ fields: [(name: String, value: String)]) {
        let text = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        bytes = Array(text.utf8)
    }
}
