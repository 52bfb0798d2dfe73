/// What the code field holds.
struct Code: Sendable {
    /// Nothing yet.
    static let none = Code(text: "", isWhole: false)

    /// Digits.
    let text: String
    /// Whether they may be the code, right or wrong.
    let isWhole: Bool
}
