import PhoneDomain

/// The texts of one name for messages that bear a code, one for each language.
struct TemplateSet: Sendable {
    let name: TemplateName
    let texts: LocalizedTemplates
    /// Serves those who ask for a language that the set has not; nil if it lacks the service's own as well.
    let fallback: MessageTemplate?

    /// The text for a locale: of the longest tag that it begins with, else the ``fallback``.
    func template(for locale: String?) -> MessageTemplate? {
        locale.flatMap(texts.nearest) ?? fallback
    }

    /// The set as programs are shown it.
    var listing: MessageTemplateListing {
        let translations = texts.all.map { template in
            MessageTemplateListing.Translation(
                locale: template.locale,
                text: template.source,
                isDefault: template.locale == fallback?.locale
            )
        }
        return MessageTemplateListing(name: name, translations: translations.sorted { $0.locale < $1.locale })
    }
}
