/// The texts of one kind of message in all languages.
struct LocalizedTemplates: Sendable {
    /// By locale in lower case, for language tags ignore case (RFC 5646 §2.1.1).
    private let templates: [String: MessageTemplate]

    /// Texts, of which the first counts that is of a locale.
    init(_ templates: [MessageTemplate]) {
        self.templates = Dictionary(templates.map { ($0.locale.lowercased(), $0) }) { first, _ in first }
    }

    /// All of them, in the order of their files.
    var all: [MessageTemplate] { templates.values.sorted { $0.file < $1.file } }

    /// The template of this very locale.
    subscript(locale: String) -> MessageTemplate? { templates[locale.lowercased()] }

    /// The template of the longest tag that the locale begins with (lookup, RFC 4647 §3.4).
    func nearest(to locale: String) -> MessageTemplate? {
        // The longest tag that software must bear (RFC 5646 §4.4.1). Anything longer is no locale, but could be long
        // enough to make the loop below slow.
        guard locale.utf8.count <= 35 else { return nil }
        var tag = String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
        while true {
            if let template = templates[tag] { return template }
            guard let hyphen = tag.lastIndex(of: "-") else { return nil }
            tag = String(tag[..<hyphen])
        }
    }
}
