public import PhoneDomain

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

    public func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup? {
        try await store.update(id) { [self] stored in
            var signup = opened(stored)
            change(&signup)
            stored = sealed(signup)
        }.map(opened)
    }

    /// If sealing fails, an empty field is stored: the person types once more, and nothing is in clear.
    private func sealed(_ signup: Signup) -> Signup {
        var signup = signup
        signup.codeText = signup.codeText.isEmpty ? "" : (try? vault.seal(typed: signup.codeText, for: signup.id)) ?? ""
        return signup
    }

    /// If it cannot be opened, because its key is gone, the field is empty: the person types once more.
    private func opened(_ signup: Signup) -> Signup {
        var signup = signup
        signup.codeText = signup.codeText.isEmpty ? "" : (try? vault.open(typed: signup.codeText, for: signup.id)) ?? ""
        return signup
    }
}

// The text of a code field may well be the code: it is sealed like one while it is stored.
extension OpenSSLCodeVault {
    /// The sealed text, bound to the signup: the key's ID, a colon and hexadecimal digits. Every sealed text has the same
    /// length, so that it does not reveal how much was typed.
    ///
    /// - Throws: ``CodeVaultError/unsupportedLength(_:)`` for more than ten bytes, ``OpenSSLError``, or what the random
    ///   source throws.
    func seal(typed text: String, for id: Signup.ID) throws -> String {
        guard text.utf8.count <= VerificationCode.lengths.upperBound else {
            throw CodeVaultError.unsupportedLength(text.utf8.count)
        }
        let key = keys.newest
        let ciphertext = try AES256GCM.seal(
            PaddedCode.bytes(of: text),
            additionalData: additionalData(for: id),
            key: key.encryption,
            random: random
        )
        return key.id + ":" + TextEncoding.hexadecimal.encode(ciphertext)
    }

    /// The text in clear.
    ///
    /// - Throws: ``CodeVaultError/unknownKey(id:)``, ``CodeVaultError/notAuthentic(keyID:)`` or ``OpenSSLError``.
    func open(typed sealed: String, for id: Signup.ID) throws -> String {
        let parts = sealed.split(separator: ":", maxSplits: 1)
        let key = try keys.key(parts.first.map(String.init) ?? "")
        guard parts.count == 2, let ciphertext = [UInt8](.hexadecimal, parts[1].utf8),
            let bytes = try AES256GCM.open(
                ciphertext,
                additionalData: additionalData(for: id),
                key: key.encryption
            ),
            let text = PaddedCode.text(in: bytes)
        else { throw CodeVaultError.notAuthentic(keyID: key.id) }
        return text
    }

    private func additionalData(for id: Signup.ID) -> [UInt8] {
        [UInt8](lengthPrefixed: ["PhoneProof typed code encryption v1", id.description])
    }
}
