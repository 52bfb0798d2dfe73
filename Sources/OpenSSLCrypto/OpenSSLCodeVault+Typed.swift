import PhoneDomain

// What a person has typed into a code field may well be the code: it is sealed like one while it is kept.
extension OpenSSLCodeVault {
    /// The text as it may be kept: the key's id, a colon and hexadecimal digits, bound to the signup. All are equally
    /// long, so that it does not tell how much was typed.
    ///
    /// - Throws: ``CodeVaultError/unsupportedLength(_:)`` for more than ten bytes, ``OpenSSLError``, or what the random
    ///   source throws.
    func seal(typed text: String, for id: Signup.ID) throws -> String {
        guard text.utf8.count <= VerificationCode.lengths.upperBound else {
            throw CodeVaultError.unsupportedLength(text.utf8.count)
        }
        let ciphertext = try AES256GCM.seal(
            PaddedCode.bytes(of: text),
            additionalData: additionalData(for: id),
            key: newestKey.encryption,
            random: random
        )
        let digits = ciphertext.map(\.hexadecimalDigits).flatMap { [$0.high, $0.low] }
        return newestKey.id + ":" + String(decoding: digits, as: UTF8.self)
    }

    /// The text in clear.
    ///
    /// - Throws: ``CodeVaultError/unknownKey(id:)``, ``CodeVaultError/notAuthentic(keyID:)`` or ``OpenSSLError``.
    func open(typed sealed: String, for id: Signup.ID) throws -> String {
        let parts = sealed.split(separator: ":", maxSplits: 1)
        let keyID = parts.first.map(String.init) ?? ""
        let digits = parts.count == 2 ? Array(parts[1].utf8) : []
        let ciphertext = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { index in
            digits[index].hexadecimalValue.flatMap { high in
                digits[index + 1].hexadecimalValue.map { high << 4 | $0 }
            }
        }
        let bytes = try AES256GCM.open(
            ciphertext,
            additionalData: additionalData(for: id),
            key: key(keyID).encryption
        )
        guard ciphertext.count * 2 == digits.count, let bytes, let text = PaddedCode.text(in: bytes) else {
            throw CodeVaultError.notAuthentic(keyID: keyID)
        }
        return text
    }

    private func additionalData(for id: Signup.ID) -> [UInt8] {
        [UInt8](lengthPrefixed: "PhoneProof typed code encryption v1", id.description)
    }
}
