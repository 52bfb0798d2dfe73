/// A parsed request of a fake vendor.
struct HTTPRequestText {
    let method: String
    let target: String
    /// In lower case, as they came.
    let headers: [(name: String, value: String)]
    let body: String

    init(_ text: String) {
        let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? text[...]
        body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        method = words.first.map(String.init) ?? ""
        target = words.dropFirst().first.map(String.init) ?? ""
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].trimmingPrefix(" ")) : "")
        }
    }

    subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
