public import PhoneDomain
public import PhoneSignup
import Synchronization

/// The languages that there are texts in.
public enum Languages {
    public static let english = Texts.english
    /// English is first.
    public static let builtIn: [Texts] = [
        .english, .korean, .arabic, .brazilianPortuguese, .french, .german, .hindi, .indonesian, .japanese,
        .simplifiedChinese, .spanish, .vietnamese,
    ]
    private static let known = Mutex(builtIn)
    private static let channelNames = Mutex<[Channel: String]>([:])

    /// The texts that are compiled in, and what operators have added or changed. English is first.
    public static var all: [Texts] { known.withLock { $0 } }

    /// Takes the texts of operators, in place of those that were taken before. It is for the start of a process and for
    /// a reload.
    ///
    /// - Parameter channels: how sentences name them, in every language.
    public static func take(_ files: [TextsFile], naming channels: [Channel: String] = [:]) {
        channelNames.withLock { $0 = channels }
        known.withLock { texts in
            texts = builtIn.map { text in files.first { $0.language == text.language }?.texts ?? text }
            texts += files.filter { file in !builtIn.contains { $0.language == file.language } }.map(\.texts)
        }
    }

    /// The operator's name for a channel.
    static func name(of channel: Channel) -> String? { channelNames.withLock { $0[channel] } }

    /// The languages as help lists them: `en, ko or ja`.
    public static var list: String {
        let tags = all.map(\.language.description)
        return tags.dropLast().joined(separator: ", ") + " or " + (tags.last ?? "")
    }

    /// The texts of the longest tag that this one begins with (lookup, RFC 4647 section 3.4); nil if there are none.
    public static func texts(in language: LanguageTag) -> Texts? {
        let all = all
        return all.first { $0.language == language } ?? texts(for: language.description, among: all)
    }

    /// - Parameter range: in any case.
    public static func texts(for range: String, among texts: [Texts]) -> Texts? {
        var tag = Substring(likely(range.lowercased()))
        while true {
            if let found = texts.first(where: { $0.language.description.lowercased() == tag }) { return found }
            guard let hyphen = tag.lastIndex(of: "-") else { return nil }
            tag = tag[..<hyphen]
        }
    }

    /// What a tag leaves to be known: who reads Chinese reads one of two scripts (likely subtags of CLDR), texts in
    /// Portuguese are Brazil's, and old systems have `in` for Indonesian (RFC 5646, deprecated subtags).
    ///
    /// - Parameter tag: in lower case.
    public static func likely(_ tag: String) -> String {
        let parts = tag.split(separator: "-")
        switch parts.first {
        case "zh":
            let isTraditional =
                parts.contains("hant")
                || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
            return isTraditional ? "zh-hant" : "zh-hans"
        case "pt": return "pt-br"
        case "in": return "id"
        default: return tag
        }
    }
}

extension LanguageTag {
    /// A moment to the minute, as the language writes it in figures: `2026-01-01 00:00 UTC`, which all can read, where
    /// its order of day and month is not the same everywhere. The reader's time zone is unknown.
    public func text(of moment: Timestamp) -> String {
        let (date, time) = (
            moment.description.prefix(10).split(separator: "-"), moment.description.dropFirst(11).prefix(5)
        )
        let (year, month, day) = (date[0], date[1], date[2])
        func plain(_ text: Substring) -> Substring { text.drop { $0 == "0" } }
        return switch language {
        case "ja", "zh": "\(year)年\(plain(month))月\(plain(day))日 \(time) (UTC)"
        case "ko": "\(year)년 \(plain(month))월 \(plain(day))일 \(time)(UTC)"
        case "de": "\(day).\(month).\(year), \(time) Uhr (UTC)"
        case "es", "fr", "pt", "vi", "hi", "ar": "\(day)/\(month)/\(year), \(time) (UTC)"
        case "id": "\(day)/\(month)/\(year), \(time.replacing(":", with: ".")) (UTC)"
        default: "\(year)-\(month)-\(day) \(time) UTC"
        }
    }
}
