import PhoneCLI
import PhoneDomain

extension LanguageTag {
    /// The language of the environment, as POSIX has it: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set
    /// decides; nil where it names no language (POSIX.1-2017, Base Definitions, section 8.2).
    init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let value = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
        self.init(value)
    }

    /// What the command line says in this language; in English where it does not know it.
    var promptTexts: any PromptTexts {
        language == "ko" ? KoreanPromptTexts() : EnglishPromptTexts()
    }
}
