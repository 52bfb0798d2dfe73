import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
import PhoneNumbers
package import PhoneService
import PhoneSignup
import Texts

/// CAMARA's One Time Password SMS 1.1.1, as GSMA Open Gateway has it
/// (https://github.com/camaraproject/OTPValidation/tree/r3.2), for programs with an access token of their own.
package struct OneTimePasswordSMS: Dock {
    private let isEnabled: Bool
    private let resendCooldowns: [Duration]

    package init(_ reader: SettingsReader) {
        let camara = reader.section("camara") {
            "CAMARA's API One Time Password SMS at /one-time-password-sms/v1. Its programs get tokens at /oauth2/token; make"
            "one by `phoneproof clients create --grant client_credentials --scope one-time-password-sms:send-validate`."
        }
        isEnabled = camara("enabled").flag(false) { "Whether the API is on." }
        resendCooldowns = camara("resend_cooldowns_seconds").cooldowns([.zero]) {
            "Like verification.resend_cooldowns_seconds, for these programs. By the standard a second code may be sent at"
            "once. All other limits apply."
        }
    }

    package var findings: [Finding] { Finding.facts("camara", isEnabled ? "/one-time-password-sms/v1" : nil) }

    package var docsLine: DocsLine? {
        guard isEnabled else { return nil }
        return DocsLine(
            title: "CAMARA One Time Password SMS",
            path: "/one-time-password-sms/v1",
            text: "The standard's own API, with a token by `client_credentials`: `phoneproof clients create --grant "
                + "client_credentials --scope …`."
        )
    }

    package func addRoutes(to router: APIRouter, over service: DockService) {
        guard isEnabled else { return }
        let root = router.group("/one-time-password-sms/v1")
        root.writeErrors { [clock = service.clock] error, request, context in
            CamaraError(error, at: clock.now()).response(to: request, in: context)
        }
        OneTimePasswordRoutes(service: service, resendCooldowns: resendCooldowns)
            .addRoutes(to: root.add(TokensOnly(accounts: service.accounts)))
    }
}

/// Authenticates programs by an access token of their own with the API's scope.
private struct TokensOnly: RequestFilter {
    static let scope = "one-time-password-sms:send-validate"
    let accounts: AccountUseCase

    func check(_ request: Request, _ context: inout APIContext) async throws {
        guard let token = request.bearerToken else { throw CamaraError.unauthenticated }
        let (client, scopes) = try await accounts.client(by: token)
        guard scopes.contains(where: { $0.rawValue == Self.scope }) else { throw CamaraError.forbidden }
        context.client = client.id
    }
}

private struct OneTimePasswordRoutes: Sendable {
    /// The schemas' `maxLength`, which counts code points.
    private static let (longestMessage, longestID, longestCode) = (160, 36, 10)

    let service: DockService
    let resendCooldowns: [Duration]

    func addRoutes(to router: APIRouter) {
        router.post("send-code", use: sendCode).post("validate-code", use: validateCode)
    }

    @Sendable private func sendCode(request: Request, context: APIContext) async throws -> Response {
        let headers = try request.correlation()
        let body = try await request.jsonBody()
        let phoneText = try body.requiredText("phoneNumber")
        guard Self.isNumber(phoneText) else { throw CamaraError.invalid("phoneNumber must be + and 5 to 15 digits.") }
        let message = try body.requiredText("message").inNFC
        guard message.unicodeScalars.count <= Self.longestMessage else {
            throw CamaraError.invalid("message must have at most \(Self.longestMessage) characters.")
        }
        guard let text = MessageText(message) else {
            throw CamaraError.invalid(
                "message must contain {{code}}, where the code goes, and no control or invisible characters."
            )
        }
        var wording = MessageWording()
        wording.text = text
        guard service.catalog.error(in: wording, language: .english) == nil else {
            throw CamaraError.invalid("message is too long for one SMS: shorten it, or use fewer special characters.")
        }
        do throws(PhoneFailure) {
            let number = try service.verifications.recipient(in: phoneText, region: .world)
            var dialect = DialectOptions(resendCooldowns: resendCooldowns)
            (dialect.wording, dialect.replacesLive) = (wording, true)
            let answer = try await service.verifications.begin(
                number,
                VerificationOptions(channel: .sms, dialect: dialect),
                context: RequestContext(
                    owner: try owner(context),
                    region: number.region,
                    language: .standard(in: number.region)
                )
            )
            return Response(json: ["authenticationId": .string(answer.verification.id.uuid)], headers: headers)
        } catch {
            throw CamaraError(sending: error, at: service.clock.now())
        }
    }

