/// The line by which a message warns against telling its code to others, for tenants that want one
/// (``PhoneDomain/MessageWording/warnsAgainstSharing``).
///
/// It is as short as it can be: with the built-in texts, which have such a warning of their own, and with others of that
/// length, it still leaves one SMS. The English one is written with a plain apostrophe, since GSM-7 lacks the typographic one.
enum SharingWarning {
    private static let lines = [
        "en": "Don't share it with anyone.",
        "ko": "(타인 노출 금지)",
    ]

    /// By what a text is known to have one already, in lower case: the words of the built-in texts, and others that such
    /// warnings have.
    private static let marks = [
        "en": ["not share", "n't share", "n’t share", "never share"],
        "ko": ["노출 금지", "노출금지", "공유 금지", "공유금지", "공유하지", "알려주지", "알려 주지", "알리지"],
    ]

    /// The line to put below a text that is to have a warning; nil if it has one already, or is in a language in which there
    /// is none but what an operator writes.
    static func line(below text: String, locale: String) -> String? {
        let language = locale.prefix { $0 != "-" }.lowercased()
        let text = text.lowercased()
        guard let line = lines[language], marks[language, default: []].allSatisfy({ !text.contains($0) }) else {
            return nil
        }
        return line
    }
}
