import PhoneDelivery
import PhoneDomain

extension ConfigurationCheck {
    /// What named sets of texts there are, in which languages, and what has to be said for each message.
    mutating func checkTemplateSets(_ templates: MessageTemplates, _ settings: Settings) {
        let named = templates.listings.filter { $0.name != .standard }
        guard !named.isEmpty else { return }
        add(
            "templates",
            named.map { set in
                let locales = set.translations.map(\.locale).joined(separator: ", ")
                let variables = templates.ownVariables(of: set.name).map { "{{\($0)}}" }.joined(separator: " ")
                return "\(set.name) (\(locales)\(variables.isEmpty ? "" : "; \(variables)"))"
            }
            .joined(separator: ", ")
        )
        for name in templates.setsWithoutDefault {
            warn(
                "template \(name) has no text in \(settings.language); it is refused to who asks for a language it lacks "
                    + "(messages.directory)"
            )
        }
    }
}
