/// HTML with every text in it escaped: a `String` that is put in becomes text or a quoted attribute's value, and only
/// another ``HTML`` is put in as it is.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ text: some StringProtocol) { self.text += String(text).htmlEscaped }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        /// What is there only sometimes.
        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    }

    let text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// A file of ours, as it is.
    init(trusted text: String) { self.text = text }
}
