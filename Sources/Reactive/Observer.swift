/// Who is called with the elements. A closure that is kept in an optional or a tuple is wrapped, at the cost of an
/// allocation each time that it goes in or out; in a structure it stays what it is.
@usableFromInline
struct Observer<Element: Sendable>: Sendable {
    @usableFromInline let receive: @Sendable (Element) -> Void

    @inlinable
    init(_ receive: @escaping @Sendable (Element) -> Void) {
        self.receive = receive
    }
}
