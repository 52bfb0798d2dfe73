package import CoreEncodings
import Logging
public import PhoneDomain
import PhoneSignup

/// What a report of any vendor's means: where the message's ID and its state are, in JSON or among a form's or a
/// query's fields (`/status`).
public struct HTTPReportFormat: Hashable, Sendable {
    /// The most reports that are read of one request: each is a change of the store.
    private static let longestList = 1000

    /// Where a request has its reports, in whose elements the other pointers are; nil if it is one report.
    private let listPointer: JSONPointer?
    let idPointer: JSONPointer
    let statusPointer: JSONPointer
    let codePointer: JSONPointer?
    let delivered: Set<String>
    let undelivered: Set<String>

    /// Nil unless there are states of both kinds, and none of both.
    public init?(
        listPointer: JSONPointer? = nil,
        idPointer: JSONPointer,
        statusPointer: JSONPointer,
        codePointer: JSONPointer? = nil,
        delivered: Set<String>,
        undelivered: Set<String>
    ) {
        guard !delivered.isEmpty, !undelivered.isEmpty, delivered.isDisjoint(with: undelivered) else { return nil }
        (self.idPointer, self.statusPointer, self.codePointer) = (idPointer, statusPointer, codePointer)
        (self.delivered, self.undelivered, self.listPointer) = (delivered, undelivered, listPointer)
    }

    /// The reports in a request or an answer; a vendor with only one may send it without its list.
    func reports(in content: JSON) throws(UnreadableReport) -> [JSON] {
        let found = (listPointer.map { $0.value(in: content) } ?? content) ?? .array([])
        let reports = listPointer == nil ? [content] : found.array ?? [found]
        guard reports.count <= Self.longestList else { throw UnreadableReport("it has more than 1000 reports") }
        return reports
    }

    /// The ID that a report is of; nil for what is no report.
    func id(in report: JSON) -> String? {
        idPointer.value(in: report)?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a report says; nil for what is no report.
    func state(in report: JSON) -> String? { statusPointer.value(in: report)?.scalarText }

    /// Nil for a message in transit.
    func outcome(_ state: String, in report: JSON) -> DeliveryReceipt.Outcome? {
        if delivered.contains(state) { return .delivered }
        guard undelivered.contains(state) else { return nil }
        return .undelivered(code: codePointer?.value(in: report)?.scalarText.flatMap { Int($0) }?.asGatewayCode)
    }
}

extension EndpointURL {
    /// Nil unless it is a URL whatever stands in the variables of a template, and none of them chooses the host: that may
    /// get a secret, and the vendor has a say in the values.
    fileprivate init?(filled: (String) -> String) {
        guard let one = EndpointURL(filled("0")), one.origin == EndpointURL(filled("1"))?.origin else { return nil }
        self = one
    }
}

/// How any vendor is notified that the code of a message was entered: by a POST with ``HTTPReceiptQuery/messageID`` and
/// `{{iso_time}}` in its URL or its body.
public struct HTTPFeedback: Hashable, Sendable {
    private static let moment = "{{iso_time}}"
    private let url: String
    private let body: String

    /// Nil unless the URL is one and either has the message's ID.
    public init?(url: String, body: String) {
        (self.url, self.body) = (url, body)
        let isURL = EndpointURL(filled: { value in Self.fill(url, value, value) { $0 } }) != nil
        guard isURL, (url + body).contains(HTTPReceiptQuery.messageID) else { return nil }
    }

    /// The URL with zeros for what changes.
    package var endpoint: EndpointURL? { EndpointURL(Self.fill(url, "0", "0") { $0 }) }

    func request(for entry: CodeEntry, _ format: RequestFormat) -> (url: String, body: String) {
        let (id, time) = (entry.messageID, String(entry.moment.description.prefix { $0 != "." }) + "Z")
        return (Self.fill(url, id, time) { $0.percentEncoded }, Self.fill(body, id, time, format.escaped))
    }

