import OpenSSLCrypto

/// Verifies a request's signature as Amazon does, from the request alone.
struct SignatureV4Judge {
    let accessKeyID: String
    let secret: String
    /// `20260101T000000Z`: what time it is there.
    let now: String

    /// Nil if it is, else the code and the words of the error.
    func objection(to text: String) throws -> (code: String, message: String)? {
        let request = HTTPRequestText(text)
        guard let authorization = request["authorization"], let time = request["x-amz-date"] else {
            return ("MissingAuthenticationToken", "Request is missing Authentication Token")
        }
        let parts = authorization.split(separator: " ").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
        guard parts.count == 4, parts[0] == "AWS4-HMAC-SHA256", parts[1].hasPrefix("Credential="),
            parts[2].hasPrefix("SignedHeaders="), parts[3].hasPrefix("Signature=")
        else { return ("IncompleteSignature", "Authorization header requires other parts") }
        let credential = parts[1].dropFirst("Credential=".count).split(separator: "/").map(String.init)
        let signed = parts[2].dropFirst("SignedHeaders=".count).split(separator: ";").map(String.init)
        guard credential.count == 5, credential[0] == accessKeyID else {
            return ("InvalidClientTokenId", "The security token included in the request is invalid.")
        }
        guard signed == signed.sorted(), Set(["content-type", "host", "x-amz-date"]).isSubset(of: signed),
            request["x-amz-security-token"] == nil || signed.contains("x-amz-security-token"),
            credential[1] == time.prefix(8), credential[4] == "aws4_request"
        else { return ("IncompleteSignature", "Not everything is signed that must be") }
        guard time == now else {
            return ("SignatureDoesNotMatch", "Signature expired: \(time) is now earlier than \(now)")
        }

        let crypto = OpenSSLRequestAuthenticator()
        var canonical = "\(request.method)\n\(request.target)\n\n"
        for name in signed { canonical += "\(name):\(request[name] ?? "")\n" }
        canonical +=
            "\n\(signed.joined(separator: ";"))\n" + hexadecimal(try crypto.sha256(of: Array(request.body.utf8)))
        let digest = hexadecimal(try crypto.sha256(of: Array(canonical.utf8)))
        var key = Array(("AWS4" + secret).utf8)
        for part in credential.dropFirst() { key = try crypto.hmacSHA256(of: Array(part.utf8), key: key) }
        let scope = credential.dropFirst().joined(separator: "/")
        let wanted = try crypto.hmacSHA256(of: Array("AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(digest)".utf8), key: key)
        return parts[3] == "Signature=" + hexadecimal(wanted)
            ? nil : ("SignatureDoesNotMatch", "The request signature we calculated does not match")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
