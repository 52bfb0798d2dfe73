// Digits are ASCII, one byte each: going by bytes spares finding the borders of characters.
extension Substring {
    /// What follows a prefix of ASCII digits; `nil` when the digits do not begin with it.
    func after(_ prefix: String) -> Substring? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(utf8.dropFirst(prefix.utf8.count))
    }
}
