import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup

// Verifications, their messages, gateways, and the webhooks' events.

extension AdminRoutes {
    func addDeliveryRoutes(to router: APIRouter) {
        router
            .get("verifications", use: read(verifications))
            .get("verifications/{id}", use: read(verification))
            .get("messages", use: read(messages))
            .post("messages/{id}/retry", use: act(retry, .accepted))
            .post("messages/retry", use: act(retryAll, .accepted))
            .get("gateways", use: read(gateways))
            .post("gateways/{name}/pause", use: act(pause))
            .post("gateways/{name}/resume", use: act(resume))
            .post("gateways/{name}/test", use: act(test))
            .get("webhooks", use: read(events))
            .post("webhooks/{id}/redeliver", use: act(redeliver, .accepted))
    }

    @Sendable private func verifications(request: Request, context: APIContext) async throws -> JSON {
        var query = VerificationQuery(limit: try limit(of: request))
        query.number = try number(of: request)
        query.account = try request.id("account")
        query.owner = try request.owner("owner")
        query.reference = try request.reference()
        query.tag = try request.tag()
        query.status = try request.choice("status")
        query.since = try request.moment("since")
        query.until = try request.moment("until")
        query.before = try request.cursorID()
        let now = administration.now
        let page = try await administration.verifications(query)
        return page.json { $0.adminJSON(at: now) }
    }

    @Sendable private func verification(request: Request, context: APIContext) async throws -> JSON {
        let id = try context.verificationID()
        let verification = try await administration.verification(id)
        var search = MessageSearch(limit: 100)
        search.verification = id
        let now = administration.now
        let messages = try await administration.messages(search).items
        return verification.adminJSON(at: now).adding("messages", .array(messages.map { $0.adminJSON(at: now) }))
    }

    @Sendable private func messages(request: Request, context: APIContext) async throws -> JSON {
        var search = MessageSearch(limit: try limit(of: request))
        search.number = try number(of: request)
        search.account = try request.id("account")
        search.verification = try request.id("verification")
        search.status = try request.choice("status")
        search.gateway = request.query("gateway")
        search.failure = request.query("failure")
        search.since = try request.moment("since")
        search.until = try request.moment("until")
        search.before = try request.cursorID()
        let now = administration.now
        return try await administration.messages(search).json { $0.adminJSON(at: now) }
    }

    @Sendable private func retry(_ act: Act) async throws -> JSON {
        let message = try await administration.retry(act.context.id("message"), by: act.author)
        return ["id": .string(message.id.description), "status": "queued"]
    }

    @Sendable private func retryAll(_ act: Act) async throws -> JSON {
        var search = MessageSearch(limit: 1)
        (search.status, search.gateway) = (try act.body.choice("status"), try act.body.text("gateway"))
        search.failure = try act.body.text("failure")
        let (queued, refused) = try await administration.retryAll(search, by: act.author)
        return ["queued": .integer(queued), "refused": .integer(refused)]
    }

    @Sendable private func gateways(request: Request, context: APIContext) async throws -> JSON {
        let page = Page(try await administration.gateways(), next: nil).json(\.json)
        let findings = try await administration.findings().map(\.json)
        return page.adding("findings", .array(findings))
    }

    @Sendable private func pause(_ act: Act) async throws -> JSON {
        try await administration.pause(act.context.pathText("name"), by: act.author)
        return .null
    }

    @Sendable private func resume(_ act: Act) async throws -> JSON {
        try await administration.resume(act.context.pathText("name"), by: act.author)
        return .null
    }

    @Sendable private func test(_ act: Act) async throws -> JSON {
        let number = try number(in: act.body)
        let result = try await administration.sendTest(to: number, by: act.context.pathText("name"), author: act.author)
        switch result {
        case .accepted(let id, let time):
            return [
                "accepted": true, "phone_number": .string(number.e164), "gateway_message_id": .string(id),
                "milliseconds": .integer(time.wholeMilliseconds),
                "failure": .null,
            ]
        case .rejected(let reason):
            return [
                "accepted": false, "phone_number": .string(number.e164), "gateway_message_id": .null,
                "milliseconds": .null, "failure": .string(reason),
            ]
        }
    }

