extension StoredRecord {
    /// All of the record in bytes that no other record has, whatever store it comes from.
    public var encoded: [UInt8] {
        var encoder = RecordEncoder()
        encoder.add(kind.rawValue)
        switch self {
        case .account(let account): account.encode(to: &encoder)
        case .session(let session): session.encode(to: &encoder)
        case .numberChange(let change): change.encode(to: &encoder)
        case .verification(let verification): verification.encode(to: &encoder)
        case .message(let message): message.encode(to: &encoder)
        case .event(let event): event.encode(to: &encoder)
        case .signup(let signup): signup.encode(to: &encoder)
        case .idempotentRequest(let request): request.encode(to: &encoder)
        case .activity(let number): number.encode(to: &encoder)
        case .meter(let meter):
            encoder.add(meter.key.description)
            encoder.add(meter.meter.fullAt)
        case .traffic(let traffic): traffic.encode(to: &encoder)
        case .guardRule(let rule): rule.encode(to: &encoder)
        case .apiKey(let key): key.encode(to: &encoder)
        case .tenant(let tenant): tenant.encode(to: &encoder)
        case .safeNumber(let number):
            encoder.add(number.id)
            encoder.add(number.account)
            encoder.add(number.e164)
            encoder.add(number.createdAt)
        case .signingKey(let key): key.encode(to: &encoder)
        case .auditEntry(let cursor, let entry):
            encoder.add(cursor.serial)
            encoder.add(cursor.at)
            entry.encode(to: &encoder)
        }
        return encoder.bytes
    }
}

extension Account {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(phoneNumber) { $0.add($1.e164) }
        encoder.add(phoneNumberSince)
        encoder.add(createdAt)
        encoder.add(createdBy)
        encoder.add(lastActiveAt)
        encoder.add(metadata.json)
        encoder.add(deletionDueAt) { $0.add($1) }
    }
}

extension Session {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(accountID)
        encoder.add(userAgent) { $0.add($1) }
        encoder.add(createdAt)
        encoder.add(expiresAt)
        encoder.add(tokenDigest)
        encoder.add(previousDigest) { $0.add($1) }
        encoder.add(refreshedAt)
        encoder.add(idleUntil)
    }
}

extension NumberChange {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(accountID)
        encoder.add(sessionID)
        encoder.add(verificationID)
        encoder.add(oldNumber) { $0.add($1.e164) }
        encoder.add(newNumber.e164)
        encoder.add(language.description)
        encoder.add(changedAt)
        encoder.add(undoableUntil)
        encoder.add(undoDigest)
        encoder.add(closedAt) { $0.add($1) }
    }
}

extension Verification {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(phoneNumber.e164)
        encoder.add(owner.rawValue)
        encoder.add(channel.rawValue)
        encoder.add(language.description)
        encoder.add(code.keyID)
        encoder.add(code.mac)
        encoder.add(code.ciphertext)
        encoder.add(createdAt)
        encoder.add(codeTTL)
        encoder.add(isTest)
        encoder.add(hasCustomCode)
        encoder.add(expiresAt)
        encoder.add(sentAt)
        encoder.add(acceptedAt) { $0.add($1) }
        encoder.add(nextSendAt)
        encoder.add(sendsLeft)
        encoder.add(checksLeft)
        encoder.add(recordedStatus.rawValue)
        encoder.add(updatedAt)
        encoder.add(consumedBy) { $0.add($1) }
        encoder.add(repeatableBy) { $0.add($1.rawValue) }
    }
}

extension OutboxMessage {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(verificationID)
        encoder.add(numberChangeID) { $0.add($1) }
        encoder.add(createdAt)
        encoder.add(isWithheld)
        encoder.add(status.rawValue)
        encoder.add(attempts)
        encoder.add(forgivenAttempts)
        encoder.add(nextAttemptAt)
        encoder.add(gateway) { $0.add($1) }
        encoder.add(gatewayMessageID) { $0.add($1) }
        encoder.add(failure) { $0.add($1) }
        encoder.add(traceParent) { $0.add($1.description) }
        encoder.add(wording) { $0.add($1.rawText) }
        encoder.add(account) { $0.add($1) }
    }
}