    @Sendable private func validateCode(request: Request, context: APIContext) async throws -> Response {
        let headers = try request.correlation()
        let body = try await request.jsonBody()
        let name = try Self.text("authenticationId", in: body, atMost: Self.longestID)
        let code = try Self.text("code", in: body, atMost: Self.longestCode)
        guard let id = Verification.ID(uuid: name) else { throw CamaraError.notFound }
        do throws(PhoneFailure) {
            _ = try await service.verifications.check(
                // A text that no code of ours can be is an attempt as well: it counts as another wrong code.
                VerificationCode(code)?.digits ?? "0000000000",
                for: .id(id),
                // With a length, digits of any other one are compared, and so counted.
                CheckOptions(codeLength: VerificationCode.lengths.lowerBound, repeatsApproval: false),
                context: RequestContext(owner: try owner(context), region: .world, language: .english)
            )
        } catch {
            throw CamaraError(validating: error, at: service.clock.now())
        }
        return Response(status: .noContent, headers: headers)
    }

    private func owner(_ context: APIContext) throws(PhoneFailure) -> Owner {
        guard let id = context.client as? OAuthClient.ID else { throw .notSignedIn }
        return .client(of: "camara", group: id.hexadecimal, id: id.hexadecimal)
    }

    /// `^\+[1-9][0-9]{4,14}$`
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (5...15).contains(digits.count)
            && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func text(_ name: String, in body: JSONBody, atMost length: Int) throws -> String {
        let text = try body.requiredText(name)
        guard (1...length).contains(text.unicodeScalars.count) else {
            throw CamaraError.invalid("\(name) must have 1 to \(length) characters.")
        }
        return text
    }
}

extension PhoneFailure {
    /// Whether a limit of one number refuses it.
    fileprivate var isOfNumber: Bool {
        switch self {
        case .resendTooSoon, .maxSendsReached, .maxChecksReached: true
        case .rateLimited(let policies, _): policies.contains { $0.name.hasPrefix("number-") }
        default: false
        }
    }
}

extension HTTPField.Name {
    fileprivate static let correlator = known("x-correlator")
}

extension Request {
    /// The header that a response has from its request, where a client sends one.
    fileprivate var correlator: String? { headers[values: .correlator].first }

    /// `^[a-zA-Z0-9-_:;.\/<>{}]{0,256}$`
    fileprivate func correlation() throws -> HeaderFields {
        guard let correlator else { return [:] }
        guard headers[values: .correlator].count == 1, correlator.utf8.count <= 256,
            correlator.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_:;./<>{}".utf8.contains($0) })
        else { throw CamaraError.invalid("x-correlator must be up to 256 letters, digits and -_:;./<>{}") }
        return [.correlator: correlator]
    }
}

/// An error in the words of the API: `status`, `code` and `message`.
struct CamaraError: Error {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    private var headers: HeaderFields = [:]
    /// What the operator's log says.
    private var cause: String?
    private var hint: String?

    private init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    static let unauthenticated: CamaraError = {
        var error = CamaraError(
            .unauthorized,
            "UNAUTHENTICATED",
            "The access token is missing, invalid or expired; get one at /oauth2/token with your client's secret."
        )
        error.headers[.wwwAuthenticate] = "Bearer"
        return error
    }()
    static let forbidden = CamaraError(
        .forbidden,
        "PERMISSION_DENIED",
        "The access token lacks the scope \(TokensOnly.scope)."
    )
    static let notFound = CamaraError(.notFound, "NOT_FOUND", "There is no such authenticationId.")
    static func invalid(_ message: String) -> CamaraError { CamaraError(.badRequest, "INVALID_ARGUMENT", message) }

    private static func own(_ status: HTTPResponse.Status, _ code: String, _ message: String) -> CamaraError {
        CamaraError(status, "ONE_TIME_PASSWORD_SMS." + code, message)
    }

