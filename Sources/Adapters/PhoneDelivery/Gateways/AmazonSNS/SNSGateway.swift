public import CoreEncodings
import PhoneDomain

/// Sends by Amazon SNS, as transactional messages, or by a server with the same API, such as LocalStack.
///
/// SNS has no idempotency key for text messages, so one of unknown fate is not sent again. Its delivery reports go to
/// CloudWatch alone, which is not read.
public struct SNSGateway: MessageGateway {
    public let name: String

    private let sender: SNSSender
    private let address: EndpointURL
    private let signer: AWSRequestSigner
    private let wallClock: any WallClock
    private let client: GatewayClient

    /// - Parameter access: to ``EndpointURL/sns(in:)`` for Amazon's own.
    public init(
        name: String = "sns",
        credentials: AWSCredentials,
        region: AWSRegion,
        sender: SNSSender,
        access: VendorAccess
    ) {
        self.name = name
        self.sender = sender
        (address, wallClock) = (access.address, access.wallClock)
        signer = AWSRequestSigner(
            credentials: credentials,
            region: region,
            service: "sns",
            authenticator: access.authenticator
        )
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let attributes = [("AWS.SNS.SMS.SMSType", "Transactional")] + sender.attributes
        let form = URLEncodedForm(
            [
                ("Action", "Publish"), ("Version", "2010-03-31"), ("PhoneNumber", message.to.e164),
                ("Message", message.body),
            ]
                + attributes.enumerated().flatMap { index, attribute in
                    let entry = "MessageAttributes.entry.\(index + 1)"
                    return [
                        ("\(entry).Name", attribute.0), ("\(entry).Value.DataType", "String"),
                        ("\(entry).Value.StringValue", attribute.1),
                    ]
                }
        )
        // Signed as it is sent: the client's own header may differ.
        let host = ("Host", address.authority)
        let signature: [GatewayClient.Header]
        do {
            signature = try signer.headers(
                signing: "POST",
                path: address.path + "/",
                headers: [("Content-Type", URLEncodedForm.contentType), host],
                body: form.bytes,
                at: wallClock.now()
            )
        } catch {
            throw .retry("the request cannot be signed")
        }
        // Amazon responds in XML unless JSON is asked for.
        let headers = signature + [host, ("Accept", "text/xml")]
        return try SNSResponse(response: try await client.post(form, to: "\(address)/", headers: headers)).receipt()
    }
}

extension EndpointURL {
    /// Amazon's SNS in a region. Source: https://docs.aws.amazon.com/general/latest/gr/sns.html.
    public static func sns(in region: AWSRegion) -> EndpointURL {
        let domain = region.description.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return EndpointURL(httpsHost: "sns.\(region).\(domain)")
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

/// The sender of messages. Amazon chooses among the account's numbers where none is given.
/// Source: https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html.
public struct SNSSender: Hashable, Sendable {
    public let id: SNSSenderID?
    /// The number to send from in countries that allow no names, and for two-way messages.
    public let number: SNSOriginationNumber?

    public init(id: SNSSenderID? = nil, number: SNSOriginationNumber? = nil) {
        (self.id, self.number) = (id, number)
    }

    fileprivate var attributes: [(String, String)] {
        let name = id.map { [("AWS.SNS.SMS.SenderID", $0.description)] } ?? []
        return name + (number.map { [("AWS.MM.SMS.OriginationNumber", $0.description)] } ?? [])
    }
}

/// A name that messages come from where the country allows one.
public struct SNSSenderID: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// `nil` unless it is 1 to 11 ASCII letters and digits, at least one of them a letter.
    public init?(_ description: String) {
        guard description.isSenderName else { return nil }
        self.description = description
    }
}

/// A number of the account that messages come from: a short code, or a number in E.164.
public struct SNSOriginationNumber: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// `nil` unless it is 5 to 14 digits, or `+` and 7 to 15.
    public init?(_ description: String) {
        guard description.isSenderNumber(withoutPlus: 5...14) else { return nil }
        self.description = description
    }
}

/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html.
public struct AWSCredentials: Hashable, Sendable, ConcealsSecrets {
    public let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    public var isTemporary: Bool { sessionToken != nil }

    /// `nil` unless the ID is 11 to 128 ASCII letters, digits and underscores, and the secret and the token, if there
    /// is one, are printable ASCII without spaces, of at most 128 and 4096 characters.
    ///
    /// - Parameter sessionToken: of temporary credentials. They expire within hours, and are not renewed here.
    public init?(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        // Amazon's own example, AKIDEXAMPLE, has 11.
        guard 11...128 ~= accessKeyID.utf8.count,
            accessKeyID.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }),
            secretAccessKey.isGatewayKey(), sessionToken?.isGatewayKey(1...4096) ?? true
        else { return nil }
        (self.accessKeyID, self.secretAccessKey) = (accessKeyID, secretAccessKey)
        self.sessionToken = sessionToken
    }

    public var description: String { accessKeyID }
}

/// Signs requests without a query to Amazon's services (Signature Version 4).
///
/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html.
struct AWSRequestSigner {
    let credentials: AWSCredentials
    let region: AWSRegion
    /// As signatures name it: `sns`.
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
