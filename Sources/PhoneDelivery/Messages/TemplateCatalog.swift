public import PhoneDomain

/// Tells from ``MessageTemplates`` which messages can be made, before they are.
public struct TemplateCatalog: MessageCatalog {
    private let texts: MessageTemplates
    private let context: MessageContext

    /// A catalog of these templates.
    ///
    /// - Parameters:
    ///   - templates: the texts.
    ///   - context: the one that the templates were loaded with.
    public init(templates: MessageTemplates, context: MessageContext) {
        texts = templates
        self.context = context
    }

    public var templates: [MessageTemplateListing] { texts.listings }

    /// Whether a message can be made in this wording, with the longest code and the values that it has. It is measured without
    /// being made.
    ///
    /// In a Korean message a value must be of CP949 unless long messages are allowed, since a Korean carrier would not send it. In
    /// any other, a character outside GSM-7 costs room alone.
    public func fault(in wording: MessageWording, language: LanguageTag) -> MessageWordingFault? {
        let phrasing: MessagePhrasing
        do throws(MessageWordingFault) {
            phrasing = try texts.phrasing(of: wording, locale: language.description, in: context)
        } catch {
            return error
        }
        if !texts.allowsLongMessages, let name = phrasing.unsendableValue { return .valueRefused(name) }
        // Before what is missing: what is too long without a value is so with any.
        if phrasing.excess(allowsLongMessages: texts.allowsLongMessages) != nil { return .tooLong }
        let missing = phrasing.missingValues
        return missing.isEmpty ? nil : .substitutionsMissing(missing)
    }
}
