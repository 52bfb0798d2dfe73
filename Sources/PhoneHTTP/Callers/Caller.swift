import PhoneDomain

/// The program that calls.
struct Caller: Sendable {
    /// Whose what it asks for is.
    let owner: Owner
    /// What it may do.
    let scopes: Set<APIScope>

    /// A program on the machine itself, where none needs a key.
    static let local = Caller(owner: .local, scopes: Set(APIScope.allCases))
}
