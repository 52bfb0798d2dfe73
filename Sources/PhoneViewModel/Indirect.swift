/// A large value in a place of its own: whoever copies it passes on a reference instead of some hundred bytes and the
/// references in them.
indirect enum Indirect<Value: Sendable>: Sendable {
    case kept(Value)

    init(_ value: Value) {
        self = .kept(value)
    }

    /// A new value takes a new place: who has a copy keeps the old one.
    var value: Value {
        get {
            switch self {
            case .kept(let value): value
            }
        }
        set { self = .kept(newValue) }
    }
}

extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}
