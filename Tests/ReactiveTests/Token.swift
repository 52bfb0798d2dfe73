/// An element whose release can be seen.
final class Token: Sendable {
    let name: String
    private let onRelease: @Sendable () -> Void

    init(_ name: String = "", onRelease: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }
}
