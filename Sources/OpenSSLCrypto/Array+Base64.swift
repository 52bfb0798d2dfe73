extension [UInt8] {
    /// These bytes in base64 with padding (RFC 4648, section 4).
    var base64: String {
        let characters = base64URL.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(characters) + String(repeating: "=", count: (3 - count % 3) % 3)
    }
}
