public import PhoneDomain

/// Secrets without cryptography, good enough for tests: 43 characters made by FNV-1a. Each name is a key.
public struct PlainSecretDeriver: SecretDeriver {
    private let keys: [String]

    /// A deriver with these keys, the newest first.
    public init(keys: [String] = ["test"]) {
        self.keys = keys
    }

    public func derive(_ label: SecretLabel, from parts: [String]) -> [String] {
        keys.map { key in
            let whole = ([key, label.rawValue] + parts).map { "\($0.utf8.count):\($0)" }.joined()
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            let characters = (UInt64(1)...43).map { position in
                let hash = whole.utf8.reduce(0xCBF2_9CE4_8422_2325 &* (2 * position + 1)) {
                    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
                }
                return alphabet[Int(hash >> 40 & 0x3F)]
            }
            return String(decoding: characters, as: UTF8.self)
        }
    }

    public func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) -> Bool {
        text.utf8.count >= 22 && derive(label, from: parts).contains { $0.utf8.starts(with: text.utf8) }
    }
}
