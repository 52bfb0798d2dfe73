extension String {
    /// The text with what HTML gives a meaning to taken out of its way, for content and quoted attributes.
    var htmlEscaped: String {
        reduce(into: "") { html, character in
            switch character {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.append(character)
            }
        }
    }
}
