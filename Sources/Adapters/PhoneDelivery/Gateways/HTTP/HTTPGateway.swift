import CoreEncodings
import NIOHTTP1
import PhoneDomain
public import PhoneSignup

/// Sends by any HTTP API, as configured.
public struct HTTPGateway: MessageGateway {
    public let name: String

    public let channels: Set<Channel>
    public let reportsDelivery: Bool

    private let configuration: HTTPGatewayConfiguration
    private let query: HTTPReceiptQuery?
    private let feedback: HTTPFeedback?
    private let senders: [RatedSender<String>]
    private let access: VendorAccess
    private let client: GatewayClient

    /// - Parameters:
    ///   - reportsDelivery: whether the vendor reports what became of messages (``HTTPReceipts``).
    ///   - query: how it is asked that; nil if it is not.
    public init(
        name: String = "http",
        configuration: HTTPGatewayConfiguration,
        channels: Set<Channel> = [.sms],
        senders: [RatedSender<String>] = [],
        reportsDelivery: Bool = false,
        query: HTTPReceiptQuery? = nil,
        feedback: HTTPFeedback? = nil,
        access: VendorAccess
    ) {
        (self.name, self.senders, self.feedback, self.access) = (name, senders, feedback, access)
        (self.configuration, self.channels, self.query) = (configuration, channels, query)
        self.reportsDelivery = reportsDelivery || query != nil
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public var isIdempotent: Bool { configuration.isIdempotent }
    public var messagesPerSecond: [Double] { senders.map(\.perSecond) }

    public var receiptsPerRequest: Int? { query == nil ? nil : 1 }

    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        guard let query, let id = messageIDs.first else { return [] }
        let headers = generalHeaders.filter { !Self.isContentType($0) }
        let response = try await client.get(query.url(of: id), headers: headers)
        return try query.receipt(for: id, in: response).map { [$0] } ?? []
    }

    public func takesFeedback(by channel: Channel) -> Bool { feedback != nil }

    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        guard let (url, body) = feedback?.request(for: entry, configuration.format) else { return }
        try await post(body, to: url, headers: generalHeaders).requireSuccess()
    }

    /// - Parameter headers: a `Content-Type` among them replaces the format's.
    private func post(
        _ body: String,
        to url: String,
        method: HTTPMethod = .POST,
        headers: [GatewayClient.Header]
    ) async throws(GatewayFailure) -> GatewayResponse {
        try await client.post(
            Array(body.utf8),
            contentType: headers.first(where: Self.isContentType)?.value ?? configuration.format.contentType,
            to: url,
            method: method,
            headers: headers.filter { !Self.isContentType($0) }
        )
    }

    /// The headers that concern no message.
    private var generalHeaders: [GatewayClient.Header] {
        let headers = configuration.headers.filter { header in
            header.value.variables.allSatisfy { $0.plain.map(RequestVariable.secrets.contains) ?? false }
        }
        let secret = configuration.secret ?? ""
        return headers.map { $0.filled { $0 == .plain(.secret) ? secret : secret.utf8.base64 } }
    }

    private static func isContentType(_ header: GatewayClient.Header) -> Bool {
        header.name.lowercased() == "content-type"
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        // Routes lead no notice here, but one that another process queued before a change of settings may come.
        if configuration.takesCodes, message.isNotice {
            throw .failover("the gateway takes messages with a code alone")
        }
        let (url, body, headers) = try request(message)
        let method = HTTPMethod(rawValue: configuration.method.rawValue)
        let response = try await post(body, to: url, method: method, headers: headers)
        do throws(GatewayFailure) {
            return try configuration.verdicts.receipt(in: response, dedupeKey: message.dedupeKey)
        } catch {
            throw error.concealing(message.variables?.code)
        }
    }

    private func request(
        _ message: GatewayMessage
    ) throws(GatewayFailure) -> (url: String, body: String, headers: [GatewayClient.Header]) {
        let (endpoint, kind) = (configuration.url.endpoint, message.variables?.template ?? .standard)
        do {
            let values = RequestValues(
                message: message,
                sender: senders.sender(of: message, orElse: configuration.sender ?? ""),
                secret: configuration.secret ?? "",
                template: configuration.templates?.id(for: kind, in: message.language) ?? "",
                moment: access.wallClock.now(),
                nonce: try access.identifiers.makeRandomText()
            )
            let url = configuration.url.template.filled { values[$0].percentEncoded }
            let body = configuration.body.filled { configuration.format.escaped(values[$0]) }
            let signed = try SignedRequest(
                values,
                url: url,
                host: endpoint.authority,
                body: body,
                configuration.digests,
                access.authenticator
            )
            let headers = configuration.headers.map { $0.filled { signed[$0] } }
            // Signed as it is sent: the client's own header may differ.
            return (url, body, headers + (configuration.digests.isEmpty ? [] : [("Host", endpoint.authority)]))
        } catch {
            throw .retry("the request cannot be signed")
        }
    }
}

/// How a vendor's responses are interpreted.
public struct HTTPGatewayVerdicts: Hashable, Sendable {
    /// The codes of refusals.
    public struct Codes: Hashable, Sendable {
        /// Where a refusal has its code; without one there it is where success is.
        var pointer: JSONPointer?
        let retry: Set<String>
        /// No gateway will accept the message after them: the number or the text is bad.
        let refuse: Set<String>

        public init(pointer: JSONPointer? = nil, retry: Set<String> = [], refuse: Set<String> = []) {
            (self.pointer, self.retry, self.refuse) = (pointer, retry, refuse)
        }
    }

