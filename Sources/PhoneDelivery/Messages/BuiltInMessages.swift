/// The texts that a language has unless a directory of messages brings its own. They are compiled in, so that the library
/// and a lone executable can send; `config/messages` shows the same texts as a starting point.
enum BuiltInMessages {
    /// The text for each locale. The code stands early, where a notification shows it.
    static let verification = [
        "en": "{{code}} is your {{service}} code. It expires in {{minutes}} min. Do not share it.",
        "ko": "[{{service}}] 인증번호 {{code}} (타인 노출 금지)",
    ]

    /// The text for each locale. The Korean one is as short as it is because half of an SMS there is the link: with a name of
    /// ten letters 30 bytes are left for the address before its secret. The link stands last, where no letter or mark that
    /// follows can be taken for a part of it.
    static let numberChange = [
        "en": "Your {{service}} phone number was changed. If it was not you, undo it: {{link}}",
        "ko": "[{{service}}] 번호 변경됨. 취소: {{link}}",
    ]
}
