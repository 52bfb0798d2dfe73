extension String {
    /// Without what would act on a terminal instead of showing there, or change how the rest reads: control and format
    /// characters, line and paragraph separators. For texts that others wrote.
    var printable: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.lazy.filter(\.isPrintable))
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
