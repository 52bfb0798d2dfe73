/// A store of everything, as the program needs one: all of it in one database, so that what belongs together is kept in
/// one transaction.
public typealias CompleteStore = VerificationStore & SignupStore & OutboxStore & EventStore & StoreMaintenance
    & AuditStore & ErasureStore & LimitStore & GuardStore & PortableStore & APIKeyStore & IdempotencyStore
    & AccountStore & SigningKeyStore & TenantStore
