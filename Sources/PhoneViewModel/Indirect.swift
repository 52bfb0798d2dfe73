/// A large value, if there is one, in a place of its own: whoever copies it passes on a reference instead of some hundred
/// bytes and the references in them.
enum Indirect<Value: Hashable & Sendable>: Hashable, Sendable {
    case none
    indirect case some(Value)

    init(_ value: Value?) {
        self = value.map(Indirect.some) ?? .none
    }

    var value: Value? {
        switch self {
        case .none: nil
        case .some(let value): value
        }
    }
}
