import PhoneDomain

/// A vault whose keys are gone.
struct LockedVault: CodeVault {
    struct NoSuchKey: Error {}

    func makeCode(length: Int) throws -> VerificationCode { throw NoSuchKey() }
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode { throw NoSuchKey() }
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        throw NoSuchKey()
    }
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode { throw NoSuchKey() }
}
