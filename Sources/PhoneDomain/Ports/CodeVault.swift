/// Makes codes, keeps them sealed, and compares.
///
/// Every method throws if the random source, a key or the cryptography fails. There is then no code and no approval.
public protocol CodeVault: Sendable {
    /// A code of so many digits, every one equally likely.
    ///
    /// - Parameter length: within ``VerificationCode/lengths``.
    func makeCode(length: Int) throws -> VerificationCode

    /// The code sealed under the newest key and bound to its context.
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode

    /// Whether this is the sealed code and the context the one that it was sealed for, in constant time.
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool

    /// The sealed code in clear, to be sent once more.
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode
}
