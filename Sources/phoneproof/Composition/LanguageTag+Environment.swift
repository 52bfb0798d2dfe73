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

    /// What the command line says in this language; in English where it does not know it, or where the environment's character
    /// set cannot show it.
    func promptTexts(environment: [String: String]) -> any PromptTexts {
        guard language == "ko" else { return EnglishPromptTexts() }
        guard Appearance.isUTF8(environment) else {
            StandardError.write(
                "phoneproof: in English, since the character set of the environment is not UTF-8; set LC_ALL=C.UTF-8 for Korean"
            )
            return EnglishPromptTexts()
        }
        return KoreanPromptTexts()
    }
}
