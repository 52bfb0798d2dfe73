import FoundationEssentials
import PhoneDomain

/// What a request to NAVER Cloud bears, by which it knows who asks. It signs the method, the path with its query, and the
/// moment, not the body.
///
/// Source: https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSSignature {
    let account: SENSAccount
    let authenticator: any RequestAuthenticator

    /// The fields of the head.
    ///
    /// - Throws: ``GatewayFailure/Kind/failover`` if the cryptography fails.
    func headers(method: String, path: String, at now: Timestamp) throws(GatewayFailure) -> [GatewayClient.Header] {
        let text = "\(method) \(path)\n\(now.milliseconds)\n\(account.accessKey)"
        let digest: [UInt8]
        do {
            digest = try authenticator.hmacSHA256(of: Array(text.utf8), key: Array(account.secretKey.utf8))
        } catch {
            throw .failover("the request cannot be signed")
        }
        return [
            ("x-ncp-apigw-timestamp", "\(now.milliseconds)"),
            ("x-ncp-iam-access-key", account.accessKey),
            ("x-ncp-apigw-signature-v2", Data(digest).base64EncodedString()),
        ]
    }
}
