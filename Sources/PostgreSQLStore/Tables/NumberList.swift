/// Numbers in a text column, where a row has a few of them that are always read and written as one.
enum NumberList {
    static func text(_ numbers: some Sequence<Int64>) -> String {
        numbers.map(String.init).joined(separator: " ")
    }

    /// - Returns: nil if it is no such text.
    static func numbers(_ text: String) -> [Int64]? {
        let parts = text.split(separator: " ")
        let numbers = parts.compactMap { Int64($0) }
        return numbers.count == parts.count ? numbers : nil
    }
}
