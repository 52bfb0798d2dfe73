/// The access key by which Amazon knows who asks and pays. It bears secrets, so nothing that prints, logs or reflects it
/// shows them.
///
/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html.
public struct AWSCredentials: Hashable, Sendable {
    /// The key's name.
    public let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    /// Whether they end within hours.
    public var isTemporary: Bool { sessionToken != nil }

    /// `nil` unless the name is 11 to 128 ASCII letters, digits and underscores, and the secret and the token, if there is
    /// one, are printable ASCII without spaces, of at most 128 and 4096 characters.
    ///
    /// - Parameter sessionToken: what temporary credentials have besides. They end within hours, and are not renewed here.
    public init?(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        // Amazon's own example, AKIDEXAMPLE, has 11.
        guard 11...128 ~= accessKeyID.utf8.count,
            accessKeyID.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }),
            secretAccessKey.isWord(ofUpTo: 128), sessionToken?.isWord(ofUpTo: 4096) ?? true
        else { return nil }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { accessKeyID }

    /// The name alone.
    public var debugDescription: String { accessKeyID }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}

extension String {
    fileprivate func isWord(ofUpTo most: Int) -> Bool {
        1...most ~= utf8.count && utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
