import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

@testable import PhoneAdministration
@testable import PhoneDomain

/// Records of every kind, in order of their keys: each with all that may be missing, and without.
enum SampleRecords {
    static let lastSerial: Int64 = 1_000_000_000_000

    static let all = values.map { StoredRecord($0) }

    static let values: [any Record] =
        [
            account(1, "+821011111111"), account(2, "+821022222222"), fullAccount(3), account(.max, "+12125550123"),
            NumberHolder(e164: "+12125550123", account: Account.ID(bits: 0, .max)),
            NumberHolder(e164: "+821011111111", account: Account.ID(bits: 0, 1)),
            ExternalHolder(externalID: "auth0|5f7c", account: Account.ID(bits: 0, 3)),
            ExternalHolder(externalID: "u2", account: Account.ID(bits: 0, 2)), fullClient(1), plainClient(2),
            plainSession(1), fullSession(2), plainSession(.max), plainCode(1), fullCode(2), plainDevice, fullDevice,
            plainVerification(1),
            fullVerification(2), plainVerification(3), plainChange(1), fullChange(2),
            OutboxMessage(id: OutboxMessage.ID(bits: 0, 1), verificationID: verification(1), createdAt: moment),
            fullMessage(2, .queued), fullMessage(3, .failed), fullMessage(4, .withheld),
            Event(.accountCreated, of: .account(Account.ID(bits: 0, 1)), occurredAt: moment, at: moment),
            Event(
                kind: .guardBlocked,
                subject: .prefix("+82101111"),
                occurredAt: moment - .seconds(1),
                status: .failed,
                attempts: 5,
                forgivenAttempts: 3,
                nextAttemptAt: moment + .seconds(60),
                failure: "no response in time",
                traceParent: TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            ),
            Event(.messageDelivered, of: .message(OutboxMessage.ID(bits: 0, 1)), occurredAt: moment, at: moment),
            plainSignup(1), fullSignup(2), request("a", answer: nil), request("b", answer: answer),
            ActiveNumber(e164: "+821011111111", activity: activity),
            ActiveNumber(e164: "+821022222222", activity: failures),
            MeterInUse(key: LimitKey(rawValue: "address-sends-1h 203.0.113.7"), meter: RateMeter(fullAt: 1)),
            // An order of texts that looks at letters first would have these two the other way round.
            MeterInUse(key: LimitKey(rawValue: "country-sends-1h KR"), meter: RateMeter(fullAt: .max)),
            MeterInUse(key: LimitKey(rawValue: "countrysends"), meter: RateMeter(fullAt: -1)),
            UsedProof(key: "0a1b", expiresAt: moment), UsedProof(key: "0a1c", expiresAt: moment + .seconds(1)),
            KeyedTraffic(key: .prefix("+82101111"), traffic: blocked),
            KeyedTraffic(key: .country(.korea), traffic: remembered), KeyedTraffic(key: .service, traffic: traffic),
        ]
        + [
            GuardRule(prefix: "+8210", action: .allow, until: nil, createdAt: moment),
            GuardRule(prefix: "+821012345678", action: .block, until: moment, createdAt: moment + .seconds(1)),
        ]
        .compactMap(\.self) + [
            StoreSuite.key(1), StoreSuite.key(2, scopes: [.verifications, .admin], lastUsedAt: moment), audienceKey,
            Note(1), Note(2, "+821087654321", after: 1, text: "0", account: Account.ID(bits: 0, 1)),
            Override("gateway stub", "paused", since: moment),
            Override("guard.mode", "shadow", since: moment + .seconds(1)), figure("-"), figure("caller:shop"),
            instance(1), instance(2), FigureProgress("a", verification(7)), FigureProgress("b", verification(8)),
            SenderQueue(gateway: "a"),
            SenderQueue(gateway: "b", senders: [.init(next: 1, end: 2), .init(next: 3, end: 4)]),
            waiting(1), waiting(2),
            signingKey(1, removedAt: nil), signingKey(2, removedAt: moment + .seconds(9)),
            AuditRecord(serial: 7, entry: plainEntry),
            AuditRecord(serial: lastSerial, entry: fullEntry),
        ]

