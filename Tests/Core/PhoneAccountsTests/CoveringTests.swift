import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

/// What belongs to an account, for showing it and for deleting it.
@Suite struct CoveringTests {
    private static let start = Timestamp(seconds: 1_000_000)
    private static let digests = [NumberDigest(rawValue: "test:+821011111111")]

    private func account(_ e164: String? = "+821011111111") throws -> Account {
        Account(
            id: Account.ID(bits: 0, 1),
            phoneNumber: try e164.map { try PhoneNumber(e164: $0) },
            phoneNumberSince: Self.start,
            createdAt: Self.start - .seconds(1000),
            createdBy: Verification.ID(bits: 0, 1),
            deletionDueAt: Self.start + .seconds(3600)
        )
    }

    private func verification(
        _ id: UInt64 = 2,
        _ e164: String = "+821011111111",
        at seconds: Int64 = 0,
        _ status: VerificationStatus = .pending,
        usedFor account: Account.ID? = nil
    ) throws -> Verification {
        try sampleVerification(
            e164,
            bits: id,
            at: Self.start + .seconds(seconds),
            status: status,
            usedFor: account
        )
    }

    @Test func `verifications are an account's by use, by its making, or by its number since it has it`() throws {
        let account = try account()
        let other = "+821022222222"
        let covered = [
            try verification(), try verification(at: -1), try verification(1, other, at: -1),
            try verification(3, other),
            try verification(3, other, at: -1, .approved, usedFor: account.id),
            try verification(3, other, at: 0, .approved, usedFor: Account.ID(bits: 9, 9)),
        ].map { PersonalData.covers($0, of: account) }
        #expect(covered == [true, false, true, false, true, false])
        #expect(try !PersonalData.covers(verification(), of: self.account(nil)))
    }

    @Test func `with an account go verifications that were used for it, or are of its number and over`() throws {
        let account = try account()
        let now = Self.start + .seconds(3600)
        let command = DeleteAccount(account.id, digester: PlainNumberDigester(), now: now)
        let covered = [
            try verification(), try verification(at: 1),
            try verification(at: 0, .approved), try verification(at: 1, .approved),
            try verification(at: 0, .approved, usedFor: Account.ID(bits: 9, 9)),
            try verification(3, "+821022222222", at: 3599, .approved, usedFor: account.id),
            try verification(3, "+821022222222"),
        ].map { command.covers($0, of: account) }
        #expect(covered == [true, false, true, false, false, true, false])
        #expect(command.covers(account))
        #expect(!DeleteAccount(account.id, digester: PlainNumberDigester(), now: now - .seconds(1)).covers(account))
        #expect(!DeleteAccount(Account.ID(bits: 9, 9), digester: PlainNumberDigester(), now: now).covers(account))
    }

    @Test func `entries are an account's by its verifications, or by its number since it has it`() throws {
        func entry(_ seconds: Int64, _ id: UInt64?, _ digest: String?) -> AuditEntry {
            AuditEntry(
                at: Self.start + .seconds(seconds),
                action: .begin,
                owner: nil,
                verificationID: id.map { Verification.ID(bits: 0, $0) },
                numberDigest: digest.map { NumberDigest(rawValue: "test:" + $0) }
            )
        }
        let account = try account()
        let entries = [
            entry(-1, 1, nil), entry(-1, 2, "+821011111111"), entry(0, 2, "+821011111111"),
            entry(0, nil, "+821022222222"),
            entry(0, nil, nil),
        ]
        let ids: Set = [Verification.ID(bits: 0, 1)]
        let covered = entries.map { PersonalData.covers($0, of: ids, Self.digests, account) }
        #expect(covered == [true, false, true, false, false])
        let command = DeleteAccount(account.id, digester: PlainNumberDigester(), now: Self.start)
        // The first has nothing to be unlinked from.
        let unlinked = entries.map { command.covers($0, of: ids, Self.digests, account) }
        #expect(unlinked == [false, false, true, false, false])
    }
}
