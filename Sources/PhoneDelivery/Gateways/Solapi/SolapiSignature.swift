import PhoneDomain

/// What a request to Solapi bears, by which it knows who asks.
///
/// Source: https://github.com/solapi/solapi-nodejs/blob/master/src/lib/authenticator.ts.
struct SolapiSignature {
    let account: SolapiAccount
    let authenticator: any RequestAuthenticator

    /// The field of the head.
    ///
    /// - Parameters:
    ///   - date: the moment in RFC 3339.
    ///   - salt: a text that never comes twice, 12 to 64 characters.
    /// - Throws: ``GatewayFailure/Kind/failover`` if the cryptography fails.
    func header(date: String, salt: String) throws(GatewayFailure) -> GatewayClient.Header {
        let digest: [UInt8]
        do {
            digest = try authenticator.hmacSHA256(of: Array((date + salt).utf8), key: Array(account.apiSecret.utf8))
        } catch {
            throw .failover("the request cannot be signed")
        }
        return (
            "Authorization",
            "HMAC-SHA256 apiKey=\(account.apiKey), date=\(date), salt=\(salt), signature=\(digest.hexadecimal)"
        )
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