    @Sendable private func events(request: Request, context: APIContext) async throws -> JSON {
        let status: Event.Status? = try request.choice("status")
        let events = try await administration.events(status: status, limit: 10_000)
        return try page(of: events, request, id: \.id.description).json(\.adminJSON)
    }

    @Sendable private func redeliver(_ act: Act) async throws -> JSON {
        try await administration.redeliver(act.context.id("event"), by: act.author).adminJSON
    }
}

extension Verification {
    fileprivate func adminJSON(at now: Timestamp) -> JSON {
        .object(
            members(at: now) + labels.membersOrNull + [
                JSON.Member("region", .string(phoneNumber.region.description)),
                JSON.Member("owner", .string(owner.rawValue)),
                JSON.Member("client_address", .string(begunFrom?.description)),
                JSON.Member("account_id", .string(consumedBy?.description)),
            ]
        )
    }
}

extension OutboxClaim {
    func adminJSON(at now: Timestamp) -> JSON {
        [
            "id": .string(message.id.description),
            "verification_id": .string(verification.id.description),
            "number_change_id": .string(message.numberChangeID?.description),
            "verification_status": .string(verification.status(at: now).rawValue),
            "phone_number": .string(recipient?.e164),
            "kind": .string(message.isNotice ? "notice" : "code"),
            "channel": .string(message.channel.rawValue),
            "status": .string(message.status.rawValue),
            "gateway": .string(message.gateway),
            "gateway_message_id": .string(message.gatewayMessageID),
            "attempts": .integer(message.attempts),
            "next_attempt_at": .string(message.status == .queued ? message.nextAttemptAt.description : nil),
            "awaits_receipt": .bool(message.awaitsReceipt),
            "failure": .string(message.failure),
            "waits_for": .string(message.waitsFor(at: now)),
            "cost": .amount(message.cost),
            "created_at": .string(message.createdAt.description),
            "delivered_at": .string(message.deliveredAt?.description),
            "feedback": .string(message.feedback),
        ]
    }
}

extension GatewayOverview {
    fileprivate var json: JSON {
        func times(_ time: (Int) -> Duration?) -> JSON {
            ["p50": .integer(time(50)?.wholeMilliseconds), "p95": .integer(time(95)?.wholeMilliseconds)]
        }
        return [
            "name": .string(name), "channels": .array(channels.map { .string($0.rawValue) }),
            "address": .string(address),
            "state": .string(state.rawValue), "finding": finding?.json ?? .null,
            "paused_since": .string(pausedSince?.description),
            "this_instance": [
                "breaker": .string(health?.breaker.rawValue), "requests": .integer(health?.requests),
                "accepted": .integer(health?.accepted),
            ],
            "messages": .integer(deliveries.messages), "delivered": .integer(deliveries.delivered),
            "undelivered": .integer(deliveries.undelivered),
            "milliseconds_to_acceptance": times(deliveries.accepted(percent:)),
            "milliseconds_to_delivery": times(deliveries.delivered(percent:)),
        ]
    }
}

extension Event {
    fileprivate var adminJSON: JSON {
        [
            "id": .string(id.description),
            "type": .string(kind.rawValue),
            "subject": .string(subject.description),
            "status": .string(status.rawValue),
            "attempts": .integer(attempts),
            "next_attempt_at": .string(status == .queued ? nextAttemptAt.description : nil),
            "failure": .string(failure),
            "occurred_at": .string(occurredAt.description),
        ]
    }
}

extension JSON {
    /// Millionths of a currency as a decimal fraction: what messages cost is a fraction of a cent.
    static func amount(_ millionths: Int?) -> JSON {
        millionths.map { .number(Money.text($0, decimals: 6...6)) } ?? .null
    }
}