    public struct Statuses: Hashable, Sendable {
        /// The message may be accepted later after them, as after 408, 425, 429 and 5xx.
        let retry: Set<Int>
        /// Another gateway may accept the message after them, as after other 3xx and 4xx.
        let failover: Set<Int>
        let refuse: Set<Int>

        public init(retry: Set<Int> = [], failover: Set<Int> = [], refuse: Set<Int> = []) {
            (self.retry, self.failover, self.refuse) = (retry, failover, refuse)
        }
    }

    /// Where a response of 2xx says whether the message was accepted; nil if 2xx is enough.
    let successPointer: JSONPointer?
    let successValues: Set<String>
    /// Where the vendor's ID for the message is; nil to ignore it.
    let idPointer: JSONPointer?
    private(set) var codes: Codes
    let statuses: Statuses

    /// Nil unless there are success values if and only if there is a success pointer, codes only where there is a
    /// pointer to either, no code and no status in two lists, and statuses from 300 to 599.
    public init?(
        successPointer: JSONPointer? = nil,
        successValues: Set<String> = [],
        idPointer: JSONPointer? = nil,
        codes: Codes = Codes(),
        statuses: Statuses = Statuses()
    ) {
        guard (successPointer == nil) == successValues.isEmpty,
            codes.pointer ?? successPointer != nil || codes.retry.isEmpty && codes.refuse.isEmpty,
            codes.retry.isDisjoint(with: codes.refuse),
            codes.pointer != nil || successValues.isDisjoint(with: codes.retry.union(codes.refuse)),
            statuses.retry.isDisjoint(with: statuses.failover), statuses.refuse.isDisjoint(with: statuses.retry),
            statuses.refuse.isDisjoint(with: statuses.failover),
            statuses.retry.union(statuses.failover).union(statuses.refuse).allSatisfy({ 300..<600 ~= $0 })
        else { return nil }
        (self.successPointer, self.successValues, self.idPointer) = (successPointer, successValues, idPointer)
        self.codes = codes
        self.codes.pointer = codes.pointer ?? successPointer
        self.statuses = statuses
    }

    /// | response | meaning |
    /// |---|---|
    /// | 2xx with a success value, or any where nothing more is required | accepted |
    /// | 2xx with another value, or 4xx, and a listed code | surely not sent; the list determines what follows |
    /// | 2xx with another value, or with none and a code | surely not sent; another gateway may |
    /// | 2xx that is unreadable, or lacks what is required | unknown |
    /// | a listed status | surely not sent; the list determines what follows |
    /// | any other | what its status means (``GatewayResponse/statusFailure``) |
    ///
    /// - Parameter dedupeKey: stands for the ID where the vendor gives none.
    func receipt(in response: GatewayResponse, dedupeKey: String) throws(GatewayFailure) -> GatewayReceipt {
        do throws(GatewayFailure) {
            return try verdict(on: response, dedupeKey)
        } catch {
            throw error.detailed(response.json.flatMap(code))
        }
    }

    private func verdict(
        on response: GatewayResponse,
        _ dedupeKey: String
    ) throws(GatewayFailure) -> GatewayReceipt {
        let content = response.json
        if let failure = response.statusFailure {
            if 400..<500 ~= response.status, let content, let failure = codeFailure(in: content, response) {
                throw failure
            }
            throw statusFailure(response) ?? failure
        }
        guard successPointer != nil || idPointer != nil else { return GatewayReceipt(messageID: dedupeKey) }
        guard let content else { throw response.unreadable }
        if let successPointer {
            guard let value = successPointer.value(in: content)?.scalarText else {
                if let failure = codeFailure(in: content, response) { throw failure }
                // As of Tencent, which has an error in place of the messages.
                if code(in: content) != nil {
                    throw .failover("the gateway refused the message", code: response.status)
                }
                throw .ambiguous("the response does not say whether the message was accepted", code: response.status)
            }
            guard successValues.contains(value) else {
                throw codeFailure(in: content, response)
                    ?? .failover("the gateway refused the message", code: Int(value) ?? response.status)
            }
        }
        guard let idPointer else { return GatewayReceipt(messageID: dedupeKey) }
        return try response.receipt(messageID: idPointer.value(in: content)?.scalarText)
    }

    /// The code of a refusal, which may also be where success is.
    private func code(in content: JSON) -> String? {
        let pointers = [codes.pointer, successPointer].compactMap(\.self)
        return pointers.lazy.compactMap { $0.value(in: content)?.scalarText }.first { !successValues.contains($0) }
    }

    private func codeFailure(in content: JSON, _ response: GatewayResponse) -> GatewayFailure? {
        guard let code = code(in: content) else { return nil }
        let number = Int(code) ?? response.status
        if codes.retry.contains(code) {
            return .busy(after: response.retryAfter, "the gateway is busy", code: number)
        }
        return codes.refuse.contains(code) ? .refused("the gateway refused the number", code: number) : nil
    }

    private func statusFailure(_ response: GatewayResponse) -> GatewayFailure? {
        let status = response.status
        if statuses.retry.contains(status) {
            return .busy(after: response.retryAfter, "the gateway is busy", code: status)
        }
        if statuses.failover.contains(status) {
            return .failover("the gateway refused the message", code: status)
        }
        return statuses.refuse.contains(status) ? .refused("the gateway refused the number", code: status) : nil
    }
}
