public import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Posts signed requests to one of Amazon's services.
struct AWSClient: Sendable {
    private let service: String
    private let credentials: AWSCredentialsProvider
    private let region: AWSRegion
    private let access: VendorAccess
    private let client: GatewayClient

    /// - Parameter service: as signatures name it: `sns`.
    init(service: String, credentials: AWSCredentialsProvider, region: AWSRegion, access: VendorAccess) {
        (self.service, self.credentials, self.region, self.access) = (service, credentials, region, access)
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    func post(
        _ body: [UInt8],
        contentType: String,
        headers: [GatewayClient.Header] = [],
        unsigned: [GatewayClient.Header] = []
    ) async throws(GatewayFailure) -> GatewayResponse {
        let (address, credentials) = (access.address, try await credentials.credentials())
        // Signed as it is sent: the client's own header may differ.
        let host = ("Host", address.authority)
        let signature: [GatewayClient.Header]
        do {
            let signer = AWSRequestSigner(
                credentials: credentials,
                region: region,
                service: service,
                authenticator: access.authenticator
            )
            signature = try signer.headers(
                signing: "POST",
                path: address.path + "/",
                headers: [("Content-Type", contentType), host] + headers,
                body: body,
                at: access.wallClock.now()
            )
        } catch {
            throw .retry("the request cannot be signed")
        }
        let response = try await client.post(
            body,
            contentType: contentType,
            to: "\(address)/",
            headers: headers + signature + [host] + unsigned
        )
        if 400..<500 ~= response.status, response.body?.firstRange(of: "ExpiredToken".utf8) != nil {
            self.credentials.discard(credentials)
        }
        return response
    }
}

extension EndpointURL {
    /// One of Amazon's services in a region. Source: https://docs.aws.amazon.com/general/latest/gr/sns.html.
    public static func amazon(_ service: String, in region: AWSRegion) -> EndpointURL {
        let domain = region.description.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return EndpointURL(httpsHost: "\(service).\(region).\(domain)")
    }
}

/// A region of Amazon, such as `ap-northeast-2` for Seoul. Those that send text messages:
/// https://docs.aws.amazon.com/sns/latest/dg/sns-supported-regions-countries.html.
public struct AWSRegion: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// `nil` unless it has the form of a region: lower-case words of ASCII letters and a number, with hyphens between.
    public init?(_ description: String) {
        let parts = description.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 3, description.utf8.count <= 32, let number = parts.last, 1...2 ~= number.count,
            number.allSatisfy(\.isASCIIDigit),
            parts.dropLast().allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIILowerCase) })
        else { return nil }
        self.description = description
    }
}

/// Signs requests without a query to Amazon's services (Signature Version 4).
///
/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html.
struct AWSRequestSigner {
    let credentials: AWSCredentials
    let region: AWSRegion
    /// The name in signatures: `sns`.
    let service: String
    let authenticator: any RequestAuthenticator

    /// The headers to add to a request.
    ///
    /// - Parameters:
    ///   - path: percent-encoded, with a slash at its beginning.
    ///   - headers: those that are signed, `Host` among them: each once, without white space around its value or twice
    ///     within. They must be sent exactly so.
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
        let bodyDigest = try TextEncoding.hexadecimal.encode(authenticator.sha256(of: body))
        let request = ([method, path, ""] + signed.map { "\($0.name):\($0.value)" } + ["", names, bodyDigest])
            .joined(separator: "\n")
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let requestDigest = try TextEncoding.hexadecimal.encode(authenticator.sha256(of: Array(request.utf8)))
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(requestDigest)"
        let signature = try TextEncoding.hexadecimal.encode(
            authenticator.hmacSHA256(of: Array(text.utf8), key: key(day: day))
        )

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

    /// ISO 8601's basic format, in whole seconds: `20150830T123600Z`.
    private static func time(_ moment: Timestamp) -> String {
        moment.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
