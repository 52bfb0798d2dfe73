import OpenSSLCrypto
import PhoneAccounts
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneViewModel

/// What can be done in a loop.
enum Operation: String, CaseIterable {
    case readNumber = "read-number"
    case typeNumber = "type-number"
    case renderMessage = "render-message"
    case sealCode = "seal-code"
    case signIDToken = "sign-id-token"
    case viewModelSignup = "view-model-signup"

    private static let code = "314159"

    var meaning: String {
        switch self {
        case .readNumber: "a Korean mobile number read and judged, with hyphens and without"
        case .typeNumber: "such a number as a field shows it, from an empty field to its last digit: 11 keys"
        case .renderMessage: "the built-in message with a code, in Korean and English by turns"
        case .sealCode: "a code made, sealed and compared, by OpenSSL"
        case .signIDToken: "an ID token signed by RS256, as clients have it that did not ask for ES256"
        case .viewModelSignup: "the view model in the three calls of a signup, over a use case that does nothing"
        }
    }

    /// Everything that it needs, made.
    func prepare() async throws -> Work {
        switch self {
        case .readNumber: Self.reading()
        case .typeNumber: Self.typing()
        case .renderMessage: try Self.rendering()
        case .sealCode: try Self.sealing()
        case .signIDToken: try await Self.signing()
        case .viewModelSignup: try Self.signup()
        }
    }

    /// A number that no other serial number has, as it is dialled in Korea.
    private static func number(_ serial: Int) -> String {
        "010\(20_000_000 + serial * 7919 % 80_000_000)"
    }

    private static func reading() -> Work {
        let plans = NumberingPlans.builtIn
        let texts = (0..<100).flatMap { serial -> [String] in
            let digits = number(serial)
            return [digits, "\(digits.prefix(3))-\(digits.dropFirst(3).prefix(4))-\(digits.suffix(4))"]
        }
        return .direct { serial in
            _ = try PhoneNumber(parsing: texts[serial % texts.count], region: .korea, plans: plans)
        }
    }

    private static func typing() -> Work {
        let plans = NumberingPlans.builtIn
        let keys = (0..<100).map { serial in
            let digits = number(serial)
            return digits.indices.map { String(digits[...$0]) }
        }
        return .direct { serial in
            for text in keys[serial % keys.count] {
                guard !plans.format(text, region: .korea).isEmpty else { throw UnexpectedOutcome() }
            }
        }
    }

    private static func rendering() throws -> Work {
        guard let name = ServiceName("PhoneProof"), let code = VerificationCode(code) else {
            throw UnexpectedOutcome()
        }
        let context = MessageContext(service: name)
        let renderer = TemplateRenderer(templates: try MessageTemplates(context: context), context: context)
        let languages: [LanguageTag] = [.korean, .english]
        return .direct { serial in
            let message = renderer.message(
                with: code,
                language: languages[serial % 2],
                remaining: .seconds(600),
                wording: nil
            )
            guard !message.body.isEmpty else { throw UnexpectedOutcome() }
        }
    }

    private static func sealing() throws -> Work {
        let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
        return .direct { serial in
            let context = CodeContext(
                verificationID: Verification.ID(bits: 0, UInt64(serial)),
                e164: "+821012345678"
            )
            let code = try vault.makeCode(length: 6)
            let sealed = try vault.seal(code, for: context)
            guard try vault.matches(code, sealed, for: context) else { throw UnexpectedOutcome() }
        }
    }

    private static func signing() async throws -> Work {
        let clock = FixedClock()
        let authority = JWTAccessTokens(
            issuer: "https://phone.example",
            audience: "https://phone.example",
            store: try SQLiteStore.inMemory(),
            sealer: try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom())),
            clock: clock
        )
        let now = clock.now()
        func token(_ serial: Int) -> IDToken {
            IDToken(
                accountID: Account.ID(bits: 0, UInt64(serial)),
                sessionID: Session.ID(bits: 0, UInt64(serial)),
                clientID: OAuthClient.ID(bits: 0, 1),
                nonce: "nonce",
                preferredUsername: nil,
                authenticatedAt: now,
                issuedAt: now,
                expiresAt: now + .seconds(900)
            )
        }
        _ = try await authority.sign(token(0), by: .rs256)
        return .suspending { serial in _ = try await authority.sign(token(serial), by: .rs256) }
    }

    private static func signup() throws -> Work {
        let useCase = try ImmediateUseCase()
        return .suspending { _ in
            let begun = PhoneViewSession(PhoneViewModel(useCase: useCase, phoneText: "010-"))
            guard !begun.state.isSendEnabled else { throw UnexpectedOutcome() }

            let sending = PhoneViewSession(PhoneViewModel(useCase: useCase, phoneText: "010-"))
            sending.changePhoneText("01012345678")
            let sent = await sending.tapSend()
            guard let sentCode = sent.sentCode else { throw UnexpectedOutcome() }

            let signingUp = PhoneViewSession(
                PhoneViewModel(useCase: useCase, phoneText: sent.phoneText, sentCode: sentCode)
            )
            signingUp.changeCodeText(code)
            guard await signingUp.tapSignUp().signedUp != nil else { throw UnexpectedOutcome() }
        }
    }
}

/// Time that stands still, so that each operation is the same as the one before.
private struct FixedClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 1_795_320_992) }
}

/// A use case that knows the answer before it is asked, so that what remains is the view model's own work.
private struct ImmediateUseCase: PhoneUseCase {
    private let sentCode: SentCode

    init() throws {
        let number = try PhoneNumber(parsing: "01012345678", region: .korea)
        sentCode = SentCode(id: "ver_1", number: number, resendableFrom: Timestamp(seconds: 30))
    }

    func phoneText(_ typed: String) -> PhoneText {
        PhoneText(typed: typed, text: typed, number: typed == "010-" ? nil : sentCode.number)
    }

    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode { sentCode }

    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        SignedUpAccount(id: "acc_7", isNew: true)
    }
}
