import PhoneDomain

/// Signs requests to Amazon's services (Signature Version 4), those without a query, which is all that is needed here.
///
/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html.
struct AWSRequestSigner {
    let credentials: AWSCredentials
    let region: AWSRegion
    /// The service as signatures name it: `sns`.
    let service: String
    let authenticator: any RequestAuthenticator

    /// The headers that a request must have besides: when it was made, and by whom.
    ///
    /// - Parameters:
    ///   - method: in upper case.
    ///   - path: percent-encoded, with a slash at its beginning.
    ///   - headers: those that are signed, `Host` among them: each once, without white space around its value or twice
    ///     within. The request must have them just so.
    ///   - body: all of it.
    ///   - moment: now. Amazon takes nothing that is more than five minutes off.
    /// - Throws: if the cryptography fails.
    func headers(
        signing method: String,
        path: String,
        headers: [GatewayClient.Header],
        body: [UInt8],
        at moment: Timestamp
    ) throws -> [GatewayClient.Header] {
        let time = Self.time(moment)
        var added: [GatewayClient.Header] = [("X-Amz-Date", time)]
        if let token = credentials.sessionToken { added.append(("X-Amz-Security-Token", token)) }

        let signed = (headers + added).map { (name: $0.name.lowercased(), value: $0.value) }
            .sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let request =
            ([method, path, ""] + signed.map { "\($0.name):\($0.value)" } + [
                "", names, try hexadecimalDigest(of: body),
            ])
            .joined(separator: "\n")
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let text = try ["AWS4-HMAC-SHA256", time, scope, hexadecimalDigest(of: Array(request.utf8))]
            .joined(separator: "\n")
        let signature = try authenticator.hmacSHA256(of: Array(text.utf8), key: key(day: day)).hexadecimalText

        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(signature)"
        return added + [("Authorization", authorization)]
    }

    private func key(day: String) throws -> [UInt8] {
        try [day, region.description, service, "aws4_request"]
            .reduce(Array("AWS4\(credentials.secretAccessKey)".utf8)) { key, part in
                try authenticator.hmacSHA256(of: Array(part.utf8), key: key)
            }
    }

    private func hexadecimalDigest(of bytes: [UInt8]) throws -> String {
        try authenticator.sha256(of: bytes).hexadecimalText
    }

    /// ISO 8601's basic format, in whole seconds: `20150830T123600Z`.
    private static func time(_ moment: Timestamp) -> String {
        moment.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits for each byte.
    fileprivate var hexadecimalText: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
