public import CoreEncodings
public import PhoneDomain

/// Records the delivery receipts that Twilio posts (`StatusCallback`).
///
/// Only a signature over the configured URL counts: the URL that a request names is the caller's choice.
/// Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status.
public struct TwilioReceipts: ReportIntake {
    private let check: TwilioCallbackCheck
    private let dispatcher: OutboxDispatcher
    private let gateway: String
    public let signatureHeader: String? = TwilioSignature.header

    /// - Parameter address: exactly the URL that the gateway gives to Twilio.
    public init(
        of gateway: String = "twilio",
        account: TwilioAccount,
        address: EndpointURL,
        authenticator: any RequestAuthenticator,
        dispatcher: OutboxDispatcher
    ) {
        self.gateway = gateway
        check = TwilioCallbackCheck(address: address, account: account, authenticator: authenticator)
        self.dispatcher = dispatcher
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try check.isSigned(report) else { return false }
        try report.requireForm()
        guard let outcome = Self.outcome(of: report), let id = report["MessageSid"] ?? report["CallSid"], !id.isEmpty
        else { return true }
        try await dispatcher.record(DeliveryReceipt(messageID: id, outcome: outcome), of: gateway)
        return true
    }

    private static func outcome(of report: GatewayReport) -> DeliveryReceipt.Outcome? {
        switch report["MessageStatus"] ?? report["CallStatus"] {
        // A call that somebody took, if only a mailbox.
        case "delivered", "read", "completed": .delivered
        case "undelivered", "failed", "busy", "no-answer", "canceled":
            .undelivered(code: report["ErrorCode"].flatMap { Int($0) }?.asGatewayCode)
        default: nil
        }
    }
}

extension GatewayReport {
    /// Twilio signs JSON in another way, and sends none of what is taken here.
    func requireForm() throws(UnreadableReport) {
        guard body.isEmpty else { throw UnreadableReport("it is no form") }
    }
}

/// Checks the signature of a form that Twilio posts.
struct TwilioCallbackCheck {
    let address: EndpointURL
    let account: TwilioAccount
    let authenticator: any RequestAuthenticator

    /// Compares with every spelling of the URL, in constant time.
    func isSigned(_ form: GatewayReport) throws -> Bool {
        let signature = TwilioSignature(authenticator: authenticator)
        let fields = form.fields.map { (name: $0.name, value: $0.value) }
        let received = Array(form.signature.utf8)
        return try address.signedSpellings.reduce(false) { isSigned, url in
            let expected = try signature.text(url: url, fields: fields, token: account.authToken)
            let isSame = authenticator.areEqual(Array(expected.utf8), received)
            return isSigned || isSame
        }
    }
}

/// The `X-Twilio-Signature` header of the forms that Twilio posts.
///
/// Signed are the URL as it was given to Twilio, and every field's name and value, sorted by name and then by value in
/// byte order, without duplicates. Source: https://www.twilio.com/docs/usage/webhooks/webhooks-security.
package struct TwilioSignature {
    package static let header = "X-Twilio-Signature"

    private let authenticator: any RequestAuthenticator

    package init(authenticator: any RequestAuthenticator) { self.authenticator = authenticator }

    /// - Parameter url: including its query.
    package func text(url: String, fields: [(name: String, value: String)], token: String) throws -> String {
        let pairs = Set(fields.map { [Array($0.name.utf8), Array($0.value.utf8)] })
            .sorted { $0.lexicographicallyPrecedes($1) { $0.lexicographicallyPrecedes($1) } }
        let signed = Array(url.utf8) + pairs.joined().joined()
        return try authenticator.hmacSHA1(of: signed, key: Array(token.utf8)).base64
    }
}

extension EndpointURL {
    /// With and without the port, and with the query as it is and as older parts of Twilio write it: it is not
    /// documented which of these is signed (`validateRequest` of https://github.com/twilio/twilio-node,
    /// `src/webhooks/webhooks.ts`).
    fileprivate var signedSpellings: [String] {
        let scheme = description.prefix { $0 != ":" }
        let full = "\(host):\(port ?? (isPlain ? 80 : 443))"
        return Set([path, Self.recoded(path)]).sorted().flatMap {
            ["\(scheme)://\(host)\($0)", "\(scheme)://\(full)\($0)"]
        }
    }

    /// The path with its query decoded and encoded again, as `querystring` of Node.js does it.
    private static func recoded(_ rest: String) -> String {
        guard let mark = rest.firstIndex(of: "?") else { return rest }
        let pairs = rest[rest.index(after: mark)...].split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return "\(recodedPart(name))=\(recodedPart(pair.dropFirst(name.count + 1)))"
        }
        return rest[..<mark] + "?" + pairs.joined(separator: "&")
    }

    private static func recodedPart(_ text: Substring) -> String {
        let decoded =
            String(percentDecoding: text, hasPlusForSpace: true, isStrict: false)
            ?? String(text.map { $0 == "+" ? " " : $0 })
        // What Node.js leaves as it is besides the unreserved characters.
        return [("%21", "!"), ("%2A", "*"), ("%27", "'"), ("%28", "("), ("%29", ")")].reduce(decoded.percentEncoded) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