    private static func waiting(_ number: UInt64) -> WaitingMessage {
        WaitingMessage(
            verificationID: verification(number),
            messageID: OutboxMessage.ID(bits: 0, number),
            place: Int64(number),
            gateway: "sms-\(number)",
            sender: Int(number),
            due: moment - .seconds(Int64(number)),
            expiresAt: moment + .seconds(Int64(number))
        )
    }

    private static func instance(_ number: UInt64) -> Instance {
        Instance(
            id: Instance.ID(bits: 0, number),
            host: "web-\(number)",
            process: Int(number),
            version: "1.\(number)",
            startedAt: moment + .seconds(Int64(number)),
            seenAt: moment + .seconds(9 * Int64(number)),
            findings: [Finding("disk", .doubtful, "\(number) MB free", kind: .disk, advice: "make room", since: moment)]
        )
    }

    private static func figure(_ caller: String) -> DailyFigure {
        let isPlain = caller == "-"
        var figure = DailyFigure(
            DailyFigure.Key(
                day: isPlain ? 20_454 : 20_455,
                region: isPlain ? .korea : .world,
                channel: isPlain ? nil : Channel(rawValue: "channel_of_last_year"),
                gateway: isPlain ? nil : "twilio",
                caller: isPlain ? nil : caller
            )
        )
        if isPlain { return figure }
        (figure.requested, figure.suppressed, figure.sent, figure.delivered, figure.checked) = (9, 3, 8, 7, 6)
        (figure.approved, figure.signedUp, figure.cost, figure.secondsToApproval[2]) = (5, 4, 7, 6)
        return figure
    }

    static let moment = StoreScene.start + .milliseconds(123)

    private static func verification(_ serial: UInt64) -> Verification.ID { Verification.ID(bits: 0, serial) }

    private static func number(_ e164: String) -> PhoneNumber {
        // Only numbers that there are.
        guard let number = try? PhoneNumber(e164: e164) else { preconditionFailure("not a number") }
        return number
    }

    private static func account(_ serial: UInt64, _ e164: String) -> Account {
        Account(
            id: Account.ID(bits: 0, serial),
            phoneNumber: number(e164),
            createdAt: moment,
            createdBy: verification(serial)
        )
    }

    /// One that lost its number.
    private static func fullAccount(_ serial: UInt64) -> Account {
        Account(
            id: Account.ID(bits: 0, serial),
            phoneNumber: nil,
            phoneNumberSince: moment + .seconds(1),
            createdAt: moment - .seconds(1),
            createdBy: verification(serial),
            lastActiveAt: moment + .seconds(2),
            metadata: AccountMetadata(json: #"{"e\u{301}":"🙂 '\\"}"#),
            deletionDueAt: moment + .seconds(3),
            sessionGeneration: 4,
            consent: Consent(version: "2026-01-01", acceptedAt: moment + .seconds(4)),
            suspendedAt: moment + .seconds(5),
            externalID: ExternalID("auth0|5f7c")
        )
    }

    private static func plainSession(_ serial: UInt64) -> Session {
        Session(
            id: Session.ID(bits: 0, serial),
            accountID: Account.ID(bits: 0, 1),
            userAgent: nil,
            createdAt: moment,
            expiresAt: moment,
            tokenDigest: [],
            refreshedAt: moment,
            idleUntil: moment
        )
    }

    private static func fullSession(_ serial: UInt64) -> Session {
        Session(
            id: Session.ID(bits: 0, serial),
            accountID: Account.ID(bits: 0, 2),
            userAgent: "Mozilla/5.0 'a phone' \\",
            createdAt: moment - .seconds(1),
            expiresAt: moment + .seconds(1),
            tokenDigest: Array(0...255),
            previousDigest: [0, 255],
            refreshedAt: moment + .seconds(2),
            idleUntil: moment + .seconds(3),
            grant: ClientGrant(clientID: OAuthClient.ID(bits: 0, 1), scopes: [.openID, .offlineAccess]),
            generation: 5,
            proof: .key
        )
    }

    private static func plainChange(_ serial: UInt64) -> NumberChange {
        NumberChange(
            id: NumberChange.ID(bits: 0, serial),
            accountID: Account.ID(bits: 0, 1),
            sessionID: Session.ID(bits: 0, 1),
            verificationID: verification(1),
            oldNumber: nil,
            newNumber: number("+821011111111"),
            language: .korean,
            changedAt: moment,
            undoableUntil: moment,
            undoDigest: []
        )
    }

    private static func fullChange(_ serial: UInt64) -> NumberChange {
        NumberChange(
            id: NumberChange.ID(bits: 0, serial),
            accountID: Account.ID(bits: 0, 2),
            sessionID: Session.ID(bits: 0, 7),
            verificationID: verification(9),
            oldNumber: number("+821022222222"),
            newNumber: number("+821033333333"),
            language: .english,
            changedAt: moment + .seconds(1),
            undoableUntil: moment + .seconds(2),
            undoDigest: Array(0...255),
            closedAt: moment + .seconds(3)
        )
    }

    private static func plainVerification(_ serial: UInt64) -> Verification {
        Verification(
            id: verification(serial),
            phoneNumber: number("+821011111111"),
            owner: StoreScene.alice,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "", mac: [], ciphertext: []),
            createdAt: moment,
            expiresAt: moment + .seconds(600),
            nextSendAt: moment,
            sendsLeft: 0,
            checksLeft: 0,
            recordedStatus: .pending,
            updatedAt: moment,
            consumedBy: nil
        )
    }

