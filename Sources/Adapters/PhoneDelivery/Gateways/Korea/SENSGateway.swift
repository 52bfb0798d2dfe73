import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Sends by NAVER Cloud SENS, to Korea and to the countries abroad that it serves.
///
/// It has no idempotency key, so a message of unknown fate is not sent again; and it pushes no receipts, so it is
/// polled.
public struct SENSGateway: MessageGateway {
    public static let standardAddress = "https://sens.apigw.ntruss.com"
    /// NAVER Cloud for government agencies.
    public static let agencyAddress = "https://sens.apigw.gov-ntruss.com"

    public let name: String
    public let receiptsPerRequest: Int? = 1

    private let sender: KoreanSender
    private let allowsLongMessages: Bool
    private let origin: String
    private let path: String
    private let signature: SENSSignature
    private let wallClock: any WallClock
    private let client: GatewayClient

    /// - Parameter allowsLongMessages: whether a text that does not fit an SMS may go as an LMS.
    public init(
        name: String = "sens",
        account: SENSAccount,
        sender: KoreanSender,
        allowsLongMessages: Bool,
        access: VendorAccess
    ) {
        (self.name, self.sender, self.allowsLongMessages) = (name, sender, allowsLongMessages)
        origin = access.address.origin
        path = "\(access.address.path)/sms/v2/services/\(account.serviceID)/messages"
        signature = SENSSignature(account: account, authenticator: access.authenticator)
        wallClock = access.wallClock
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let form = try KoreanMessage(message, allowsLong: allowsLongMessages || message.isNotice)
        let request: JSON = [
            "content": .string(message.body), "contentType": "COMM", "countryCode": .string(form.country),
            "from": .string(sender.description), "messages": [["to": .string(form.to)]],
            "type": .string(form.kind.rawValue),
        ]
        let now = wallClock.now()
        let headers = try signature.headers(method: "POST", path: path, at: now)
        let response = try await client.post(json: request, to: origin + path, headers: headers)
        return try SENSResponse(response: response, signedAt: now).receipt()
    }

    /// A request has one message, so the list of a request's messages is enough; where it has no status, the message
    /// itself is fetched.
    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        var receipts: [DeliveryReceipt] = []
        for requestID in messageIDs {
            let listed = try await fetch("?requestId=\(requestID.percentEncoded)", of: requestID)
            var message = listed
            if let listed, !listed.hasStatus, let id = listed.messageID {
                message = try await fetch("/\(id.percentEncoded)", of: requestID)
            }
            guard let outcome = message?.outcome else { continue }
            receipts.append(DeliveryReceipt(messageID: requestID, outcome: outcome))
        }
        return receipts
    }

    private func fetch(_ rest: String, of requestID: String) async throws(GatewayFailure) -> SENSStatus? {
        let now = wallClock.now()
        let response = try await client.get(
            origin + path + rest,
            headers: signature.headers(method: "GET", path: path + rest, at: now)
        )
        // Unknown there, or not yet known.
        if response.status == 404 { return nil }
        if let failure = SENSResponse(response: response, signedAt: now).failure { throw failure }
        guard let content = response.json else { throw response.unreadable }
        return SENSStatus(content, of: requestID)
    }
}

/// The service of NAVER Cloud that sends messages, and its key.
public struct SENSAccount: Hashable, Sendable, ConcealsSecrets {
    /// What the console shows: `ncp:sms:kr:000000000000:name`.
    public let serviceID: String
    public let accessKey: String
    let secretKey: String

    /// `nil` unless the service ID begins with `ncp:sms:` and has letters, digits, `:`, `-`, `_` and `.` alone, and
    /// both parts of the key are 1 to 128 printable ASCII characters without spaces.
    public init?(serviceID: String, accessKey: String, secretKey: String) {
        guard serviceID.hasPrefix("ncp:sms:"), 9...128 ~= serviceID.utf8.count,
            serviceID.utf8.allSatisfy({ $0.isASCIIAlphanumeric || ":-_.".utf8.contains($0) }),
            accessKey.isGatewayKey(), secretKey.isGatewayKey()
        else { return nil }
        (self.serviceID, self.accessKey, self.secretKey) = (serviceID, accessKey, secretKey)
    }