    private static func fill(_ text: String, _ id: String, _ time: String, _ escape: (String) -> String) -> String {
        text.replacing(HTTPReceiptQuery.messageID, with: escape(id)).replacing(moment, with: escape(time))
    }
}

/// What proves that a vendor sent a report.
public struct HTTPReportProof: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The secret itself, in the header or as the field `token`.
        case token
        /// The body's HMAC with SHA-256, in hexadecimal or base64, with or without `sha256=` in front.
        case hmac
    }

    let kind: Kind
    let header: String
    private let secret: String
    private let authenticator: any RequestAuthenticator

    public init(_ kind: Kind, header: String, secret: String, authenticator: any RequestAuthenticator) {
        (self.kind, self.header, self.secret, self.authenticator) = (kind, header, secret, authenticator)
    }

    func isGenuine(_ report: GatewayReport) throws -> Bool {
        let key = Array(secret.utf8)
        switch kind {
        case .token:
            let given = report.signature.isEmpty ? report["token"] ?? "" : report.signature
            let token = given.hasPrefix("Bearer ") ? given.dropFirst(7) : given[...]
            // A plus sign of the secret that the vendor's URL has as it is comes as a space.
            let written = token.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
            return authenticator.areEqual(Array(token.utf8), key) || authenticator.areEqual(written, key)
        case .hmac:
            guard !report.body.isEmpty else { return false }
            let digest = try authenticator.hmacSHA256(of: report.body, key: key)
            let given = Array(report.signature.trimmingPrefix("sha256=").utf8)
            let isHexadecimal = authenticator.areEqual(Array(TextEncoding.hexadecimal.encode(digest).utf8), given)
            let isBase64 = authenticator.areEqual(Array(digest.base64.utf8), given)
            return isHexadecimal || isBase64
        }
    }
}

/// Records the reports that any vendor sends to `/v1/receipts/NAME`, by POST with JSON or a form, or by GET.
public struct HTTPReceipts: ReportIntake {
    private let gateway: String
    private let format: HTTPReportFormat
    private let proof: HTTPReportProof
    private let dispatcher: OutboxDispatcher
    public let reply: String?
    public var signatureHeader: String? { proof.header }
    public var acceptsToken: Bool { proof.kind == .token }

    public init(
        of gateway: String,
        _ format: HTTPReportFormat,
        proof: HTTPReportProof,
        reply: String? = nil,
        dispatcher: OutboxDispatcher
    ) {
        (self.gateway, self.format, self.proof) = (gateway, format, proof)
        (self.reply, self.dispatcher) = (reply, dispatcher)
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try proof.isGenuine(report) else { return false }
        let reports = try format.reports(in: report.content())
        var receipts: [DeliveryReceipt] = []
        var isReport = false
        for report in reports {
            guard let id = format.id(in: report), let state = format.state(in: report) else { continue }
            isReport = true
            format.outcome(state, in: report).map { receipts.append(DeliveryReceipt(messageID: id, outcome: $0)) }
        }
        if !isReport {
            // Some vendors send more than reports; or the pointers are wrong.
            let metadata: Logger.Metadata = ["gateway.name": "\(gateway)"]
            dispatcher.logger.notice("What a gateway sent has no message's ID and state", metadata: metadata)
        }
        try await dispatcher.record(receipts, of: gateway)
        return true
    }
}

/// How any vendor is asked what became of a message: by a GET with ``messageID`` in its URL.
public struct HTTPReceiptQuery: Hashable, Sendable {
    /// What stands for the message's ID in the URL.
    public static let messageID = "{{message_id}}"

    private let format: HTTPReportFormat
    private let url: String

    /// Nil unless it is an http or https URL with ``messageID``, which has no part in where it goes.
    package static func endpoint(of url: String) -> EndpointURL? {
        url.contains(messageID) ? EndpointURL(filled: { url.replacing(messageID, with: $0) }) : nil
    }

    /// - Parameter url: one that has an ``endpoint(of:)``.
    public init(_ format: HTTPReportFormat, url: String) { (self.format, self.url) = (format, url) }

    func url(of id: String) -> String { url.replacing(Self.messageID, with: id.percentEncoded) }

    func receipt(for id: String, in response: GatewayResponse) throws(GatewayFailure) -> DeliveryReceipt? {
        // The vendor has forgotten it, or does not know it yet.
        if response.status == 404 { return nil }
        if let failure = response.statusFailure { throw failure }
        guard let content = response.json, let reports = try? format.reports(in: content) else {
            throw response.unreadable
        }
        // In a list there may be others beside it.
        let report = reports.count == 1 ? reports[0] : reports.first { format.id(in: $0) == id }
        guard let report, let outcome = format.state(in: report).flatMap({ format.outcome($0, in: report) })
        else { return nil }
        return DeliveryReceipt(messageID: id, outcome: outcome)
    }
}
