import CoreEncodings
public import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
public import PhoneSignup

extension PersonalData {
    /// All of it as JSON, as `GET /v1/accounts/me/export` returns it, for an operator to pass on.
    ///
    /// - Throws: if the stored metadata is not JSON.
    public func text(at now: Timestamp) throws -> String { try json(for: nil, at: now).text }

    /// All of it as its owner sees it: no secret, no digest of one, and no code.
    ///
    /// It excludes what the guard thinks of the number, or a silent guard would not be silent, and the address and the
    /// texts of others who typed the number without verifying it.
    ///
    /// - Parameter current: the session of the request, if there is one.
    func json(for current: Session.ID?, at now: Timestamp) throws(Problem) -> JSON {
        let json: JSON = [
            "exported_at": .string(now.description),
            "account": try account.json(),
            "sessions": .array(sessions.map { $0.json(current: current) }),
            "number_changes": .array(changes.map(\.json)),
            "verifications": .array(verifications.map { $0.exportedJSON(withLabels: belongsToHolder($0.id), at: now) }),
            "messages": .array(messages.map(\.json)),
            "signups": .array(
                signups.filter { $0.verificationID.map(belongsToHolder) ?? false }.map(\.exportedJSON)
            ),
            "number_activity": activity.json,
            "events": .array(events.map(\.json)),
            "audit": .array(audit.map { $0.json(withAddress: belongsToHolder($0)) }),
        ]
        return others.isEmpty ? json : json.adding("records", .array(others.map(\.json)))
    }

    private func belongsToHolder(_ entry: AuditEntry) -> Bool {
        // What is queued again is so by an operator.
        entry.owner?.kind == .session || entry.action != .retry && entry.verificationID.map(belongsToHolder) ?? false
    }

    private func belongsToHolder(_ id: Verification.ID) -> Bool {
        id == account.createdBy || verifications.contains { $0.id == id && $0.consumedBy == account.id }
    }
}

extension OwnedRecord {
    fileprivate var json: JSON {
        let members = fields.map { field -> JSON.Member in
            let value: JSON =
                switch field.value {
                case .text(let text): .string(text)
                case .integer(let number): .integer(number)
                case .flag(let flag): .bool(flag)
                case .moment(let moment): .string(moment.description)
                case nil: .null
                }
            return JSON.Member(field.name, value)
        }
        return .object([JSON.Member("kind", .string(kind))] + members)
    }
}

extension NumberChange {
    var json: JSON {
        [
            "id": .string(id.description),
            "verification_id": .string(verificationID.description),
            "session_id": .string(sessionID.description),
            "old_phone_number": .string(oldNumber?.e164),
            "new_phone_number": .string(newNumber.e164),
            "locale": .string(language.description),
            "changed_at": .string(changedAt.description),
            "undoable_until": .string(undoableUntil.description),
            "closed_at": .string(closedAt?.description),
        ]
    }
}

extension Verification {
    /// What operators and the person whom it is about both see.
    func members(at now: Timestamp) -> [JSON.Member] {
        [
            JSON.Member("id", .string(id.description)),
            JSON.Member("phone_number", .string(phoneNumber.e164)),
            JSON.Member("channel", .string(channel.rawValue)),
            JSON.Member("locale", .string(language.description)),
            JSON.Member("status", .string(status(at: now).rawValue)),
            JSON.Member("created_at", .string(createdAt.description)),
            JSON.Member("expires_at", .string(expiresAt.description)),
            JSON.Member("sent_at", .string(sentAt.description)),
            JSON.Member("accepted_at", .string(acceptedAt?.description)),
            JSON.Member("updated_at", .string(updatedAt.description)),
            JSON.Member("sends_left", .integer(sendsLeft)),
            JSON.Member("checks_left", .integer(checksLeft)),
        ]
    }

    /// - Parameter withLabels: whether they were given for the owner, and not for somebody who typed the number.
    fileprivate func exportedJSON(withLabels: Bool, at now: Timestamp) -> JSON {
        .object(
            members(at: now) + (withLabels ? labels : .none).membersOrNull + [
                JSON.Member("asked_by", .string(owner.kind.rawValue)),
                JSON.Member("used_for", .string(consumedBy?.description)),
            ]
        )
    }
}

extension OutboxMessage {
    fileprivate var json: JSON {
        [
            "id": .string(id.description),
            "verification_id": .string(verificationID.description),
            "channel": .string(channel.rawValue),
            "number_change_id": .string(numberChangeID?.description),
            "status": .string((status == .withheld ? .sent : status).rawValue),
            "created_at": .string(createdAt.description),
            "attempts": .integer(attempts),
            "gateway": .string(gateway),
            "gateway_message_id": .string(gatewayMessageID),
            "failure": .string(failure),
        ]
    }
}

extension Signup {
    fileprivate var exportedJSON: JSON {
        let json: JSON = [
            "id": .string(id.description),
            "region": .string(region.description),
            "locale": .string(language.description),
            "created_at": .string(createdAt.description),
            "expires_at": .string(expiresAt.description),
            "phone_text": .string(phoneText),
            "verification_id": .string(verificationID?.description),
            "decision": .string(decision?.rawValue),
            "consent_version": .string(consentVersion),
        ]
        return .object(json.members + labels.membersOrNull)
    }
}

extension NumberActivity {
    fileprivate var json: JSON {
        [
            "messages_sent_at": .array(recentSends.map { .string($0.description) }),
            "wrong_codes": .integer(consecutiveFailures),
            "last_wrong_code_at": .string(lastFailureAt?.description),
        ]
    }
}

extension Event {
    fileprivate var json: JSON {
        [
            "type": .string(kind.rawValue),
            "subject": .string(subject.description),
            "occurred_at": .string(occurredAt.description),
            "status": .string(status.rawValue),
            "attempts": .integer(attempts),
            "failure": .string(failure),
        ]
    }
}

extension AuditEntry {
    /// - Parameter withAddress: whether the address is the owner's own.
    fileprivate func json(withAddress: Bool) -> JSON {
        [
            "at": .string(at.description),
            "action": .string((action == .suppress ? .begin : action).rawValue),
            "asked_by": .string(owner?.kind.rawValue),
            "address": .string(withAddress ? address?.description : nil),
            "verification_id": .string(verificationID?.description),
            "masked_number": .string(maskedNumber),
            "region": .string(region?.description),
        ]
    }
}

extension Owner {
    /// A guided signup, a signed-in device, a program with an API key, or anything on the machine of the service.
    enum Kind: String, CaseIterable {
        case signup, session, program, local
    }

    var kind: Kind {
        switch self {
        case .signup: .signup
        case .session: .session
        case .caller, .client: .program
        case .operator, .local: .local
        }
    }
}
