import PhoneDomain

extension NumberReport {
    /// The report as aligned lines.
    ///
    /// - Parameter texts: the language.
    public func text(in texts: any PromptTexts) -> String {
        let lines = Field.allCases.compactMap { field in
            value(of: field, in: texts).map { (label: texts.label(of: field), value: $0.printable) }
        }
        let width = lines.map(\.label.columns).max() ?? 0
        return lines.map { "\($0.label.padded(toColumns: width))  \($0.value)" }.joined(separator: "\n")
    }

    /// Nil for what only a number has, where there is none.
    private func value(of field: Field, in texts: any PromptTexts) -> String? {
        let number = try? number.get()
        return switch field {
        case .input: input
        case .formatted: formatted
        case .isValid: texts.answer(number != nil)
        case .kind: number.map { texts.name(of: $0.kind) }
        case .region: number?.region.description
        case .national: number?.nationalFormat
        case .international: number?.internationalFormat
        case .e164: number?.e164
        case .receivesCode: texts.answer(refusal == nil) + (refusal.map { reason($0, in: texts) } ?? "")
        }
    }

    /// Whether a number can have a code does not depend on the time, so that any moment will do.
    private func reason(_ refusal: PhoneFailure, in texts: any PromptTexts) -> String {
        ". " + texts.explanation(of: refusal, at: Timestamp(milliseconds: 0))
    }
}
