import Synchronization

/// Everything that arrived, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var history: [Element] {
        elements.withLock { $0 }
    }

    func record(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