    public var description: String { serviceID }
}

/// Signs the method, the path with its query, and the time of a request, not the body.
///
/// Source: https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSSignature {
    let account: SENSAccount
    let authenticator: any RequestAuthenticator

    func headers(method: String, path: String, at now: Timestamp) throws(GatewayFailure) -> [GatewayClient.Header] {
        let text = "\(method) \(path)\n\(now.milliseconds)\n\(account.accessKey)"
        do {
            let digest = try authenticator.hmacSHA256(of: Array(text.utf8), key: Array(account.secretKey.utf8))
            return [
                ("x-ncp-apigw-timestamp", "\(now.milliseconds)"),
                ("x-ncp-iam-access-key", account.accessKey),
                ("x-ncp-apigw-signature-v2", digest.base64),
            ]
        } catch {
            throw .failover("the request cannot be signed")
        }
    }
}

/// Interprets a response of NAVER Cloud SENS to a message.
///
/// | response | meaning |
/// |---|---|
/// | 202 with `success` and a request ID | accepted |
/// | 2xx with anything else than success | surely not accepted by this gateway |
/// | 2xx that is unreadable, has neither success nor failure, or no request ID | unknown |
/// | 401 while the two clocks are five minutes apart | surely not accepted: one of the clocks is wrong |
/// | 404 | surely not accepted: there is no such service |
/// | anything else | what the status means (``GatewayResponse/statusFailure``), with the API gateway's code if it gave one |
///
/// A 400 may mean the number, the sender or the text, so another gateway is asked.
/// Sources: https://api.ncloud-docs.com/docs/sens-sms-send, https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSResponse {
    let response: GatewayResponse
    let signedAt: Timestamp

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json, content.isObject else { throw response.unreadable }
        let (name, code) = (content["statusName"]?.string, content["statusCode"]?.integer)
        guard name != nil || code != nil else {
            throw .ambiguous("the response does not say whether the message was accepted", code: response.status)
        }
        // Half a success is none.
        guard name == "success", code == 202 else { throw .failover("the gateway refused the message", code: code) }
        return try response.receipt(messageID: content["requestId"]?.string)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        // An error of the API gateway, before the service was reached: `{"error": {"errorCode": "200", …}}`.
        let code = response.json?["error"]?["errorCode"]?.integer ?? response.status
        switch response.status {
        case 401 where response.isSkewed(from: signedAt, by: .seconds(300)):
            return .failover("the clocks are over five minutes apart", code: code)
        case 401, 403: return .failover("the account was refused", code: code)
        case 404: return .failover("there is no such service", code: code)
        case 429: return .busy(after: response.retryAfter, "the gateway is busy", code: code)
        case 504: return .ambiguous("no response in time", code: code)
        default: return failure
        }
    }
}

/// Source: https://api.ncloud-docs.com/docs/sens-sms-list, https://api.ncloud-docs.com/docs/sens-sms-get.
struct SENSStatus {
    let messageID: String?
    private let status: String?
    private let code: Int?
    private let name: String?

    /// Nil unless the response has one message, of this request.
    init?(_ content: JSON, of requestID: String) {
        guard let messages = content["messages"]?.array, let message = messages.first, messages.count == 1,
            message["requestId"]?.string == requestID
        else { return nil }
        messageID = message["messageId"]?.string
        (status, name) = (message["status"]?.string, message["statusName"]?.string)
        code = message["statusCode"]?.integer
    }

    var hasStatus: Bool { status != nil }

    /// Nil while it is `READY` or `PROCESSING`, and where name and code contradict each other.
    var outcome: DeliveryReceipt.Outcome? {
        guard status == "COMPLETED" else { return nil }
        switch (name, code) {
        case ("success", 0): return .delivered
        case ("fail", let code) where code != 0: return .undelivered(code: code?.asGatewayCode)
        default: return nil
        }
    }
}
