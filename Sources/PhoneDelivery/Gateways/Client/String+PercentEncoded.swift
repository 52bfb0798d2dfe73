extension String {
    /// Everything but the unreserved characters as `%XX` (RFC 3986 section 2.3).
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    [byte]
                default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            },
            as: UTF8.self
        )
    }

    /// With each `%XX` as the byte that it stands for; as it is where that makes no text.
    var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), digits.first != UInt8(ascii: "+")
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? self
    }
}
