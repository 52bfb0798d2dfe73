import PhoneDomain
import PhoneSignup

/// A vault that can do nothing.
struct BrokenVault: CodeVault {
    struct KeyGone: Error, CustomStringConvertible {
        let description = "the key is gone"
    }

    func makeCode(length: Int) throws -> VerificationCode { throw KeyGone() }

    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode { throw KeyGone() }

    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        throw KeyGone()
    }

    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode { throw KeyGone() }
}

/// A digester that always fails.
struct BrokenDigester: NumberDigester {
    struct Failure: Error {}

    func digest(of text: String) throws -> NumberDigest { throw Failure() }

    func digests(of text: String) throws -> [NumberDigest] { throw Failure() }
}
