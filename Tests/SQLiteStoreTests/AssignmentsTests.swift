import Testing

@testable import PhoneDomain
@testable import SQLiteStore

/// What a change of a row sets.
@Suite struct AssignmentsTests {
    private static let moment = Timestamp(seconds: 1_767_225_600)
    private static let accountID = Account.ID(bits: 0, 7)
    private static let changes: [@Sendable (inout Verification) -> Void] = [
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

    @Test(arguments: changes.indices)
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
        Self.changes[index](&changed)
        let kept = try await store.write { [changed] tables in
            try tables.accounts.save(account, loaded: nil, at: Self.moment)
            try tables.verifications.save(loaded, loaded: nil, at: Self.moment)
            try tables.verifications.save(changed, loaded: loaded, at: Self.moment)
            return try tables.verifications.find(loaded.id)
        }
        #expect(changed != loaded)
        #expect(kept == changed)
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
