/// The use case of tenants over its ports: what is theirs alone is done here, and whatever is a matter of verification by the
/// same use case as for everyone.
public struct LiveTenantUseCase: TenantUseCase {
    let verifications: any VerificationUseCase
    let store: any TenantStore
    let catalog: any MessageCatalog
    let digester: any NumberDigester
    let identifiers: any IdentifierSource
    let clock: any WallClock
    let plans: NumberingPlans
    let resendCooldowns: [Duration]

    /// A use case over these ports.
    ///
    /// - Parameters:
    ///   - verifications: has the rules.
    ///   - store: where tenants are kept.
    ///   - catalog: the texts that there are.
    ///   - digester: makes the digests that stand for what tenants count by.
    ///   - identifiers: names what is made.
    ///   - clock: says what time it is.
    ///   - plans: how numbers are read.
    ///   - resendCooldowns: how long tenants wait between messages (``VerificationPolicy/resendCooldowns``). Standard: not at
    ///     all, since the programs that speak this way know of no wait; how many messages there may be holds all the same.
    public init(
        verifications: any VerificationUseCase,
        store: any TenantStore,
        catalog: any MessageCatalog,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        plans: NumberingPlans = .builtIn,
        resendCooldowns: [Duration] = [.zero]
    ) {
        self.verifications = verifications
        self.store = store
        self.catalog = catalog
        self.digester = digester
        self.identifiers = identifiers
        self.clock = clock
        self.plans = plans
        self.resendCooldowns = resendCooldowns
    }

    /// What a port does, its failures told as the use case tells them.
    func reach<Value>(_ work: () async throws -> Value) async throws(TenantFailure) -> Value {
        do throws(PhoneFailure) {
            return try await available(work)
        } catch {
            throw .refused(error)
        }
    }

    /// The number that this text says, which must be in E.164 with its `+`.
    func phoneNumber(in text: String) throws(TenantFailure) -> PhoneNumber {
        guard text.utf8.first == UInt8(ascii: "+") else { throw .refused(.invalidPhoneNumber(.notANumber)) }
        do throws(PhoneNumberError) {
            return try PhoneNumber(parsing: text, region: .korea, plans: plans)
        } catch {
            if case .unsupportedCallingCode = error { throw .refused(.regionNotAllowed(nil)) }
            throw .refused(.invalidPhoneNumber(error))
        }
    }
}
