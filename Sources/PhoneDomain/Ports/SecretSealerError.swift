/// A sealed secret cannot be opened.
public enum SecretSealerError: Error, Hashable {
    /// It was sealed under a key that the key ring lacks.
    case unknownKey(id: String)
    /// It was altered, or sealed for another subject.
    case notAuthentic(keyID: String)
}

extension SecretSealerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownKey(let id): "it is sealed under the key \(id), which is not in the key ring"
        case .notAuthentic(let keyID): "it is not what was sealed under the key \(keyID)"
        }
    }
}