    /// Why a code was not sent.
    init(sending failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .invalidPhoneNumber: self = .invalid("phoneNumber is no number of any country's plan.")
        case .kindNotAccepted:
            self = .own(.forbidden, "PHONE_NUMBER_NOT_ALLOWED", "A number of this kind gets no code by SMS.")
        // The standard's word for a number that the provider does not serve.
        case .regionNotAllowed, .channelUnavailable:
            self.init(.notFound, "NOT_FOUND", "This service sends no codes to numbers of this country.")
        case .rateLimited(let policies, _) where policies.contains(where: \.isOfGuard):
            self = .own(.forbidden, "PHONE_NUMBER_BLOCKED", "Messages to this number are blocked.")
        case .sendDenied: self = .own(.forbidden, "PHONE_NUMBER_BLOCKED", "Messages to this number are blocked.")
        default:
            guard failure.isOfNumber else {
                self.init(failure, at: now)
                break
            }
            self = .own(.forbidden, "MAX_OTP_CODES_EXCEEDED", "Too many codes for this number; try again later.")
        }
        setRetry(failure, at: now)
    }

    /// Why a code was not accepted.
    init(validating failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .codeIncorrect(let verification) where verification.checksLeft > 0:
            self = .own(.badRequest, "INVALID_OTP", "This is not the code that was sent.")
        case .codeIncorrect, .maxChecksReached:
            self = .own(.badRequest, "VERIFICATION_FAILED", "Too many wrong codes; send a new one.")
        case .codeExpired, .verificationClosed:
            self = .own(.badRequest, "VERIFICATION_EXPIRED", "This code was used or replaced, or has expired.")
        case .verificationNotFound: self = .notFound
        default: self.init(failure, at: now)
        }
        setRetry(failure, at: now)
    }

    init(_ error: any Error, at now: Timestamp) {
        switch error {
        case let error as CamaraError: self = error
        case let failure as PhoneFailure: self.init(failure, at: now)
        case let problem as Problem: self.init(problem)
        default:
            self.init(.internalServerError, "INTERNAL", "Internal server error.")
            // The error itself may contain anything, such as a number; its type says where to look.
            cause = String(reflecting: type(of: error))
        }
    }

    private init(_ failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .rateLimited(let policies, _):
            let isBudget = policies.contains { $0.name.hasPrefix("service-budget") }
            self.init(
                .tooManyRequests,
                isBudget ? "QUOTA_EXCEEDED" : "TOO_MANY_REQUESTS",
                "Too many requests; try again later."
            )
        case .notSignedIn: self = .unauthenticated
        case .unavailable(let reason):
            self.init(.serviceUnavailable, "UNAVAILABLE", "The service cannot do this at the moment; try again.")
            (cause, headers) = (reason, [.retryAfter: "1"])
        default:
            self.init(.internalServerError, "INTERNAL", "Internal server error.")
            cause = failure.code
        }
        setRetry(failure, at: now)
    }

    private mutating func setRetry(_ failure: PhoneFailure, at now: Timestamp) {
        guard let moment = failure.retryAt else { return }
        headers[.retryAfter] = String(max(1, (moment - now).wholeSecondsRoundedUp))
    }

    private init(_ problem: Problem) {
        switch problem.status {
        // A body that is not what it should be: not JSON, or a member that is missing, null or of another type.
        case .badRequest, .unprocessableContent: self = .invalid(problem.detail)
        case .notFound: self.init(.notFound, "NOT_FOUND", problem.detail)
        case .methodNotAllowed: self.init(.methodNotAllowed, "METHOD_NOT_ALLOWED", problem.detail)
        case .unsupportedMediaType: self.init(.unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", problem.detail)
        case .internalServerError: self.init(.internalServerError, "INTERNAL", "Internal server error.")
        default: self.init(problem.status, "INVALID_ARGUMENT", problem.detail)
        }
        (headers, cause, hint) = (problem.headers, problem.cause, problem.hint)
    }

    func response(to request: Request, in context: APIContext) -> Response {
        if let cause { context.logger.error("a request by CAMARA's API failed", metadata: ["error.cause": "\(cause)"]) }
        if let hint { context.logger.info("\(hint)") }
        var headers = headers
        headers[.correlator] = request.correlator
        return Response(
            status,
            json: ["status": .integer(status.code), "code": .string(code), "message": .string(message)],
            headers: headers
        )
    }
}
