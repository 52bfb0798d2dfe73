import PhoneCLI
import PhoneDomain
import PhoneTestSupport
import PhoneViewModel

/// Everything behind a signup, in memory: the code is always 123456, and the clock stands at 2026-01-01T00:00:00Z.
struct SignupWorld {
    let clock = ManualClock()
    let store = MemoryStore()
    private let identifiers = CountingIdentifiers()
    private let policy: VerificationPolicy

    init(policy: VerificationPolicy = .standard) {
        self.policy = policy
    }

    func flow(language: LanguageTag = .english) throws -> EmbeddedSignupFlow {
        let useCase = LivePhoneUseCase(
            policy: policy,
            store: store,
            vault: FixedCodeVault(code: try Self.code()),
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        let context = RequestContext(owner: .local, region: .korea, language: language)
        return EmbeddedSignupFlow(PhoneViewModel(useCase: useCase, context: context, phoneText: "010-"))
    }

    private static func code() throws -> VerificationCode {
        struct NoCode: Error {}
        guard let code = VerificationCode("123456") else { throw NoCode() }
        return code
    }

    /// What the stub was handed.
    static let message = "[PhoneProof] Your code is 123456."
}
