/// A set of message texts as programs are shown it.
public struct MessageTemplateListing: Hashable, Sendable {
    /// One text.
    public struct Translation: Hashable, Sendable {
        /// Its language.
        public let locale: String
        /// The text, with `{{service}}`, `{{code}}`, `{{minutes}}` and the template's own variables in it.
        public let text: String
        /// Whether it serves those who ask for a language that the set has not.
        public let isDefault: Bool

        /// A text of these parts.
        public init(locale: String, text: String, isDefault: Bool) {
            self.locale = locale
            self.text = text
            self.isDefault = isDefault
        }
    }

    /// The set's name.
    public let name: TemplateName
    /// Its texts, by locale.
    public let translations: [Translation]

    /// A set of these parts.
    public init(name: TemplateName, translations: [Translation]) {
        self.name = name
        self.translations = translations
    }
}
