import PhoneDomain
import PhoneTestSupport
import Records
import Testing

@Suite struct RecordEncodingTests {
    @Test func `numbers are in eight bytes, and texts behind their length`() {
        let meter = StoredRecord.meter(MeterInUse(key: LimitKey(rawValue: "aß"), meter: RateMeter(fullAt: -2)))
        #expect(
            meter.encoded == [
                0x72, 0x61, 0x74, 0x65, 0x5F, 0x6D, 0x65, 0x74, 0x65, 0x72,
                2, 0, 0, 0, 0, 0, 0, 0, 3, 0x61, 0xC3, 0x9F,
                1, 255, 255, 255, 255, 255, 255, 255, 254,
            ]
        )
    }

    @Test func `what is missing is not what is empty`() {
        func entry(_ owner: Owner?, _ mask: String?, _ reasons: [GuardVerdict.Reason]) -> [UInt8] {
            let entry = AuditEntry(
                at: Timestamp(seconds: 0),
                action: .begin,
                owner: owner,
                address: nil,
                verificationID: nil,
                maskedNumber: mask,
                numberDigest: nil,
                prefixDigest: nil,
                region: nil,
                reasons: reasons
            )
            return StoredRecord.auditEntry(AuditCursor(at: entry.at, serial: 1), entry).encoded
        }
        let encoded = [
            entry(nil, nil, []), entry(Owner.operator(""), nil, []), entry(nil, "", []), entry(nil, nil, [.vouched]),
        ]
        #expect(Set(encoded).count == 4)
    }

    @Test func `every field counts`() throws {
        let all =
            try Self.accounts() + Self.sessions + Self.changes() + Self.verifications() + Self.messages + Self.events
            + Self.signups + Self.others() + Self.clients() + Self.codes()
        #expect(Set(all).count == all.count)
        #expect(Set(all.map(\.encoded)).count == all.count)
    }

    private static let moment = Timestamp(seconds: 1_767_225_600)
    private static let later = moment + .milliseconds(1)
    private static let id = Verification.ID(bits: 0, 1)

    private static func number(_ e164: String = "+821011111111") throws -> PhoneNumber {
        try PhoneNumber(e164: e164)
    }

    /// One, and the same with each field changed in turn.
    private static func accounts() throws -> [StoredRecord] {
        func account(
            _ id: UInt64 = 1,
            _ e164: String? = "+821011111111",
            since: Timestamp = moment,
            at: Timestamp = moment,
            by: UInt64 = 1,
            active: Timestamp = moment,
            metadata: String = "{}",
            due: Timestamp? = nil,
            generation: Int = 0,
            consent: Consent? = nil
        ) throws -> StoredRecord {
            .account(
                Account(
                    id: Account.ID(bits: 0, id),
                    phoneNumber: try e164.map(number),
                    phoneNumberSince: since,
                    createdAt: at,
                    createdBy: Verification.ID(bits: by, 0),
                    lastActiveAt: active,
                    metadata: AccountMetadata(json: metadata),
                    deletionDueAt: due,
                    sessionGeneration: generation,
                    consent: consent
                )
            )
        }
        return [
            try account(), try account(2), try account(1, "+821022222222"), try account(1, nil),
            try account(since: later), try account(at: later), try account(by: 2), try account(active: later),
            try account(metadata: "{} "), try account(due: moment), try account(due: later),
            try account(generation: 1), try account(consent: Consent(version: "1", acceptedAt: moment)),
            try account(consent: Consent(version: "2", acceptedAt: moment)),
            try account(consent: Consent(version: "1", acceptedAt: later)),
        ]
    }

    private static var sessions: [StoredRecord] {
        func session(
            _ id: UInt64 = 1,
            of account: UInt64 = 1,
            agent: String? = nil,
            at: Timestamp = moment,
            until: Timestamp = moment,
            digest: [UInt8] = [1, 2],
            previous: [UInt8]? = nil,
            refreshed: Timestamp = moment,
            idle: Timestamp = moment,
            grant: ClientGrant? = nil,
            generation: Int = 0
        ) -> StoredRecord {
            .session(
                Session(
                    id: Session.ID(bits: 0, id),
                    accountID: Account.ID(bits: 0, account),
                    userAgent: agent,
                    createdAt: at,
                    expiresAt: until,
                    tokenDigest: digest,
                    previousDigest: previous,
                    refreshedAt: refreshed,
                    idleUntil: idle,
                    grant: grant,
                    generation: generation
                )
            )
        }
        return [
            session(), session(2), session(of: 2), session(agent: ""), session(agent: "a"), session(at: later),
            session(until: later), session(digest: [1]), session(digest: [1], previous: [2]), session(previous: []),
            session(refreshed: later), session(idle: later), session(grant: grant(1, [.openID])),
            session(grant: grant(2, [.openID])), session(grant: grant(1, [.openID, .phone])),
            session(generation: 1),
        ]
    }

    private static func grant(_ client: UInt64, _ scopes: Set<OpenIDScope>) -> ClientGrant {
        ClientGrant(clientID: OAuthClient.ID(bits: 0, client), scopes: scopes)
    }

    private static func clients() throws -> [StoredRecord] {
        let (a, b) = (try #require(RedirectURI("https://a.example/")), try #require(RedirectURI("https://b.example/")))
        func client(
            _ id: UInt64 = 1,
            name: String = "Shop",
            secret: [UInt8]? = nil,
            to: [RedirectURI]? = nil,
            out: [RedirectURI] = [],
            frames: [String] = [],
            theme: ClientTheme = .none,
            by algorithm: SigningAlgorithm = .rs256,
            pkce: Bool = true,
            scopes: Set<ClientScope> = [],
            former: OAuthClient.FormerSecret? = nil,
            at: Timestamp = moment,
            revoked: Timestamp? = nil
        ) throws -> StoredRecord {
            .client(
                OAuthClient(
                    id: OAuthClient.ID(bits: 0, id),
                    profile: ClientProfile(
                        name: try #require(DisplayName(name)),
                        redirectURIs: to ?? [a],
                        scopes: scopes,
                        logoutURIs: out,
                        frameAncestors: frames,
                        theme: theme,
                        idTokenAlgorithm: algorithm,
                        requiresPKCE: pkce
                    ),
                    secretDigest: secret,
                    formerSecret: former,
                    createdAt: at,
                    revokedAt: revoked
                )
            )
        }
        return try [
            client(), client(2), client(name: "Shops"), client(secret: []), client(secret: [1]), client(to: [a, b]),
            client(to: [b]), client(out: [a]), client(frames: ["https://a.example"]), client(at: later),
            client(theme: try ClientTheme(logo: a, accent: nil, radius: nil)),
            client(theme: try ClientTheme(logo: nil, accent: Color("#000000"), radius: nil)),
            client(theme: try ClientTheme(logo: nil, accent: nil, radius: 0)),
            client(scopes: Set([ClientScope("a")].compactMap(\.self))), client(revoked: moment), client(by: .es256),
            client(pkce: false),
            client(former: .init(digest: [1], endsAt: moment)), client(former: .init(digest: [1], endsAt: later)),
        ]
    }

    private static func codes() throws -> [StoredRecord] {
        let (a, b) = (try #require(RedirectURI("https://a.example/")), try #require(RedirectURI("https://b.example/")))
        func code(
            _ id: UInt64 = 1,
            digest: [UInt8] = [1],
            for grant: ClientGrant = grant(1, [.openID]),
            to: RedirectURI? = nil,
            challenge: [UInt8]? = [1],
            nonce: String? = nil,
            in session: UInt64 = 1,
            until: Timestamp = moment,
            used: Timestamp? = nil
        ) -> StoredRecord {
            .authorizationCode(
                AuthorizationCode(
                    id: AuthorizationCode.ID(bits: 0, id),
                    digest: digest,
                    grant: grant,
                    redirectURI: to ?? a,
                    challenge: challenge,
                    nonce: nonce,
                    sessionID: Session.ID(bits: 0, session),
                    expiresAt: until,
                    usedAt: used
                )
            )
        }
        return [
            code(), code(2), code(digest: [2]), code(for: grant(2, [.openID])), code(for: grant(1, [.openID, .phone])),
            code(to: b), code(challenge: [2]), code(challenge: nil), code(nonce: ""), code(nonce: "n"), code(in: 2),
            code(until: later), code(used: moment),
        ]
    }

    private static func changes() throws -> [StoredRecord] {
        func change(
            _ id: UInt64 = 1,
            of account: UInt64 = 1,
            in session: UInt64 = 1,
            by verification: UInt64 = 1,
            from old: String? = "+821011111111",
            to new: String = "+821022222222",
            language: LanguageTag = .korean,
            at: Timestamp = moment,
            until: Timestamp = moment,
            digest: [UInt8] = [1],
            closed: Timestamp? = nil
        ) throws -> StoredRecord {
            .numberChange(
                NumberChange(
                    id: NumberChange.ID(bits: 0, id),
                    accountID: Account.ID(bits: 0, account),
                    sessionID: Session.ID(bits: 0, session),
                    verificationID: Verification.ID(bits: 0, verification),
                    oldNumber: try old.map(number),
                    newNumber: try number(new),
                    language: language,
                    changedAt: at,
                    undoableUntil: until,
                    undoDigest: digest,
                    closedAt: closed
                )
            )
        }
        return [
            try change(), try change(2), try change(of: 2), try change(in: 2), try change(by: 2),
            try change(from: "+821033333333"), try change(from: nil), try change(to: "+821033333333"),
            try change(language: .english), try change(at: later), try change(until: later), try change(digest: [2]),
            try change(closed: moment), try change(closed: later),
        ]
    }

    private static func verifications() throws -> [StoredRecord] {
        func verification(
            id: UInt64 = 1,
            e164: String = "+821011111111",
            owner: String = "a",
            language: LanguageTag = .korean,
            code: SealedCode = SealedCode(keyID: "k", mac: [1], ciphertext: [2]),
            createdAt: Timestamp = moment,
            codeTTL: Duration = .seconds(600),
            isTest: Bool = false,
            begunFrom: ClientAddress? = nil,
            expiresAt: Timestamp = moment,
            sentAt: Timestamp = moment,
            acceptedAt: Timestamp? = nil,
            nextSendAt: Timestamp = moment,
            sendsLeft: Int = 1,
            checksLeft: Int = 1,
            status: VerificationStatus = .pending,
            updatedAt: Timestamp = moment,
            consumedBy: Account.ID? = nil,
            repeatableBy: ClientOrigin? = nil
        ) throws -> StoredRecord {
            .verification(
                Verification(
                    id: Verification.ID(bits: 0, id),
                    phoneNumber: try number(e164),
                    owner: Owner.operator(owner),
                    channel: .sms,
                    language: language,
                    code: code,
                    createdAt: createdAt,
                    codeTTL: codeTTL,
                    isTest: isTest,
                    begunFrom: begunFrom,
                    expiresAt: expiresAt,
                    sentAt: sentAt,
                    acceptedAt: acceptedAt,
                    nextSendAt: nextSendAt,
                    sendsLeft: sendsLeft,
                    checksLeft: checksLeft,
                    recordedStatus: status,
                    updatedAt: updatedAt,
                    consumedBy: consumedBy,
                    repeatableBy: repeatableBy
                )
            )
        }
        return [
            try verification(), try verification(id: 2), try verification(e164: "+821022222222"),
            try verification(owner: "b"), try verification(language: .english),
            try verification(code: SealedCode(keyID: "l", mac: [1], ciphertext: [2])),
            try verification(code: SealedCode(keyID: "k", mac: [3], ciphertext: [2])),
            try verification(code: SealedCode(keyID: "k", mac: [1], ciphertext: [3])),
            // The same bytes, and the border between them elsewhere.
            try verification(code: SealedCode(keyID: "k", mac: [1, 2], ciphertext: [])),
            try verification(createdAt: later), try verification(codeTTL: .milliseconds(600_001)),
            try verification(isTest: true), try verification(begunFrom: ClientAddress("203.0.113.7")),
            try verification(expiresAt: later), try verification(sentAt: later),
            try verification(acceptedAt: moment), try verification(acceptedAt: later),
            try verification(nextSendAt: later), try verification(sendsLeft: 2), try verification(checksLeft: 2),
            try verification(status: .approved), try verification(updatedAt: later),
            try verification(consumedBy: Account.ID(bits: 0, 1)), try verification(consumedBy: Account.ID(bits: 0, 2)),
            try verification(repeatableBy: ClientOrigin(rawValue: "-")),
        ]
    }

    private static var events: [StoredRecord] {
        func event(
            _ kind: Event.Kind = .guardBlocked,
            of prefix: String = "+82101234",
            at occurredAt: Timestamp = moment,
            status: Event.Status = .queued,
            attempts: Int = 1,
            forgiven: Int = 0,
            nextAttemptAt: Timestamp = moment,
            failure: String? = nil,
            trace: TraceParent? = nil
        ) -> StoredRecord {
            .event(
                Event(
                    kind: kind,
                    subject: .prefix(prefix),
                    occurredAt: occurredAt,
                    status: status,
                    attempts: attempts,
                    forgivenAttempts: forgiven,
                    nextAttemptAt: nextAttemptAt,
                    failure: failure,
                    traceParent: trace
                )
            )
        }
        return [
            event(), event(.numberChanged), event(of: "+82101235"), event(at: later), event(status: .failed),
            event(attempts: 2), event(forgiven: 1), event(nextAttemptAt: later), event(failure: ""),
            event(trace: TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")),
        ]
    }

    private static var messages: [StoredRecord] {
        func message(
            id: UInt64 = 1,
            of verification: UInt64 = 1,
            about change: NumberChange.ID? = nil,
            createdAt: Timestamp = moment,
            isWithheld: Bool = false,
            status: OutboxMessage.Status = .queued,
            attempts: Int = 1,
            nextAttemptAt: Timestamp = moment,
            gateway: String? = nil,
            name: String? = nil,
            forgiven: Int = 0,
            failure: String? = nil,
            traceParent: TraceParent? = nil,
            awaitsReceipt: Bool = false
        ) -> StoredRecord {
            .message(
                OutboxMessage(
                    id: OutboxMessage.ID(bits: 0, id),
                    verificationID: Verification.ID(bits: 0, verification),
                    numberChangeID: change,
                    createdAt: createdAt,
                    isWithheld: isWithheld,
                    traceParent: traceParent,
                    status: status,
                    attempts: attempts,
                    nextAttemptAt: nextAttemptAt,
                    gateway: gateway,
                    gatewayMessageID: name,
                    forgivenAttempts: forgiven,
                    failure: failure,
                    awaitsReceipt: awaitsReceipt
                )
            )
        }
        return [
            message(), message(id: 2), message(of: 2), message(about: NumberChange.ID(bits: 0, 1)),
            message(createdAt: later), message(isWithheld: true), message(awaitsReceipt: true),
            message(status: .sent), message(attempts: 2), message(nextAttemptAt: later), message(gateway: "a"),
            message(name: "a"), message(forgiven: 1), message(failure: "a"),
            message(traceParent: TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")),
            message(traceParent: TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")),
        ]
    }

    private static var signups: [StoredRecord] {
        func signup(
            id: UInt64 = 1,
            digest: [UInt8] = [1],
            region: Region = .korea,
            language: LanguageTag = .korean,
            createdAt: Timestamp = moment,
            expiresAt: Timestamp = moment,
            phone: String = "a",
            verification: Verification.ID? = nil,
            isComplete: Bool = false,
            decision: DormantDecision? = nil,
            consent: String? = nil
        ) -> StoredRecord {
            .signup(
                Signup(
                    id: Signup.ID(bits: 0, id),
                    tokenDigest: digest,
                    region: region,
                    language: language,
                    createdAt: createdAt,
                    expiresAt: expiresAt,
                    phoneText: phone,
                    verificationID: verification,
                    isComplete: isComplete,
                    decision: decision,
                    consentVersion: consent
                )
            )
        }
        return [
            signup(), signup(id: 2), signup(digest: [2]), signup(region: Region("US") ?? .korea),
            signup(language: .english), signup(createdAt: later), signup(expiresAt: later),
            signup(phone: "ab"), signup(verification: id), signup(isComplete: true),
            signup(decision: .signIn), signup(decision: .newAccount), signup(consent: "1"),
        ]
    }

    private static func others() throws -> [StoredRecord] {
        func activity(
            _ e164: String = "+1",
            _ sends: [Timestamp] = [moment],
            _ run: Int = 0,
            _ failures: Int = 1,
            _ last: Timestamp? = nil,
            senders: [ClientOrigin?] = []
        )
            -> StoredRecord
        {
            .activity(
                ActiveNumber(
                    e164: e164,
                    activity: NumberActivity(
                        recentSends: sends,
                        senders: senders,
                        sendsInRun: run,
                        consecutiveFailures: failures,
                        lastFailureAt: last
                    )
                )
            )
        }
        func traffic(
            _ key: TrafficKey = .service,
            _ hour: Traffic.Hour = Traffic.Hour(number: 1),
            _ end: Timestamp? = nil,
            _ refused: Int = 0
        )
            -> StoredRecord
        {
            .traffic(
                KeyedTraffic(key: key, traffic: Traffic(hours: [hour], blockedUntil: end, refusedInBlock: refused))
            )
        }
        func rule(
            _ prefix: String = "+1",
            _ action: GuardRule.Action = .allow,
            _ until: Timestamp? = nil,
            _ at: Timestamp = moment
        ) throws
            -> StoredRecord
        {
            .guardRule(try #require(GuardRule(prefix: prefix, action: action, until: until, createdAt: at)))
        }
        return [
            activity(), activity("+2"), activity("+1", [later]), activity("+1", [moment, later]),
            activity("+1", [moment], 1), activity("+1", [moment], 0, 2), activity("+1", [moment], 0, 1, moment),
            traffic(), traffic(.country(.korea)), traffic(.service, Traffic.Hour(number: 2)),
            traffic(.service, Traffic.Hour(number: 1, sent: 1)),
            traffic(.service, Traffic.Hour(number: 1, approved: 1)),
            traffic(.service, Traffic.Hour(number: 1, suppressed: 1)),
            traffic(.service, Traffic.Hour(number: 1), moment), traffic(.service, Traffic.Hour(number: 1), nil, 1),
            try rule(), try rule("+2"), try rule("+1", .block), try rule("+1", .allow, moment),
            try rule("+1", .allow, nil, later),
            .meter(MeterInUse(key: LimitKey(rawValue: "+1"), meter: RateMeter(fullAt: 1))),
        ] + entries
    }

    private static var entries: [StoredRecord] {
        func entry(
            serial: Int64 = 1,
            at: Timestamp = moment,
            action: AuditEntry.Action = .begin,
            owner: String? = nil,
            address: String? = nil,
            verification: Verification.ID? = nil,
            mask: String? = nil,
            number: String? = nil,
            prefix: String? = nil,
            region: Region? = nil,
            verdict: GuardVerdict.Action? = nil,
            reasons: [GuardVerdict.Reason] = [],
            subject: String? = nil,
            reason: String? = nil
        ) -> StoredRecord {
            .auditEntry(
                AuditCursor(at: at, serial: serial),
                AuditEntry(
                    at: at,
                    action: action,
                    owner: owner.map { .operator($0) },
                    address: address.flatMap { ClientAddress($0) },
                    verificationID: verification,
                    maskedNumber: mask,
                    numberDigest: number.map(NumberDigest.init(rawValue:)),
                    prefixDigest: prefix.map(NumberDigest.init(rawValue:)),
                    region: region,
                    verdict: verdict,
                    reasons: reasons,
                    subject: subject,
                    reason: reason.flatMap(AuditReason.init)
                )
            )
        }
        return [
            entry(), entry(serial: 2), entry(at: later), entry(action: .approve),
            entry(owner: "a"), entry(address: "203.0.113.7"), entry(verification: id), entry(mask: "a"),
            entry(number: "a"), entry(prefix: "a"), entry(region: .korea), entry(verdict: .allow),
            entry(reasons: [.vouched]), entry(reasons: [.vouched, .sampleSmall]),
            entry(reasons: [.sampleSmall, .vouched]), entry(subject: "a"), entry(reason: "a"),
        ]
    }
}