    private static func fullVerification(_ serial: UInt64) -> Verification {
        Verification(
            id: verification(serial),
            phoneNumber: number("+821022222222"),
            owner: Owner.operator("an owner's name, 한글"),
            channel: Channel(rawValue: "channel_of_last_year") ?? .sms,
            language: .english,
            code: SealedCode(keyID: "k1", mac: Array(0...255), ciphertext: [0, 255, 0]),
            createdAt: moment - .seconds(1),
            codeTTL: .milliseconds(1234),
            isTest: true,
            hasCustomCode: true,
            begunFrom: ClientAddress("2001:db8:1:2::/64"),
            expiresAt: moment + .seconds(601),
            sentAt: moment + .seconds(1),
            acceptedAt: moment + .seconds(2),
            nextSendAt: moment + .seconds(3),
            sendsLeft: 4,
            checksLeft: 5,
            checksLeftAtSend: 6,
            recordedStatus: .approved,
            updatedAt: moment + .seconds(6),
            consumedBy: Account.ID(bits: 0, 2),
            repeatableBy: ClientOrigin(rawValue: "203.0.113.7"),
            fallbacks: [.sms, .call],
            guessers: [ClientOrigin(rawValue: "203.0.113.7"), ClientOrigin(rawValue: "-")],
            lastRequest: IdempotencyKey("order-4711"),
            labels: labels
        )
    }

    private static let labels = Labels(
        reference: Labels.Reference("order 4711, e\u{301} \"'\\"),
        tags: Labels.Tags([Labels.Tag("plan", "a:b=c, 무료"), Labels.Tag("campaign", "spring")].compactMap(\.self))
    )

