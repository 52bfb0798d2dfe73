public import CoreEncodings
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

extension Channel {
    package static let telegram = Channel(known: "telegram")
}

/// Sends by the Telegram Gateway, to people who are on Telegram with their number.
///
/// It has no idempotency key, so a message of unknown fate is not sent again. Source:
/// https://core.telegram.org/gateway/api.
public struct TelegramGateway: MessageGateway {
    public static let standardAddress = "https://gatewayapi.telegram.org"
    /// How many digits a code may have.
    public static let lengths = 4...8

    public let name: String
    public let channels: Set<Channel> = [.telegram]
    public let receiptsPerRequest: Int? = 1

    private let account: TelegramAccount
    private let ttl: Duration
    private let callback: EndpointURL?
    private let checksFirst: Bool
    private let reportsEntries: Bool
    private let access: VendorAccess
    private let client: GatewayClient

    /// - Parameters:
    ///   - ttl: 30 seconds to an hour, after which Telegram takes a message back that did not arrive, and refunds it.
    ///   - callback: where Telegram posts what became of messages (``TelegramReceipts``); nil to ask it alone, which
    ///     is slower.
    ///   - reportsEntries: whether Telegram is notified that codes were entered.
    ///   - checksFirst: whether Telegram is asked first if the number can be reached, which costs as much as a message.
    public init(
        name: String = "telegram",
        account: TelegramAccount,
        ttl: Duration,
        callback: EndpointURL?,
        checksFirst: Bool,
        reportsEntries: Bool = false,
        access: VendorAccess
    ) {
        (self.name, self.account, self.ttl, self.callback) = (name, account, ttl, callback)
        (self.checksFirst, self.reportsEntries, self.access) = (checksFirst, reportsEntries, access)
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        guard let code = message.variables?.code, Self.lengths ~= code.utf8.count else {
            throw .failover("the gateway takes messages with a code of 4 to 8 digits alone")
        }
        let number = JSON.Member("phone_number", .string(message.to.e164))
        var members = [number, .init("code", .string(code)), .init("ttl", .integer(ttl.components.seconds))]
        if let callback { members.append(.init("callback_url", .string(callback.description))) }
        if checksFirst { members.append(.init("request_id", .string(try await check(number)))) }
        do throws(GatewayFailure) {
            return try await receipt(of: "sendVerificationMessage", members)
        } catch {
            let failure = error.concealing(code)
            guard checksFirst, failure.kind == .retry else { throw failure }
            // Another attempt would be checked, and paid for, once more.
            throw .failover("the number was checked, and the message not taken", isFault: failure.isFault)
        }
    }

    /// The ID by which the message is then sent for what the check cost.
    private func check(_ number: JSON.Member) async throws(GatewayFailure) -> String {
        do throws(GatewayFailure) {
            return try await receipt(of: "checkSendAbility", [number]).messageID
        } catch {
            // Nothing was sent, and a second check may cost a second time.
            guard error.kind == .ambiguous else { throw error }
            throw .failover("it is unknown whether the number is on Telegram", isFault: true)
        }
    }

    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        var receipts: [DeliveryReceipt] = []
        for id in messageIDs {
            let response = try await call("checkVerificationStatus", [.init("request_id", .string(id))])
            if let receipt = DeliveryReceipt(telegram: response.json?["result"]) { receipts.append(receipt) }
        }
        return receipts
    }

    public func takesFeedback(by channel: Channel) -> Bool { reportsEntries }

    /// Only with the code, which it has sent itself, does Telegram count it.
    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        guard let code = entry.code()?.digits else { return }
        do throws(GatewayFailure) {
            let members = [JSON.Member("request_id", .string(entry.messageID)), .init("code", .string(code))]
            _ = try await call("checkVerificationStatus", members)
        } catch {
            throw error.concealing(code)
        }
    }

    private func receipt(
        of method: String,
        _ members: [JSON.Member]
    ) async throws(GatewayFailure) -> GatewayReceipt {
        let response = try await call(method, members)
        return try response.receipt(messageID: response.json?["result"]?["request_id"]?.scalarText)
    }

    private func call(_ method: String, _ members: [JSON.Member]) async throws(GatewayFailure) -> GatewayResponse {
        let response = try await client.post(
            json: .object(members),
            to: "\(access.address)/\(method)",
            headers: [("Authorization", "Bearer \(account.accessToken)")]
        )
        let content = response.json
        if let word = content?["error"]?.string, response.status < 500 {
            throw GatewayFailure.telegram(word, after: response.retryAfter).detailed(word)
        }
        if let failure = response.statusFailure { throw failure }
        guard content?["ok"] == .bool(true) else { throw response.unreadable }
        return response
    }
}

