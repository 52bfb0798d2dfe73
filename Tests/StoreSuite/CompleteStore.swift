public import PhoneDomain

/// A store of everything, as the program needs one.
public typealias CompleteStore = VerificationStore & SignupStore & OutboxStore & StoreMaintenance & AuditStore
    & ErasureStore & LimitStore & GuardStore & PortableStore
