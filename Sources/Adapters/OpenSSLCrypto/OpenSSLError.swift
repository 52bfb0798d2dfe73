import COpenSSL

/// A function of OpenSSL failed. It never contains a key or a code.
struct OpenSSLError: Error, Hashable, CustomStringConvertible {
    /// The function of libcrypto that failed, such as `RAND_priv_bytes_ex`.
    let function: String
    /// The contents of OpenSSL's error queue, oldest first; empty if it gave no reason.
    let reasons: [String]

    var description: String {
        "\(function) failed: \(reasons.isEmpty ? "OpenSSL gave no reason" : reasons.joined(separator: "; "))"
    }

    /// The failure of this function. The reasons are removed from this thread's error queue, so that they are not
    /// reported with a later failure.
    static func taken(from function: String) -> OpenSSLError {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            // 256 bytes are enough for every text (ERR_error_string_n(3)).
            let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
                ERR_error_string_n(code, buffer.baseAddress, buffer.count)
                count = buffer.firstIndex(of: 0) ?? buffer.count
            }
            reasons.append(String(decoding: text, as: UTF8.self))
        }
        return OpenSSLError(function: function, reasons: reasons)
    }
}
