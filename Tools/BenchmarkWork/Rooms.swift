import OpenSSLCrypto
import PhoneDomain
import PhoneStore

/// The use case over the real store, in memory, and the real vault, but for the code, which is always ``code``.
struct Rooms: Sendable {
    static let code = "314159"

    let store: SQLiteStore
    let vault: OpenSSLCodeVault
    let useCase: VerificationUseCase
    let clock = FixedClock()

    init() throws {
        store = try SQLiteStore.inMemory()
        vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
        var useCase = VerificationUseCase(
            store: store,
            vault: KnownCodeVault(vault),
            digester: vault,
            identifiers: OrderedIdentifiers(random: PooledIdentifiers(), clock: clock),
            clock: clock
        )
        useCase.abusePolicy = .none
        self.useCase = useCase
    }

    private var context: RequestContext {
        RequestContext(owner: .local, region: .korea, language: .korean)
    }

    /// Begins a verification of a number that has none.
    func begin(_ number: String) async throws -> Verification {
        let number = try useCase.recipient(in: number, region: .korea)
        let answer = try await useCase.begin(number, context: context)
        guard answer.isNew else { throw UnexpectedOutcome() }
        return answer.verification
    }

    /// Checks the right code.
    func check(_ verification: Verification) async throws {
        _ = try await useCase.check(Self.code, for: .id(verification.id), context: context)
    }
}
