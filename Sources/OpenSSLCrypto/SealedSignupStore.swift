public import PhoneDomain
import TextEncodings

/// A store of signups that seals the text of the code field before another store writes it, and opens it after reading.
public struct SealedSignupStore: SignupStore {
    private let store: any SignupStore
    private let vault: OpenSSLCodeVault

    public init(_ store: any SignupStore, vault: OpenSSLCodeVault) {
        self.store = store
        self.vault = vault
    }

    public func begin(_ command: BeginSignup) async throws { try await store.begin(command.mapping(sealed)) }

    public func signup(_ id: Signup.ID) async throws -> Signup? { try await store.signup(id).map(opened) }

    public func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? {
        try await store.update(id, within: limits) { [self] stored in
            let before = opened(stored)
            var signup = before
            change(&signup)
            // Each sealed text differs, so that what changes nothing would be written, and counted.
            if signup != before { stored = sealed(signup) }
        }.map(opened)
    }

    /// If sealing fails, an empty field is stored: the person types once more, and nothing is in clear.
    private func sealed(_ signup: Signup) -> Signup { mapping(signup, vault.seal(typed:for:)) }

    /// If it cannot be opened, because its key is gone, the field is empty: the person types once more.
    private func opened(_ signup: Signup) -> Signup { mapping(signup, vault.open(typed:for:)) }

    private func mapping(_ signup: Signup, _ change: (_ typed: String, _ id: Signup.ID) throws -> String) -> Signup {
        var signup = signup
        if !signup.codeText.isEmpty { signup.codeText = (try? change(signup.codeText, signup.id)) ?? "" }
        return signup
    }
}

// The text of a code field may well be the code: it is sealed like one while it is stored.
extension OpenSSLCodeVault {
    /// The sealed text, bound to the signup: the key's ID, a colon and hexadecimal digits. Every sealed text has the same
    /// length, so that it does not reveal how much was typed.
    ///
    /// - Parameter text: at most ten bytes.
    func seal(typed text: String, for id: Signup.ID) throws -> String {
        guard text.utf8.count <= VerificationCode.lengths.upperBound else {
            throw CodeVaultError.unsupportedLength(text.utf8.count)
        }
        let key = keys.newest
        let ciphertext = try encrypt(PaddedCode.bytes(of: text), under: key, boundTo: parts(id))
        return key.id + ":" + TextEncoding.hexadecimal.encode(ciphertext)
    }

    func open(typed sealed: String, for id: Signup.ID) throws -> String {
        let parts = sealed.split(separator: ":", maxSplits: 1)
        let key = try keys.key(parts.first.map(String.init) ?? "")
        guard parts.count == 2, let ciphertext = [UInt8](.hexadecimal, parts[1].utf8),
            let bytes = try decrypt(ciphertext, under: key, boundTo: self.parts(id)),
            let text = PaddedCode.text(in: bytes)
        else { throw CodeVaultError.notAuthentic(keyID: key.id) }
        return text
    }

    private func parts(_ id: Signup.ID) -> [String] { ["PhoneProof typed code encryption v1", id.description] }
}