extension DeliveryReceipt {
    /// Nil unless it is a status (`RequestStatus`) of a message whose fate is known.
    fileprivate init?(telegram status: JSON?) {
        guard let id = status?["request_id"]?.scalarText else { return nil }
        switch status?["delivery_status"]?["status"]?.string {
        case "delivered", "read": self.init(messageID: id, outcome: .delivered)
        case "expired", "revoked": self.init(messageID: id, outcome: .undelivered(code: nil))
        default: return nil
        }
    }
}

extension GatewayFailure {
    /// Telegram documents no list of its words; those of its other APIs begin like this.
    fileprivate static func telegram(_ word: String, after wait: Duration?) -> GatewayFailure {
        if word.hasPrefix("PHONE_NUMBER") { return .refused("the number is not on Telegram") }
        if word.hasPrefix("FLOOD_WAIT") { return .busy(after: wait, "the gateway is busy") }
        if word.hasPrefix("ACCESS_TOKEN") || word.hasPrefix("BALANCE") { return .failover("the account was refused") }
        return .failover("the gateway refused the message")
    }
}

/// The account that pays for messages.
public struct TelegramAccount: Hashable, Sendable, ConcealsSecrets {
    let accessToken: String

    /// `nil` unless the token is 1 to 128 printable ASCII characters without spaces.
    public init?(accessToken: String) {
        guard accessToken.isGatewayKey() else { return nil }
        self.accessToken = accessToken
    }

    public var description: String { "TelegramAccount" }
}

/// Records the reports that Telegram posts, signed with the time by the digest of the access token. Source:
/// https://core.telegram.org/gateway/api#checking-report-integrity.
public struct TelegramReceipts: ReportIntake {
    public let signatureHeader: String? = "X-Request-Signature"
    public let timestampHeader: String? = "X-Request-Timestamp"
    /// Telegram repeats a report that is answered by anything but 200.
    public let reply: String? = "OK"

    /// How many seconds a report's time may differ from ours. Telegram asks for some limit; a report that comes twice
    /// changes nothing.
    private static let longestAge: Int64 = 3600

    private let gateway: String
    private let account: TelegramAccount
    private let authenticator: any RequestAuthenticator
    private let dispatcher: OutboxDispatcher

    public init(
        of gateway: String = "telegram",
        account: TelegramAccount,
        authenticator: any RequestAuthenticator,
        dispatcher: OutboxDispatcher
    ) {
        (self.gateway, self.account, self.authenticator) = (gateway, account, authenticator)
        self.dispatcher = dispatcher
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try isSigned(report) else { return false }
        try await dispatcher.record(DeliveryReceipt(telegram: try report.content()).map { [$0] } ?? [], of: gateway)
        return true
    }

    private func isSigned(_ report: GatewayReport) throws -> Bool {
        let key = try authenticator.sha256(of: Array(account.accessToken.utf8))
        let signed = Array("\(report.timestamp)\n".utf8) + report.body
        guard try authenticator.isHMACSHA256(report.signature, of: signed, key: key),
            let seconds = Int64(report.timestamp)
        else { return false }
        let now = dispatcher.now.milliseconds / 1000
        return (now - Self.longestAge...now + Self.longestAge).contains(seconds)
    }
}
