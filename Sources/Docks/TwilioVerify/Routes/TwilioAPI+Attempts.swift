import CoreEncodings
import HTTPTypes
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneSignup
import SMSStub

/// Twilio Verify's attempts: the messages of an account's tenants, and their results. A key of one tenant sees that
/// one's only.
extension TwilioAPI {
    private static let filters = [
        "DateCreatedAfter", "DateCreatedBefore", "ChannelData.To", "Country", "Channel", "VerifyServiceSid",
        "VerificationSid", "Status",
    ]

    func addAttempts(to router: APIRouter) {
        router
            .get(use: list)
            .get("Summary", use: summarize)
            .get("{attempt}", use: show)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let urls = urls(request)
        let page = TwilioPage(request, address: urls.base + "/Attempts", filters: Self.filters)
        let caller = try context.tenants()
        guard var query = try query(request, caller) else { return Response(json: page.json("attempts", [])) }
        query.after = try page.token.map { token in
            guard let cursor = MessageQuery.Cursor(token: token) else { throw TwilioError.parameter("PageToken") }
            return cursor
        }
        let attempts = try await useCase.messages(query, limit: page.size + 1)
        let last = attempts.count > page.size ? attempts[page.size - 1] : nil
        let items = attempts.map { $0.twilioJSON(caller.account, urls) }
        return Response(
            json: page.json(
                "attempts",
                items,
                nextToken: last.map { MessageQuery.Cursor(at: $0.message.createdAt, id: $0.message.id).token }
            )
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        var query = MessageQuery(of: caller.account, tenant: caller.tenant)
        query.message = try context.sid("attempt")
        guard let attempt = try await useCase.messages(query, limit: 1).first else { throw TwilioError.notFound }
        return Response(json: attempt.twilioJSON(caller.account, urls(request)))
    }

    @Sendable private func summarize(request: Request, context: APIContext) async throws -> Response {
        var count = MessageCount(total: 0, approved: 0)
        if var query = try query(request, context.tenants()) {
            if let text = request.query("DestinationPrefix") {
                let prefix = text.hasPrefix("+") ? text : "+" + text
                guard Self.isBeginning(prefix) else { throw TwilioError.parameter("DestinationPrefix") }
                query.prefix = prefix
            }
            count = try await useCase.count(query)
        }
        return Response(
            json: [
                "total_attempts": .integer(count.total),
                "total_converted": .integer(count.approved),
                "total_unconverted": .integer(count.total - count.approved),
                "conversion_rate_percentage": .string(count.percentText),
                "url": .string(urls(request).base + "/Attempts/Summary"),
            ]
        )
    }

    /// Whether this is a number in E.164, or a prefix of one.
    private static func isBeginning(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") && (2...16).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    private func query(_ request: Request, _ caller: TenantCaller) throws -> MessageQuery? {
        func value<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value? {
            guard let text = request.query(name) else { return nil }
            guard let value = read(text) else { throw TwilioError.parameter(name) }
            return value
        }
        let tenant: Tenant.ID? = try value("VerifyServiceSid", Tenant.ID.init(sid:)) ?? caller.tenant
        if let only = caller.tenant, tenant != only { return nil }
        var query = MessageQuery(of: caller.account, tenant: tenant)
        query.verification = try value("VerificationSid", Verification.ID.init(sid:))
        if let channel = request.query("Channel") {
            guard let channel = Channel(rawValue: channel.asciiLowercased) else { return nil }
            query.channel = channel
        }
        query.e164 = try value("ChannelData.To") { Self.isBeginning($0) ? $0 : nil }
        query.region = try value("Country") { Region($0) }
        query.isApproved = try value("Status") { ["converted": true, "unconverted": false][$0] }
        query.since = try value("DateCreatedAfter") { Timestamp(inQuery: $0) }
        query.until = try value("DateCreatedBefore") { Timestamp(inQuery: $0) }
        return query
    }
}

extension MessageQuery.Cursor {
    fileprivate var token: String { "PA\(at.milliseconds).\(id.hexadecimal)" }

    fileprivate init?(token: String) {
        let parts = token.dropFirst(2).split(separator: ".")
        guard token.hasPrefix("PA"), parts.count == 2, let milliseconds = Int64(parts[0]),
            let id = OutboxMessage.ID(hexadecimal: parts[1])
        else { return nil }
        self.init(at: Timestamp(milliseconds: milliseconds), id: id)
    }
}

extension MessageCount {
    /// The conversion rate with two decimals, truncated: `81.81`.
    fileprivate var percentText: String {
        let hundredths = total == 0 ? 0 : approved * 10_000 / total
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension OutboxClaim {
    /// The message as an attempt of Twilio Verify (https://github.com/twilio/twilio-oai,
    /// `verify.v2.verification_attempt`). Price and carrier are unknown, and null.
    func twilioJSON(_ account: TenantAccount.ID, _ urls: TwilioURLs) -> JSON {
        let verificationSID = JSON.string(verification.id.sid)
        return [
            "sid": .string(message.id.sid),
            "account_sid": .string(account.sid),
            "service_sid": .string(verification.owner.tenant?.sid),
            "verification_sid": verificationSID,
            "date_created": .string(message.createdAt.wholeSecondsText),
            "date_updated": .string(max(message.createdAt, verification.updatedAt).wholeSecondsText),
            "conversion_status": verification.recordedStatus == .approved ? "converted" : "unconverted",
            "channel": .string(message.channel.rawValue),
            "price": ["value": nil, "currency": nil],
            "channel_data": [
                "verification_sid": verificationSID,
                "to": .string(verification.phoneNumber.e164),
                "status": .string(verification.recordedStatus.rawValue),
                "message_status": .string(messageStatus),
                "error_code": .string(errorCode),
                "country": .string(verification.phoneNumber.region.description),
                "code_length": nil,
                "locale": .string(verification.language.description),
                "mcc": nil,
                "mnc": nil,
                "carrier": nil,
            ],
            "url": .string("\(urls.base)/Attempts/\(message.id.sid)"),
        ]
    }

    /// A silently suppressed message looks as if it had been sent.
    private var messageStatus: String {
        switch message.status {
        case .queued: "queued"
        case .sent, .withheld: "sent"
        case .unknown: "unknown"
        case .delivered: "delivered"
        case .undelivered: "undelivered"
        case .failed: "failed"
        case .dropped: "canceled"
        }
    }

    /// The gateway's code, in brackets at the end of the stored failure.
    private var errorCode: String? {
        guard let failure = message.failure, failure.hasSuffix(")"), let start = failure.lastIndex(of: "(") else {
            return nil
        }
        let code = failure[failure.index(after: start)...].dropLast()
        return code.isEmpty || !code.allSatisfy(\.isNumber) ? nil : String(code)
    }
}
