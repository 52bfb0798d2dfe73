extension String {
    /// The text with what HTML gives a meaning to taken out of its way, for content and quoted attributes.
    ///
    /// Goes by scalars, as browsers do: to Swift `<` and a mark that combines with it are one `Character`, which is not "<".
    var htmlEscaped: String {
        var html = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": html += "&amp;".unicodeScalars
            case "<": html += "&lt;".unicodeScalars
            case ">": html += "&gt;".unicodeScalars
            case "\"": html += "&quot;".unicodeScalars
            case "'": html += "&#39;".unicodeScalars
            default: html.append(scalar)
            }
        }
        return String(html)
    }
}
