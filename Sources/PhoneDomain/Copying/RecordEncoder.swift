/// Writes values one after the other so that no others give the same bytes: whole numbers in eight bytes, the highest
/// first; texts, bytes and lists behind their length; what may be missing behind a byte that says whether it is there.
struct RecordEncoder {
    private(set) var bytes: [UInt8] = []

    init() {
        // More than most records take, so that the array seldom grows.
        bytes.reserveCapacity(512)
    }

    mutating func add(_ number: Int64) {
        add(UInt64(bitPattern: number))
    }

    mutating func add(_ number: Int) {
        add(Int64(number))
    }

    mutating func add(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        self.bytes.append(contentsOf: bytes)
    }

    mutating func add(_ moment: Timestamp) {
        add(moment.milliseconds)
    }

    mutating func add(_ duration: Duration) {
        add(duration.components.seconds)
        add(duration.components.attoseconds)
    }

    mutating func add<Subject>(_ id: Identifier<Subject>) {
        add(id.high)
        add(id.low)
    }

    mutating func add<Value>(_ value: Value?, _ add: (inout RecordEncoder, Value) -> Void) {
        self.add(value != nil)
        if let value { add(&self, value) }
    }

    mutating func add<Element>(_ list: [Element], _ add: (inout RecordEncoder, Element) -> Void) {
        self.add(list.count)
        for element in list { add(&self, element) }
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
