/// Makes secrets out of others under the service's keys, so that they can be made again and need not be kept.
public protocol SecretDeriver: Sendable {
    /// 256 bits as 43 characters of base64url, one for each key that is known, the newest first. Whoever has not the key
    /// cannot make them, whatever else they know.
    ///
    /// - Parameters:
    ///   - label: what for: the same parts give others for another use.
    ///   - parts: of what; `["a", "b"]` and `["ab"]` give different ones.
    /// - Throws: if the cryptography fails.
    func derive(_ label: SecretLabel, from parts: [String]) throws -> [String]

    /// Whether this text is what ``derive(_:from:)`` gives under one of the keys, or the beginning of it, compared in
    /// constant time. Of fewer than 22 characters (128 bits) none is.
    ///
    /// - Throws: if the cryptography fails.
    func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) throws -> Bool
}
