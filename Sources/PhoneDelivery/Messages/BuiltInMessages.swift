/// The texts that a language has unless a directory of messages brings its own. They are compiled in, so that the library
/// and a lone executable can send; `config/messages` shows the same texts as a starting point.
enum BuiltInMessages {
    /// The text for each locale. The code stands early, where a notification shows it.
    static let verification = [
        "en": "{{code}} is your {{service}} code. It expires in {{minutes}} min. Do not share it.",
        "ko": "[{{service}}] 인증번호 {{code}} (타인 노출 금지)",
    ]
}
