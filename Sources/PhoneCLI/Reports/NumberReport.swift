import FoundationEssentials
public import PhoneDomain

/// A report on a text as a phone number.
public struct NumberReport: Sendable {
    public enum Field: Sendable, CaseIterable {
        case input
        /// What a phone field shows for it.
        case formatted
        /// Whether it is a number of its numbering plan.
        case isValid
        case kind
        case region
        case national
        case international
        case e164
        /// Whether a code can be sent to it, or why not.
        case receivesCode
    }

    public let input: String
    /// What a phone field shows for it.
    public let formatted: String
    public let number: Result<PhoneNumber, PhoneNumberError>
    /// Why no code is sent to it, or nil if one can be.
    public let refusal: PhoneFailure?

    /// - Parameters:
    ///   - text: what may be a number.
    ///   - region: whose plan a number without a calling code is read by.
    ///   - judge: ``PhoneUseCase/phoneNumber(in:region:)``, which throws if no code is sent to the number.
    public init(
        _ text: String,
        region: Region,
        plans: NumberingPlans = .builtIn,
        judge: (String, Region) throws(PhoneFailure) -> PhoneNumber
    ) {
        input = text
        formatted = plans.format(text, region: region)
        number = Result { () throws(PhoneNumberError) in
            try PhoneNumber(parsing: text, region: region, plans: plans)
        }
        do throws(PhoneFailure) {
            _ = try judge(text, region)
            refusal = nil
        } catch {
            refusal = error
        }
    }

    /// Failed unless the text is a number of its numbering plan.
    public var exitStatus: ExitStatus {
        if case .success = number { .done } else { .failed }
    }
}

extension NumberReport {
    /// The report as aligned lines.
    public func text(in texts: any PromptTexts) -> String {
        let lines = Field.allCases.compactMap { field in
            value(of: field, in: texts).map { (label: texts.label(of: field), value: $0.printable) }
        }
        let width = lines.map(\.label.columns).max() ?? 0
        return lines.map { "\($0.label.padded(toColumns: width))  \($0.value)" }.joined(separator: "\n")
    }

    private func value(of field: Field, in texts: any PromptTexts) -> String? {
        let number = try? number.get()
        return switch field {
        case .input: input
        case .formatted: formatted
        case .isValid: texts.yesOrNo(number != nil)
        case .kind: number.map { texts.name(of: $0.kind) }
        case .region: number?.region.description
        case .national: number?.nationalFormat
        case .international: number?.internationalFormat
        case .e164: number?.e164
        case .receivesCode: texts.yesOrNo(refusal == nil) + (refusal.map { reason($0, in: texts) } ?? "")
        }
    }

    /// Whether a number can receive a code does not depend on the time, so any time will do.
    private func reason(_ refusal: PhoneFailure, in texts: any PromptTexts) -> String {
        ". " + texts.explanation(of: refusal, at: Timestamp(milliseconds: 0))
    }
}

extension NumberReport {
    /// The response body of `GET /v1/phone-numbers/{text}`, on several lines.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension NumberReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case input, formatted, e164, region, type, reason
        case isValid = "is_valid"
        case isMobile = "is_mobile"
        case nationalFormat = "national_format"
        case internationalFormat = "international_format"
        case canReceiveCode = "can_receive_code"
    }

    /// Why no code is sent to it.
    private struct Reason: Encodable {
        let code: String
        let detail: String

        init(_ refusal: PhoneFailure) {
            code = refusal.code
            detail = EnglishPromptTexts().explanation(of: refusal, at: Timestamp(milliseconds: 0))
        }
    }

    /// Every member is present, null if the text is no number.
    public func encode(to encoder: any Encoder) throws {
        let number = try? number.get()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(input, forKey: .input)
        try container.encode(formatted, forKey: .formatted)
        try container.encode(number != nil, forKey: .isValid)
        try container.encode(number?.kind == .mobile, forKey: .isMobile)
        try container.encode(number?.e164, forKey: .e164)
        try container.encode(number?.nationalFormat, forKey: .nationalFormat)
        try container.encode(number?.internationalFormat, forKey: .internationalFormat)
        try container.encode(number?.region.description, forKey: .region)
        try container.encode(number?.kind.rawValue, forKey: .type)
        try container.encode(refusal == nil, forKey: .canReceiveCode)
        try container.encode(refusal.map(Reason.init), forKey: .reason)
    }
}
