public import PhoneDomain

/// What form of a word a number takes (CLDR's plural rules for whole numbers,
/// https://unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
public enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other

    /// Languages that are not in the table have `one` for 1 and `other` for the rest, as most have.
    public init(of number: Int64, in language: LanguageTag) {
        let (units, hundred) = (number % 10, number % 100)
        let isTeen = (11...19).contains(hundred)
        self =
            switch language.language {
            case "id", "ja", "ko", "lo", "ms", "my", "th", "vi", "zh": .other
            case "am", "bn", "fa", "fr", "gu", "hi", "kn", "pt", "zu": number <= 1 ? .one : .other
            case "ar":
                switch hundred {
                case _ where number <= 2: [.zero, .one, .two][Int(number)]
                case 3...10: .few
                case 11...: .many
                default: .other
                }
            case "be", "ru", "uk":
                units == 1 && !isTeen ? .one : (2...4).contains(units) && !isTeen ? .few : .many
            case "bs", "hr", "sr":
                units == 1 && !isTeen ? .one : (2...4).contains(units) && !isTeen ? .few : .other
            case "cs", "sk": number == 1 ? .one : (2...4).contains(number) ? .few : .other
            case "lt": isTeen || units == 0 ? .other : units == 1 ? .one : .few
            case "lv": isTeen || units == 0 ? .zero : units == 1 ? .one : .other
            case "pl": number == 1 ? .one : (2...4).contains(units) && !isTeen ? .few : .many
            case "ro": number == 1 ? .one : number == 0 || (1...19).contains(hundred) ? .few : .other
            case "sl": hundred == 1 ? .one : hundred == 2 ? .two : (3...4).contains(hundred) ? .few : .other
            default: number == 1 ? .one : .other
            }
    }
}

/// A text for each category that differs: `[.one: "{{count}} day", .other: "{{count}} days"]`. A language without
/// plurals has one text.
public struct PluralForms: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    private let forms: [(category: PluralCategory, text: String)]
    /// The language whose rules it follows; nil for that of the texts it is in.
    var language: LanguageTag?

    public init(dictionaryLiteral forms: (PluralCategory, String)...) { self.forms = forms }
    public init(_ forms: [PluralCategory: String]) { self.forms = forms.map { ($0, $1) } }
    public init(stringLiteral form: String) { forms = [(.other, form)] }

    /// The form for numbers of no other category, which is the only one in a language without plurals.
    var other: String { form(of: .other) ?? "{{count}}" }

    func form(for count: Int64, in language: LanguageTag) -> String {
        form(of: PluralCategory(of: count, in: self.language ?? language)) ?? other
    }

    private func form(of category: PluralCategory) -> String? { forms.first { $0.category == category }?.text }
}

extension Texts {
    /// The form for a number, with it.
    func counted(_ count: Int64, _ forms: PluralForms) -> String {
        forms.form(for: count, in: language).filled(["count": "\(count)"])
    }

    func text(_ wait: Wait) -> String {
        switch wait {
        case .seconds(let count): counted(count, failures.seconds)
        case .minutes(let count): counted(count, failures.minutes)
        case .hours(let count): counted(count, failures.hours)
        }
    }
}
