extension ArraySlice<UInt8> {
    /// This without the spaces and tabs at both ends, which lists in a field may have (OWS, RFC 9110 section 5.6.3).
    var trimmingWhitespace: ArraySlice<UInt8> {
        let start = drop(while: \.isWhitespace)
        return start.dropLast(start.reversed().prefix(while: \.isWhitespace).count)
    }
}

extension UInt8 {
    fileprivate var isWhitespace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
