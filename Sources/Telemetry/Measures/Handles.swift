import Synchronization

/// Handles of one metric by what their labels are made of, each made when it is first needed.
final class Handles<Key: Hashable & Sendable, Handle: Sendable>: Sendable {
    private let handles = Mutex<[Key: Handle]>([:])
    private let make: @Sendable (Key) -> Handle

    init(make: @escaping @Sendable (Key) -> Handle) {
        self.make = make
    }

    subscript(key: Key) -> Handle {
        handles.withLock { handles in
            if let handle = handles[key] { return handle }
            let made = make(key)
            handles[key] = made
            return made
        }
    }
}
