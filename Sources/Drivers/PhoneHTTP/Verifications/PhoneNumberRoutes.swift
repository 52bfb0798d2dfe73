import CoreEncodings
import PhoneDomain
import PhoneNumbers

/// Parsing and formatting of phone numbers. Nothing is stored or sent.
struct PhoneNumberRoutes: Sendable {
    let useCase: VerificationUseCase
    let clock: any WallClock
    let locale: RequestLocale

    @Sendable func judge(request: Request, context: APIContext) throws -> Response {
        let text = try context.pathText("text")
        let region = try locale.region(request.query("region"))
        let number = try? PhoneNumber(parsing: text, region: region)
        let refusal = useCase.failure(of: text, in: region).map { Problem($0, at: clock.now()) }
        return Response(
            json: [
                "input": .string(text),
                "formatted": .string(useCase.format(text, region: region)),
                "is_valid": .bool(number != nil),
                "is_mobile": .bool(number?.kind == .mobile),
                "e164": .string(number?.e164),
                "national_format": .string(number?.nationalFormat),
                "international_format": .string(number?.internationalFormat),
                "region": .string(number?.region.description),
                "type": .string(number?.kind.rawValue),
                "can_receive_code": .bool(refusal == nil),
                "reason": refusal.map { .object($0.summary(in: request.texts(else: context.language))) } ?? .null,
            ]
        )
    }
}

extension VerificationUseCase {
    /// What is wrong with a number; nil if it can have a code.
    func failure(of text: String, in region: Region) -> PhoneFailure? {
        do throws(PhoneFailure) {
            _ = try phoneNumber(in: text, region: region)
            return nil
        } catch {
            return error
        }
    }
}