    private static func fullMessage(_ serial: UInt64, _ status: OutboxMessage.Status) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessage.ID(bits: 0, serial),
            verificationID: verification(2),
            numberChangeID: serial == 3 ? NumberChange.ID(bits: 0, 2) : nil,
            channel: .call,
            weight: 7,
            createdAt: moment - .seconds(1),
            isWithheld: true,
            traceParent: TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            wording: MessageWording(
                service: "e\u{301} & '가게'",
                template: TemplateName("winter-1"),
                appHash: "FA+9qCX9VSu",
                warnsAgainstSharing: true,
                substitutions: ["name": "a=b; 'c' \\", "empty": ""]
            ),
            group: "shop:e\u{301}'",
            status: status,
            attempts: 5,
            nextAttemptAt: moment + .seconds(60),
            gateway: "stub",
            gatewayMessageID: "SM\(serial)",
            forgivenAttempts: 3,
            failure: "no money",
            awaitsReceipt: true,
            fallbackAt: moment + .seconds(7),
            cost: 12_500,
            acceptedAt: moment + .seconds(6),
            deliveredAt: moment + .seconds(8),
            pollingID: "<\(serial)@e\u{301}>",
            feedback: "accepted"
        )
    }

    private static func plainSignup(_ serial: UInt64) -> Signup {
        Signup(
            id: Signup.ID(bits: 0, serial),
            tokenDigest: [],
            region: .korea,
            language: .korean,
            createdAt: moment,
            expiresAt: moment,
            phoneText: "",
            verificationID: nil
        )
    }

    private static func fullSignup(_ serial: UInt64) -> Signup {
        Signup(
            id: Signup.ID(bits: 0, serial),
            tokenDigest: Array(0...255),
            region: .world,
            language: .english,
            createdAt: moment - .seconds(1),
            expiresAt: moment + .seconds(1),
            // Equal to the composed letter, and not the same bytes; a quotation mark and a backslash.
            phoneText: "e\u{301} 010-1234 🙂 '\\",
            verificationID: verification(1),
            isComplete: true,
            decision: .newAccount,
            consentVersion: "2026-01-01",
            labels: labels
        )
    }

    private static let audienceKey = APIKey(
        id: APIKey.ID(bits: 0, 3),
        name: StoreSuite.key(3).name,
        digest: [1],
        scopes: [.verifications],
        audience: "a e\u{301}/'b'",
        createdAt: moment,
        revokedAt: moment + .seconds(1)
    )

    private static func signingKey(_ serial: UInt64, removedAt: Timestamp?) -> SigningKey {
        SigningKey(
            id: SigningKey.ID(bits: 0, serial),
            algorithm: removedAt == nil ? .rs256 : .es256,
            publicKey: Array(repeating: UInt8(serial), count: 64),
            sealedPrivateKey: SealedSecret(keyID: "k\(serial)", ciphertext: Array(0...UInt8(serial))),
            createdAt: moment + .seconds(Int64(serial)),
            activeAt: moment + .seconds(3600 * Int64(serial)),
            removedAt: removedAt
        )
    }

    private static func request(_ key: String, answer: StoredResponse?) -> IdempotentRequest {
        guard let key = IdempotencyKey(key) else { preconditionFailure("not a key") }
        let serial = answer == nil ? 1 : 2
        return IdempotentRequest(
            name: IdempotentRequest.Name(owner: .operator("shop \(serial)"), key: key),
            fingerprint: NumberDigest(rawValue: "k\(serial):00ff"),
            attempt: serial,
            leaseEndsAt: moment + .seconds(serial),
            expiresAt: moment + .seconds(86_400 + serial),
            answer: answer
        )
    }

    private static let answer = StoredResponse(
        status: 201,
        contentType: "application/json",
        location: "/v1/verifications/ver_00000000000000000000000000000001",
        body: #"{"status":"pending"}"#,
        verificationID: verification(1)
    )

    private static let activity = NumberActivity(
        recentSends: [moment, moment + .seconds(1)],
        senders: [nil, ClientOrigin(rawValue: "2001:db8:1:2::/64")],
        sendsInRun: 2,
        consecutiveFailures: 0,
        lastFailureAt: nil
    )
    private static let failures = NumberActivity(
        recentSends: [],
        sendsInRun: 0,
        consecutiveFailures: 9,
        lastFailureAt: moment
    )
    private static let traffic = Traffic(
        hours: [
            Traffic.Hour(number: 490_896, sent: 1, approved: 2, suppressed: 3), Traffic.Hour(number: 490_897, sent: 4),
        ]
    )
    private static let remembered = Traffic(
        hours: traffic.hours,
        peaks: [Traffic.Peak(day: 20_450, approved: 40), Traffic.Peak(day: 20_453, approved: 1)]
    )
    private static let blocked = Traffic(hours: [], blockedUntil: moment, refusedInBlock: 5)

    private static let plainEntry = AuditEntry(at: moment, action: .erase, owner: nil)
    private static let fullEntry = AuditEntry(
        at: moment - .seconds(60),
        action: .suppress,
        owner: StoreScene.bob,
        address: ClientAddress("2001:db8:1:2::3"),
        verificationID: verification(2),
        maskedNumber: "+82 10-****-5678",
        numberDigest: NumberDigest(rawValue: "test:+821012345678"),
        prefixDigest: NumberDigest(rawValue: "test:+82101234"),
        region: .korea,
        verdict: .block,
        reasons: GuardVerdict.Reason.allCases,
        subject: "key_1",
        reason: AuditReason("on request"),
        measure: GuardMeasure(
            prefix: .init(sent: 1, approved: 2, budget: 3),
            country: .init(sent: 4, approved: 5, budget: 6)
        ),
        labels: labels
    )
}
