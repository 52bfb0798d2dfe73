/// The newest of what was put in, oldest first, no more than so many: when it is full, each that comes takes the place of the
/// oldest, and the others stay where they are.
struct Ring<Element>: RandomAccessCollection, MutableCollection {
    private let capacity: Int
    private var places: [Element] = []
    /// Where the oldest is.
    private var first = 0

    /// - Parameter capacity: the most that it holds, at least 1.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var startIndex: Int { 0 }
    var endIndex: Int { places.count }

    subscript(index: Int) -> Element {
        get { places[place(of: index)] }
        set { places[place(of: index)] = newValue }
        _modify { yield &places[place(of: index)] }
    }

    mutating func append(_ element: Element) {
        // Not full, it has its oldest in the first place: only a full one moves on, and one that loses an element is put in order.
        guard places.count == capacity else { return places.append(element) }
        places[first] = element
        first = (first + 1) % capacity
    }

    mutating func remove(at index: Int) {
        var inOrder = Array(self)
        inOrder.remove(at: index)
        (places, first) = (inOrder, 0)
    }

    mutating func removeAll() {
        (places, first) = ([], 0)
    }

    private func place(of index: Int) -> Int {
        precondition(places.indices.contains(index), "there is no such place")
        return (first + index) % places.count
    }
}
