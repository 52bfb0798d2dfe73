public import PhoneDomain

/// What others are told so that they can verify access tokens without asking the service about each.
public struct Discovery: Sendable {
    let issuer: String
    let keys: any SigningKeyPublisher

    /// What is told by this service.
    ///
    /// - Parameters:
    ///   - issuer: what access tokens bear as `iss`: the https address under which others reach these paths.
    ///   - keys: tells which keys there are.
    public init(issuer: String, keys: any SigningKeyPublisher) {
        self.issuer = issuer
        self.keys = keys
    }

    /// The address under which a path of the service is reached.
    func address(of path: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + path
    }
}
