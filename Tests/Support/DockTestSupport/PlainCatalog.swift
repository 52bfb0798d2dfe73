package import PhoneDomain

/// Two sets of texts: the service's own, which accepts names of up to 20 characters, and `promo`, which has a variable
/// of its own and no text in Korean.
package struct PlainCatalog: MessageCatalog {
    package init() {}

    package var templates: [MessageTemplateListing] {
        let promo = TemplateName("promo").map { name in
            MessageTemplateListing(
                name: name,
                translations: [.init(locale: "en", text: "{{service}}: {{code}} for {{amount}}", isDefault: true)]
            )
        }
        let standard = MessageTemplateListing(
            name: .standard,
            translations: [
                .init(locale: "en", text: "{{service}} code: {{code}}", isDefault: true),
                .init(locale: "ko", text: "[{{service}}] {{code}}", isDefault: false),
            ]
        )
        return [standard] + [promo].compactMap(\.self)
    }

    package let builtInLanguages: [LanguageTag] = [.english, .korean]

    package func error(in wording: MessageWording, language: LanguageTag) -> MessageWordingError? {
        if let text = wording.text { return text.description.utf8.count > 160 ? .tooLong : nil }
        if let name = wording.template, name != .standard {
            guard name.description == "promo" else { return .templateUnknown }
            if wording.substitutions["amount"] == nil { return .substitutionsMissing(["amount"]) }
            if language == .korean { return .translationMissing }
        }
        if let hash = wording.appHash, hash.utf8.count != 11 { return .valueRefused("app_hash") }
        return (wording.service ?? "").count > 20 ? .tooLong : nil
    }
}
