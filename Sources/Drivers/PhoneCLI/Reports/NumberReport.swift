import CoreEncodings
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup
public import Texts

public struct NumberReport: Sendable {
    private let input: String
    /// What a phone field shows for it.
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

    public func text(in texts: Texts) -> String {
        let reason = refusal.map { ". " + explanation(of: $0, in: texts) } ?? ""
        let lines: [(label: String, value: String?)] = [
            (texts.number.input, input),
            (texts.number.formatted, formatted),
            (texts.number.isValid, texts.yesOrNo(number != nil)),
            (texts.number.kind, number.map { texts.name(of: $0.kind) }),
            (texts.number.region, number?.region.description),
            (texts.number.national, number?.nationalFormat),
            (texts.number.international, number?.internationalFormat),
            ("E.164", number?.e164),
            (texts.number.receivesCode, texts.yesOrNo(refusal == nil) + reason),
        ]
        return aligned(lines.compactMap { label, value in value.map { (label, $0.printable) } })
    }

    /// Whether a number can receive a code does not depend on the time, so any time will do.
    private func explanation(of refusal: PhoneFailure, in texts: Texts) -> String {
        texts.explanation(of: refusal, at: Timestamp(milliseconds: 0))
    }

    /// The response body of `GET /v1/phone-numbers/{text}`, on several lines. Every member is present, null if the text
    /// is no number.
    public func json(in texts: Texts) -> String {
        let reason = refusal.map { refusal in
            let (detail, message) = (
                explanation(of: refusal, in: Languages.english), explanation(of: refusal, in: texts)
            )
            return ["code": .string(refusal.code), "detail": .string(detail), "message": .string(message)] as JSON
        }
        let body: JSON = [
            "input": .string(input), "formatted": .string(formatted), "is_valid": .bool(number != nil),
            "is_mobile": .bool(number?.kind == .mobile), "e164": .string(number?.e164),
            "national_format": .string(number?.nationalFormat),
            "international_format": .string(number?.internationalFormat),
            "region": .string(number?.region.description), "type": .string(number?.kind.rawValue),
            "can_receive_code": .bool(refusal == nil), "reason": reason ?? .null,
        ]
        return body.indentedText
    }
}
