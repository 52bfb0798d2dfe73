public import PhoneDomain
public import PhoneSignup

/// A vault without cryptography: every code is the given one, and sealing is writing down. For tests of the rules.
public struct FixedCodeVault: CodeVault {
    private let code: VerificationCode

    /// A vault whose every code is this one.
    public init(code: VerificationCode) {
        self.code = code
    }

    public init(digits: String) throws {
        guard let code = VerificationCode(digits) else { throw NoCode() }
        self.init(code: code)
    }

    public func makeCode(length: Int) -> VerificationCode { code }

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

/// The same where codes have several lengths: each is the beginning of the given digits.
public struct BeginningCodeVault: CodeVault {
    private let digits: String

    public init(digits: String) { self.digits = digits }

    public func makeCode(length: Int) throws -> VerificationCode {
        guard let code = VerificationCode(String(digits.prefix(length))) else { throw NoCode() }
        return code
    }

    public func seal(_ code: VerificationCode, for context: CodeContext) -> SealedCode {
        FixedCodeVault(code: code).seal(code, for: context)
    }

    public func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) -> Bool {
        FixedCodeVault(code: code).matches(code, sealed, for: context)
    }

    public func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        try FixedCodeVault(code: makeCode(length: 6)).open(sealed, for: context)
    }
}

private struct NoCode: Error {}
