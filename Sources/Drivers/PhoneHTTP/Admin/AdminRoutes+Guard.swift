import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup

// Limits and the guard.

extension AdminRoutes {
    func addGuardRoutes(to router: APIRouter) {
        router
            .get("limits", use: read(limits))
            .post("limits/clear", use: act(clearLimit))
            .get("guard", use: read(traffic))
            .get("guard/rules", use: read(rules))
            .post("guard/rules", use: act(setRule))
            .get("guard/reach", use: read(reach))
            .post("guard/unblock", use: act(unblock))
            .get("guard/explain", use: read(explain))
            .get("guard/policy", use: read { _, _ in try await policy() })
            .post("guard/mode", use: act(setMode))
    }

    @Sendable private func limits(request: Request, context: APIContext) async throws -> JSON {
        let limits = try await administration.limits(
            after: request.query("cursor").map { LimitKey(rawValue: $0) },
            limit: limit(of: request),
            numbers: longestPage
        )
        let locked = limits.lockedNumbers.map { number -> JSON in
            [
                "phone_number": .string(number.e164), "policy": .string(number.closure.policy.name),
                "until": .string(number.closure.until.description),
            ]
        }
        return [
            "items": .array(limits.sorted.map(\.json)),
            "next_cursor": .string(limits.hasMore ? limits.sorted.last?.key.description : nil),
            "locked_numbers": .array(locked),
            "sent_last_day": .integer(limits.sent),
            "daily_budget": .integer(limits.budget),
        ]
    }

    @Sendable private func clearLimit(_ act: Act) async throws -> JSON {
        let subject = try act.body.text("phone_number") ?? act.body.requiredText("limit")
        let cleared = try await administration.clearLimit(subject, region: act.body.region(), by: act.author)
        return ["cleared": .string(cleared)]
    }

    @Sendable private func traffic(request: Request, context: APIContext) async throws -> JSON {
        let place = try request.query("cursor").map { text in
            guard let place = GuardListing.Place(text) else { throw AdministrationFailure.noCursor }
            return place
        }
        let listing = try await administration.guardListing(
            all: request.flag("all") ?? false,
            after: place,
            limit: limit(of: request)
        )
        let ((rows, more), day) = (listing.page, listing.service.lastDay(at: listing.now))
        let next = more > 0 ? rows.last?.place.description : nil
        return [
            "items": .array(rows.map(\.json)), "next_cursor": .string(next), "more": .integer(more),
            "mode": .string(listing.policy.mode.rawValue),
            "last_day": [
                "sent": .integer(day.sent), "approved": .integer(day.approved),
                "suppressed": .integer(listing.service.suppressedLastDay(at: listing.now)),
            ],
            "hidden": [
                "count": .integer(listing.small), "prefix_sample": .integer(listing.policy.prefixSample),
                "country_sample": .integer(listing.policy.countrySample),
            ],
        ]
    }

    @Sendable private func rules(request: Request, context: APIContext) async throws -> JSON {
        let rules = try await administration.guardRules()
        return try page(of: rules, request, id: \.prefix).json(\.json)
    }

    @Sendable private func setRule(_ act: Act) async throws -> JSON {
        guard let action: GuardRule.Action = try act.body.choice("action") else {
            throw Problem.field("action", "is missing: allow or block")
        }
        let rule = try await administration.setRule(
            action,
            prefix: act.body.requiredText("prefix"),
            for: act.body.integer("seconds", in: 1...31_536_000).map { .seconds($0) },
            by: act.author
        )
        return rule.json
    }

    /// What a rule would concern, before it is made.
    @Sendable private func reach(request: Request, context: APIContext) async throws -> JSON {
        guard let prefix = request.query("prefix") else { throw Problem.field("prefix", "is missing") }
        let reach = try await administration.reach(of: prefix)
        return [
            "prefix": .string(prefix), "sent": .integer(reach.sent), "approved": .integer(reach.approved),
            "covers_calling_code": .bool(reach.coversCallingCode),
        ]
    }

    @Sendable private func unblock(_ act: Act) async throws -> JSON {
        let (rule, ended) = try await administration.unblock(act.body.requiredText("subject"), by: act.author)
        return [
            "removed_rule": rule?.json ?? .null,
            "unblocked": .array(ended.map { .string($0.description) }),
        ]
    }

    private func policy() async throws -> JSON {
        let policy = try await administration.guardPolicy()
        let outlooks = try await administration.guardOutlooks()
        return [
            "mode": .string(policy.mode.rawValue),
            "mode_of_settings": .string(administration.policies.trafficGuard.mode.rawValue),
            "prefix_sample": .integer(policy.prefixSample), "prefix_percent": .integer(policy.prefixPercent),
            "country_sample": .integer(policy.countrySample), "country_percent": .integer(policy.countryPercent),
            "what_if": .array(
                outlooks.map { outlook in
                    [
                        "by": .string(outlook.kind.rawValue), "level": .string(outlook.level?.rawValue),
                        "requested": .integer(outlook.requested), "suppressed": .integer(outlook.suppressed),
                        "closed": .integer(outlook.closed), "approved": .integer(outlook.approved),
                    ]
                }
            ),
        ]
    }

    @Sendable private func setMode(_ act: Act) async throws -> JSON {
        try await administration.setGuardMode(act.body.choice("mode"), by: act.author)
        return try await policy()
    }

    @Sendable private func explain(request: Request, context: APIContext) async throws -> JSON {
        guard let text = request.query("phone_number") else { throw Problem.field("phone_number", "is missing") }
        let address = try request.query("client_address", "must be an IP address") { ClientAddress($0) }
        let explanation = try await administration.explain(text, region: request.region(), from: address)
        let limit = try request.query("limit", in: 0...1000, default: 20)
        let verdicts = try await administration.verdicts(on: explanation.number, limit: limit)
        return [
            "prefix": .string(explanation.number.prefix),
            "region": .string(explanation.number.region.description),
            "verdict": .string(explanation.verdict.action.rawValue),
            "reasons": .array(explanation.verdict.reasons.map { .string($0.rawValue) }),
            "text": .string(explanation.text),
            "rules": .array(explanation.fitting.map(\.json)),
            "last_verdicts": .array(verdicts.map(\.json)),
        ]
    }
}

extension LimitsListing.Row {
    fileprivate var json: JSON {
        [
            "limit": .string(key.description), "used": .integer(use?.used), "quota": .integer(use?.quota),
            "full_at": .string(fullAt.description),
        ]
    }
}

extension GuardListing.Row {
    fileprivate var json: JSON {
        [
            "numbers": .string(numbers), "state": .string(state.rawValue), "until": .string(until?.description),
            "sent": .integer(sent), "approved": .integer(approved), "suppressed": .integer(suppressed),
        ]
    }
}

extension GuardRule {
    fileprivate var json: JSON {
        [
            "prefix": .string(prefix), "action": .string(action.rawValue), "until": .string(until?.description),
            "created_at": .string(createdAt.description),
        ]
    }
}
