/// The values of one column of many rows: an array to a statement, which takes as long for many rows as for few.
struct ColumnValues {
    private let type: ColumnType
    private var count: Int32 = 0
    private var hasNull = false
    private var elements: [UInt8] = []

    init(_ type: ColumnType) {
        self.type = type
    }

    mutating func append(text: String?) {
        guard let text else { return appendNull() }
        // The length first; a String's UTF-8 is counted without a copy.
        append(length: text.utf8.count)
        elements.append(contentsOf: text.utf8)
    }

    mutating func append(integer: Int64?) {
        guard let integer else { return appendNull() }
        append(length: 8)
        elements.append(contentsOf: integer.bigEndianBytes)
    }

    mutating func append(boolean: Bool) {
        append(length: 1)
        elements.append(boolean ? 1 : 0)
    }

    mutating func append(bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        append(length: bytes.count)
        elements.append(contentsOf: bytes)
    }

    /// As `array_recv` reads it (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/arrayfuncs.c):
    /// dimensions, whether a NULL is in it, the type of the elements, how many there are and the index of the first; then
    /// each with its length.
    var argument: Argument {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count)
        bytes += Int32(count == 0 ? 0 : 1).bigEndianBytes
        bytes += Int32(hasNull ? 1 : 0).bigEndianBytes
        bytes += type.oid.bigEndianBytes
        if count > 0 {
            bytes += count.bigEndianBytes
            bytes += Int32(1).bigEndianBytes
        }
        return Argument(type: type.arrayOID, bytes: bytes + elements)
    }

    private mutating func append(length: Int) {
        count += 1
        elements.append(contentsOf: Int32(clamping: length).bigEndianBytes)
    }

    private mutating func appendNull() {
        count += 1
        hasNull = true
        elements.append(contentsOf: Int32(-1).bigEndianBytes)
    }
}