extension Tenant {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(account)
        encoder.add(name.description)
        encoder.add(codeLength)
        encoder.add(options.rawValue)
        encoder.add(defaultTemplate) { $0.add($1.description) }
        encoder.add(limits.rawText)
        encoder.add(createdAt)
        encoder.add(updatedAt)
    }
}

extension Event {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(kind.rawValue)
        encoder.add(subject.description)
        encoder.add(traceParent) { $0.add($1.description) }
        encoder.add(occurredAt)
        encoder.add(status.rawValue)
        encoder.add(attempts)
        encoder.add(forgivenAttempts)
        encoder.add(nextAttemptAt)
        encoder.add(failure) { $0.add($1) }
    }
}

extension Signup {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(tokenDigest)
        encoder.add(region.description)
        encoder.add(language.description)
        encoder.add(createdAt)
        encoder.add(expiresAt)
        encoder.add(phoneText)
        encoder.add(codeText)
        encoder.add(verificationID) { $0.add($1) }
        encoder.add(isComplete)
        encoder.add(decision) { $0.add($1.rawValue) }
    }
}

extension IdempotentRequest {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(name.rawValue)
        encoder.add(fingerprint.description)
        encoder.add(attempt)
        encoder.add(leaseEndsAt)
        encoder.add(expiresAt)
        encoder.add(answer) { encoder, answer in
            encoder.add(answer.status)
            encoder.add(answer.contentType)
            encoder.add(answer.location) { $0.add($1) }
            encoder.add(answer.body)
            encoder.add(answer.verificationID) { $0.add($1) }
        }
    }
}

extension BusyNumber {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(e164)
        encoder.add(activity.recentSends) { $0.add($1) }
        encoder.add(activity.senders) { $0.add($1?.rawValue ?? "") }
        encoder.add(activity.sendsInRun)
        encoder.add(activity.consecutiveFailures)
        encoder.add(activity.lastFailureAt) { $0.add($1) }
    }
}

extension KeyedTraffic {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(key.description)
        encoder.add(traffic.hours) { encoder, hour in
            encoder.add(hour.number)
            encoder.add(hour.sent)
            encoder.add(hour.approved)
            encoder.add(hour.heldBack)
        }
        encoder.add(traffic.blockedUntil) { $0.add($1) }
        encoder.add(traffic.refusedInBlock)
    }
}

extension GuardRule {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(prefix)
        encoder.add(action.rawValue)
        encoder.add(until) { $0.add($1) }
        encoder.add(createdAt)
    }
}

extension APIKey {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(name.description)
        encoder.add(digest)
        encoder.add(scopes.map(\.rawValue).sorted()) { $0.add($1) }
        encoder.add(account) { $0.add($1) }
        encoder.add(tenant) { $0.add($1) }
        encoder.add(createdAt)
        encoder.add(lastUsedAt) { $0.add($1) }
        encoder.add(revokedAt) { $0.add($1) }
    }
}

extension SigningKey {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(id)
        encoder.add(publicKey)
        encoder.add(sealedPrivateKey.keyID)
        encoder.add(sealedPrivateKey.ciphertext)
        encoder.add(createdAt)
        encoder.add(activeAt)
        encoder.add(goneAt) { $0.add($1) }
    }
}

extension AuditEntry {
    fileprivate func encode(to encoder: inout RecordEncoder) {
        encoder.add(at)
        encoder.add(action.rawValue)
        encoder.add(owner) { $0.add($1.rawValue) }
        encoder.add(address) { $0.add($1.description) }
        encoder.add(verificationID) { $0.add($1) }
        encoder.add(maskedNumber) { $0.add($1) }
        encoder.add(numberDigest) { $0.add($1.description) }
        encoder.add(prefixDigest) { $0.add($1.description) }
        encoder.add(region) { $0.add($1.description) }
        encoder.add(verdict) { $0.add($1.rawValue) }
        encoder.add(reasons) { $0.add($1.rawValue) }
    }
}
