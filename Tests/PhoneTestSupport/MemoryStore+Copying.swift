public import PhoneDomain

extension MemoryStore: PortableStore {
    public func count(of kind: RecordKind) throws -> Int {
        try reach()
        return all(kind).count
    }

    public func records(of kind: RecordKind, after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
        try reach()
        let behind = all(kind).filter { record in key.map { $0 < record.key } ?? true }
        return Array(behind.sorted { $0.key < $1.key }.prefix(limit))
    }

    public func restore(_ records: [StoredRecord]) throws {
        try reach()
        for kind in RecordKind.allCases {
            let new = records.filter { $0.kind == kind }.map(\.key)
            if Set(all(kind).map(\.key)).union(new).count < all(kind).count + new.count {
                throw AlreadyThere(kind: kind)
            }
        }
        for record in records { keep(record) }
    }

    /// A record was to be restored that is there.
    public struct AlreadyThere: Error {
        /// Of what kind.
        public let kind: RecordKind
    }

    private func all(_ kind: RecordKind) -> [StoredRecord] {
        switch kind {
        case .account: accounts.values.map(StoredRecord.account)
        case .session: sessions.values.map(StoredRecord.session)
        case .numberChange: changes.values.map(StoredRecord.numberChange)
        case .verification: verifications.values.map(StoredRecord.verification)
        case .message: messages.values.map(StoredRecord.message)
        case .event: events.values.map(StoredRecord.event)
        case .signup: signups.values.map(StoredRecord.signup)
        case .idempotentRequest: requests.values.map(StoredRecord.idempotentRequest)
        case .activity: activities.map { .activity(BusyNumber(e164: $0.key, activity: $0.value)) }
        case .meter: meters.map { .meter(MeterInUse(key: $0.key, meter: $0.value)) }
        case .traffic: traffic.map { .traffic(KeyedTraffic(key: $0.key, traffic: $0.value)) }
        case .guardRule: rules.values.map(StoredRecord.guardRule)
        case .apiKey: keys.values.map(StoredRecord.apiKey)
        case .tenant: tenants.values.map(StoredRecord.tenant)
        case .safeNumber: safeNumbers.values.map(StoredRecord.safeNumber)
        case .signingKey: signers.values.map(StoredRecord.signingKey)
        case .auditEntry: audit.map(StoredRecord.auditEntry)
        }
    }

    private func keep(_ record: StoredRecord) {
        switch record {
        case .account(let account): accounts[account.id] = account
        case .session(let session): sessions[session.id] = session
        case .numberChange(let change): changes[change.id] = change
        case .verification(let verification): restore(verification)
        case .message(let message): messages[message.id] = message
        case .event(let event): events[event.id] = event
        case .signup(let signup): signups[signup.id] = signup
        case .idempotentRequest(let request): requests[request.name] = request
        case .activity(let number): activities[number.e164] = number.activity
        case .meter(let meter): meters[meter.key] = meter.meter
        case .traffic(let keyed): traffic[keyed.key] = keyed.traffic
        case .guardRule(let rule): rules[rule.prefix] = rule
        case .apiKey(let key): keys[key.id] = key
        case .tenant(let tenant): tenants[tenant.id] = tenant
        case .safeNumber(let number): safeNumbers[number.id] = number
        case .signingKey(let key): signers[key.id] = key
        case .auditEntry(let cursor, let entry): restore(cursor, entry)
        }
    }
}
