/// The three parts of a signed token (RFC 7515 section 7.1), before anything in them is believed.
struct CompactToken {
    /// No token of ours is as long; whatever is longer is not looked at.
    static let maxByteCount = 4096

    let header: JSONObject
    let payload: JSONObject
    /// Both coordinates of a signature by ES256 (RFC 7518 section 3.4).
    let signature: [UInt8]

    /// The parts, or nil unless there are three, each written in the only way that it can be, the first two JSON objects
    /// and the third of 64 bytes.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maxByteCount else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(in: parts[0]).flatMap(JSONObject.init),
            let payload = Base64URL.bytes(in: parts[1]).flatMap(JSONObject.init),
            let signature = Base64URL.bytes(in: parts[2]), signature.count == 64
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
    }
}
