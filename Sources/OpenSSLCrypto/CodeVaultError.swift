/// A code cannot be made, or a sealed one not be read. It never holds a code or a key.
public enum CodeVaultError: Error, Hashable {
    /// Codes of this many digits are not made.
    case unsupportedLength(Int)

    /// The random source gave hardly anything but bytes that stand for no digit, which no working one does.
    case brokenRandomSource

    /// The code was sealed under a key that the key ring lacks.
    case unknownKey(id: String)

    /// The sealed code has been altered, or was sealed for another verification or another number.
    case notAuthentic(keyID: String)
}

extension CodeVaultError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedLength(let length):
            "a code has 4 to 10 digits, not \(length)"
        case .brokenRandomSource:
            "the random source gives no usable bytes; no code was made"
        case .unknownKey(let id):
            "the code was sealed under the key \(id), which is not in the key ring; put the key back until the code has expired"
        case .notAuthentic(let keyID):
            "the sealed code is not what the key \(keyID) made for this verification and this number"
        }
    }
}
