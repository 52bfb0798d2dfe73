public import PhoneDomain
public import PhoneSignup

/// A vault without cryptography: every code is the given one, or its beginning where it shall be shorter, and sealing is
/// writing down. For tests of the rules.
public struct FixedCodeVault: CodeVault {
    private let code: VerificationCode

    public init(code: VerificationCode) { self.code = code }

    public init(digits: String) throws {
        guard let code = VerificationCode(digits) else { throw NoCode() }
        self.init(code: code)
    }

    public func makeCode(length: Int) -> VerificationCode {
        VerificationCode(String(code.digits.prefix(length))) ?? code
    }

    public func seal(_ code: VerificationCode, for context: CodeContext) -> SealedCode {
        SealedCode(keyID: "test", mac: Self.mark(context), ciphertext: Array(code.digits.utf8))
    }

    public func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) -> Bool {
        sealed.ciphertext == Array(code.digits.utf8) && sealed.mac == Self.mark(context)
    }

    public func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        guard sealed.mac == Self.mark(context),
            let code = VerificationCode(String(decoding: sealed.ciphertext, as: UTF8.self))
        else { throw WrongContext() }
        return code
    }

    /// A sealed code was opened for what it was not sealed for.
    public struct WrongContext: Error {}

    private static func mark(_ context: CodeContext) -> [UInt8] {
        Array("\(context.verificationID) \(context.e164)".utf8)
    }
}

private struct NoCode: Error {}
