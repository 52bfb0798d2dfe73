import Testing

@testable import PhoneDomain
@testable import SQLiteStore

/// What a change of a row sets.
@Suite struct AssignmentsTests {
    private static let moment = Timestamp(seconds: 1_767_225_600)
    private static let accountID = Account.ID(bits: 0, 7)
    private static let verificationChanges: [@Sendable (inout Verification) -> Void] = [
        { $0.code = SealedCode(keyID: "k2", mac: [1], ciphertext: [2]) },
        { $0.code = SealedCode(keyID: "k1", mac: [9], ciphertext: [2]) },
        { $0.code = SealedCode(keyID: "k1", mac: [1], ciphertext: []) },
        { $0.hasCustomCode = true },
        { $0.expiresAt = moment + .seconds(601) },
        { $0.nextSendAt = moment + .seconds(31) },
        { $0.sendsLeft = 3 },
        { $0.checksLeft = 4 },
        { $0.recordedStatus = .canceled },
        { $0.updatedAt = moment + .seconds(1) },
        { $0.sentAt = moment + .seconds(2) },
        { $0.acceptedAt = moment + .seconds(3) },
        { $0.acceptedAt = nil },
        { $0.repeatableBy = CallerMark(rawValue: "203.0.113.7") },
        { $0.consumedBy = accountID },
    ]

    private static let accountChanges: [@Sendable (inout Account) -> Void] = [
        { $0.phoneNumber = nil },
        { $0.phoneNumberSince = moment + .seconds(1) },
        { $0.lastActiveAt = moment + .seconds(2) },
        { $0.metadata = AccountMetadata(json: #"{"a":1}"#) },
        { $0.deletionDueAt = moment + .seconds(3) },
    ]

    private static func verification() throws -> Verification {
        Verification(
            id: Verification.ID(bits: 0, 1),
            phoneNumber: try PhoneNumber(e164: "+821012345678"),
            owner: .local,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "k1", mac: [1], ciphertext: [2]),
            createdAt: moment,
            expiresAt: moment + .seconds(600),
            sentAt: moment,
            acceptedAt: moment,
            nextSendAt: moment + .seconds(30),
            sendsLeft: 4,
            checksLeft: 5,
            recordedStatus: .pending,
            updatedAt: moment,
            consumedBy: nil
        )
    }

    @Test(arguments: verificationChanges.indices)
    func `what a command changed of a verification is kept, and so is the rest`(_ index: Int) async throws {
        let store = try SQLiteStore.inMemory()
        let loaded = try Self.verification()
        let account = Account(
            id: Self.accountID,
            phoneNumber: loaded.phoneNumber,
            createdAt: Self.moment,
            createdBy: loaded.id
        )
        var changed = loaded
        Self.verificationChanges[index](&changed)
        let kept = try await store.write { [changed] tables in
            try tables.accounts.save(account, loaded: nil, at: Self.moment)
            try tables.verifications.save(loaded, loaded: nil, at: Self.moment)
            try tables.verifications.save(changed, loaded: loaded, at: Self.moment)
            return try tables.verifications.find(loaded.id)
        }
        #expect(changed != loaded)
        #expect(kept == changed)
    }

    @Test(arguments: accountChanges.indices)
    func `what a command changed of an account is kept, and so is the rest`(_ index: Int) async throws {
        let store = try SQLiteStore.inMemory()
        let loaded = Account(
            id: Self.accountID,
            phoneNumber: try PhoneNumber(e164: "+821012345678"),
            createdAt: Self.moment,
            createdBy: Verification.ID(bits: 0, 1)
        )
        var changed = loaded
        Self.accountChanges[index](&changed)
        let kept = try await store.write { [changed] tables in
            try tables.accounts.save(loaded, loaded: nil, at: Self.moment)
            try tables.accounts.save(changed, loaded: loaded, at: Self.moment)
            return try tables.accounts.find(loaded.id)
        }
        #expect(changed != loaded)
        #expect(kept == changed)
    }

    /// By the moments of a message's life, each with all that it may change.
    @Test func `what a command changed of a message is kept, and so is the rest`() async throws {
        let store = try SQLiteStore.inMemory()
        let verification = try Self.verification()
        func message(
            _ status: OutboxMessage.Status,
            attempts: Int,
            gateway: String? = nil,
            _ gatewayMessageID: String? = nil,
            forgiven: Int = 0,
            failure: String? = nil,
            after seconds: Int = 0
        ) -> OutboxMessage {
            OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 9),
                verificationID: verification.id,
                createdAt: Self.moment,
                status: status,
                attempts: attempts,
                nextAttemptAt: Self.moment + .seconds(seconds),
                gateway: gateway,
                gatewayMessageID: gatewayMessageID,
                forgivenAttempts: forgiven,
                failure: failure
            )
        }
        let life = [
            message(.queued, attempts: 0),
            message(.queued, attempts: 1),
            message(.queued, attempts: 1, after: 30),
            message(.queued, attempts: 1, forgiven: 1, after: 30),
            message(.queued, attempts: 1, forgiven: 1, failure: "busy", after: 30),
            message(.sent, attempts: 1, forgiven: 1, failure: "busy", after: 30),
            message(.sent, attempts: 1, gateway: "a", forgiven: 1, failure: "busy", after: 30),
            message(.sent, attempts: 1, gateway: "a", "m1", forgiven: 1, failure: "busy", after: 30),
            message(.sent, attempts: 1, gateway: "a", "m1", forgiven: 1, after: 30),
        ]
        let kept = try await store.write { tables in
            try tables.verifications.save(verification, loaded: nil, at: Self.moment)
            try tables.messages.insert(life[0])
            return try zip(life, life.dropFirst()).map { loaded, changed in
                try tables.messages.update(changed, loaded: loaded, at: Self.moment)
                return try tables.messages.find(changed.id)?.message
            }
        }
        #expect(kept == Array(life.dropFirst()))
    }

    @Test func `a column is set where its value differs, and not otherwise`() {
        var assignments = Assignments()
        assignments.set("a", to: 1, was: 1)
        assignments.set("b", to: "new", was: "old")
        assignments.set("c", to: Int?.none, was: 3)
        assignments.set("d", to: String?.none, was: nil)
        #expect(assignments.text == "b = ?, c = ?")
    }
}
