public import PhoneDomain
import TextEncodings
public import Texts

public struct NumberReport: Sendable {
    public enum Field: Sendable, CaseIterable {
        case input
        /// What a phone field shows for it.
        case formatted
        case isValid
        case kind
        case region
        case national
        case international
        case e164
        /// Whether a code can be sent to it, or why not.
        case receivesCode
    }

    private let input: String
    private let formatted: String
    private let number: PhoneNumber?
    private let refusal: PhoneFailure?

    /// - Parameters:
    ///   - region: whose plan a number without a calling code is read by.
    ///   - judge: ``VerificationUseCase/phoneNumber(in:region:)``, which throws if no code is sent to the number.
    public init(_ text: String, region: Region, judge: (String, Region) throws(PhoneFailure) -> PhoneNumber) {
        input = text
        formatted = NumberingPlans.builtIn.format(text, region: region)
        number = try? PhoneNumber(parsing: text, region: region)
        do throws(PhoneFailure) {
            _ = try judge(text, region)
            refusal = nil
        } catch {
            refusal = error
        }
    }

    /// Failed unless the text is a number of its numbering plan.
    public var exitStatus: ExitStatus { number == nil ? .failed : .done }

    public func text(in texts: any Texts) -> String {
        aligned(
            Field.allCases.compactMap { field in
                value(of: field, in: texts).map { (label(of: field, in: texts), $0.printable) }
            }
        )
    }

    private func label(of field: Field, in texts: any Texts) -> String {
        switch field {
        case .input: texts.numberInput
        case .formatted: texts.numberFormatted
        case .isValid: texts.numberIsValid
        case .kind: texts.numberKind
        case .region: texts.numberRegion
        case .national: texts.numberNational
        case .international: texts.numberInternational
        case .e164: "E.164"
        case .receivesCode: texts.numberReceivesCode
        }
    }

    private func value(of field: Field, in texts: any Texts) -> String? {
        switch field {
        case .input: input
        case .formatted: formatted
        case .isValid: texts.yesOrNo(number != nil)
        case .kind: number.map { texts.name(of: $0.kind) }
        case .region: number?.region.description
        case .national: number?.nationalFormat
        case .international: number?.internationalFormat
        case .e164: number?.e164
        case .receivesCode:
            texts.yesOrNo(refusal == nil) + (refusal.map { ". " + explanation(of: $0, in: texts) } ?? "")
        }
    }

    /// Whether a number can receive a code does not depend on the time, so any time will do.
    private func explanation(of refusal: PhoneFailure, in texts: any Texts) -> String {
        texts.explanation(of: refusal, at: Timestamp(milliseconds: 0))
    }

    /// The response body of `GET /v1/phone-numbers/{text}`, on several lines. Every member is present, null if the text
    /// is no number.
    public func json(in texts: any Texts) -> String {
        let reason = refusal.map { refusal in
            let (detail, message) = (
                explanation(of: refusal, in: Languages.english), explanation(of: refusal, in: texts)
            )
            return ["code": .string(refusal.code), "detail": .string(detail), "message": .string(message)] as JSON
        }
        let body: JSON = [
            "input": JSON(input), "formatted": JSON(formatted), "is_valid": JSON(number != nil),
            "is_mobile": JSON(number?.kind == .mobile), "e164": JSON(number?.e164),
            "national_format": JSON(number?.nationalFormat), "international_format": JSON(number?.internationalFormat),
            "region": JSON(number?.region), "type": JSON(number?.kind.rawValue),
            "can_receive_code": JSON(refusal == nil), "reason": reason ?? .null,
        ]
        return body.indentedText
    }
}
