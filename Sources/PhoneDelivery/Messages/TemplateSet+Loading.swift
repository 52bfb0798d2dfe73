import PhoneDomain

extension TemplateSet {
    /// The folder beside those of locales that holds the named sets. No language has so long a tag.
    static let folder = "templates"

    /// The named sets of a directory of messages; none if it has no folder of them.
    ///
    /// - Parameter defaultLocale: the language that serves those who ask for one that a set has not.
    /// - Throws: the first problem found.
    static func load(_ directory: String, defaultLocale: String) throws(MessageTemplateError) -> [TemplateSet] {
        guard try MessageTemplate.names(in: directory).contains(folder) else { return [] }
        let directory = "\(directory)/\(folder)"
        var sets: [TemplateSet] = []
        for name in try MessageTemplate.names(in: directory) {
            let file = "\(directory)/\(name)"
            guard let name = TemplateName(name) else {
                throw MessageTemplateError(file: file, problem: .notATemplateName)
            }
            guard name != .standard else { throw MessageTemplateError(file: file, problem: .reservedTemplateName) }
            let templates = try MessageTemplate.load(
                file,
                locales: try MessageTemplate.names(in: file),
                kinds: [.verification],
                mayHaveOwnVariables: true
            )
            guard !templates.isEmpty else { throw MessageTemplateError(file: file, problem: .emptyTemplate) }
            let texts = LocalizedTemplates(templates)
            sets.append(TemplateSet(name: name, texts: texts, fallback: texts.nearest(to: defaultLocale)))
        }
        return sets
    }
}
