import Glibc
import PhoneDomain

/// Addresses as the C library reads and writes them.
enum SystemAddress {
    /// The 4 or 16 bytes of an address in text form; nil if it is none.
    static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// The text form of 4 or 16 bytes.
    static func text(_ bytes: [UInt8]) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written = buffer.withUnsafeMutableBytes { buffer in
            inet_ntop(
                bytes.count == 4 ? AF_INET : AF_INET6,
                bytes,
                buffer.bindMemory(to: CChar.self).baseAddress,
                UInt32(buffer.count)
            )
        }
        return written == nil ? nil : String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension IPAddress {
    /// 4 or 16 bytes in network order; nil for any other count.
    init?(bytes: [UInt8]) {
        let bits = bytes.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: self.init(v4: UInt32(truncatingIfNeeded: bits))
        case 16: self.init(v6: bits)
        default: return nil
        }
    }
}

extension ClientAddress {
    init?(bytes: [UInt8]) {
        guard let address = IPAddress(bytes: bytes) else { return nil }
        self.init(address)
    }
}
