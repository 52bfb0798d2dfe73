public import PhoneDomain

extension OpenSSLCodeVault: SecretSealer {
    /// The secret under the newest key, bound to its subject. Its length shows.
    ///
    /// - Throws: ``OpenSSLError``, or what the random source throws.
    public func seal(_ secret: [UInt8], for subject: String) throws -> SealedSecret {
        let key = newestKey
        return SealedSecret(
            keyID: key.id,
            ciphertext: try AES256GCM.seal(
                secret,
                additionalData: additionalData(for: subject),
                key: key.encryption,
                random: random
            )
        )
    }

    /// The secret in clear.
    ///
    /// - Throws: ``SecretSealerError`` or ``OpenSSLError``.
    public func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        let key: CodeKey
        do {
            key = try self.key(sealed.keyID)
        } catch is CodeVaultError {
            throw SecretSealerError.unknownKey(id: sealed.keyID)
        }
        let secret = try AES256GCM.open(
            sealed.ciphertext,
            additionalData: additionalData(for: subject),
            key: key.encryption
        )
        guard let secret else { throw SecretSealerError.notAuthentic(keyID: sealed.keyID) }
        return secret
    }

    private func additionalData(for subject: String) -> [UInt8] {
        [UInt8](lengthPrefixed: "PhoneProof secret encryption v1", subject)
    }
}
