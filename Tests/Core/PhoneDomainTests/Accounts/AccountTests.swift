import PhoneNumbers
import PhoneSignup
import Testing

@testable import PhoneDomain

@Suite struct AccountTests {
    private static let start = Timestamp(seconds: 1000)

    private func account(due: Timestamp? = nil) throws -> Account {
        Account(
            id: Account.ID(bits: 0, 1),
            phoneNumber: try PhoneNumber(e164: "+821011111111"),
            createdAt: Self.start,
            createdBy: Verification.ID(bits: 0, 1),
            deletionDueAt: due
        )
    }

    @Test func `an account without further fields is as when it was created`() throws {
        let account = try account()
        #expect(account.phoneNumberSince == Self.start)
        #expect(account.lastActiveAt == Self.start)
        #expect(account.metadata.json == "{}")
    }

    @Test func `an account is dormant from the moment that its time is over, and never where there is no time`() throws
    {
        let account = try account()
        let policy = AccountPolicy(dormantAfter: .seconds(60))
        #expect(!account.isDormant(at: Self.start + .milliseconds(59_999), policy: policy))
        #expect(account.isDormant(at: Self.start + .seconds(60), policy: policy))
        let never = AccountPolicy(dormantAfter: nil)
        #expect(!account.isDormant(at: Self.start + .seconds(1_000_000_000), policy: never))
    }

    @Test func `an account is due from its moment on, and one without a moment never`() throws {
        let due = Self.start + .seconds(60)
        #expect(try !account(due: due).isDue(at: due - .milliseconds(1)))
        #expect(try account(due: due).isDue(at: due))
        #expect(try !account().isDue(at: due))
    }

    @Test func `signs of life are recorded once an hour, and never take time away`() throws {
        var account = try account()
        account.recordActivity(at: Self.start + .milliseconds(3_599_999))
        #expect(account.lastActiveAt == Self.start)
        account.recordActivity(at: Self.start + .seconds(3600))
        #expect(account.lastActiveAt == Self.start + .seconds(3600))
        account.recordActivity(at: Self.start)
        account.recordSignIn(at: Self.start)
        #expect(account.lastActiveAt == Self.start + .seconds(3600))
        account.recordSignIn(at: Self.start + .milliseconds(3_600_001))
        #expect(account.lastActiveAt == Self.start + .milliseconds(3_600_001))
        account.recordSignIn(by: .key, at: Self.start + .seconds(9000))
        #expect(account.lastActiveAt == Self.start + .milliseconds(3_600_001))
    }

    @Test func `an account that is unlinked is held no longer than it would have stayed`() throws {
        let policy = AccountPolicy(holdTime: .seconds(60))
        for (due, expected): (Int64?, Int64) in [(nil, 160), (30, 30), (200, 160)] {
            var account = try account(due: due.map { Self.start + .seconds($0) })
            account = account.unlinked(at: Self.start + .seconds(100), policy: policy)
            #expect(account.phoneNumber == nil)
            #expect(account.phoneNumberSince == Self.start + .seconds(100))
            #expect(account.deletionDueAt == Self.start + .seconds(expected))
        }
    }

    @Test func `a number that is taken keeps an account that was held, and not one that is to be deleted`() throws {
        let number = try PhoneNumber(e164: "+821022222222")
        var wanted = try account(due: Self.start + .seconds(60))
        wanted.take(number, at: Self.start + .seconds(1))
        #expect(wanted.deletionDueAt == Self.start + .seconds(60))
        var held = try account()
        held = held.unlinked(at: Self.start + .seconds(1), policy: .standard)
        held.take(number, at: Self.start + .seconds(2))
        #expect(held.deletionDueAt == nil)
        #expect(held.phoneNumber == number)
    }

    @Test func `each change of number is later than the one before, whatever the clock says`() throws {
        let number = try PhoneNumber(e164: "+821022222222")
        var account = try account()
        var moments: [Timestamp] = []
        for seconds: Int64 in [5, 5, 3, 6] {
            account.take(number, at: Self.start + .seconds(seconds))
            moments.append(account.phoneNumberSince)
        }
        account = account.unlinked(at: Self.start, policy: .standard)
        moments.append(account.phoneNumberSince)
        #expect(moments == [5000, 5001, 5002, 6000, 6001].map { Self.start + .milliseconds($0) })
    }

    @Test func `a proof is fresh for as long as the operator says, and where none is asked for always`() {
        let session = Session(
            id: Session.ID(bits: 0, 1),
            accountID: Account.ID(bits: 0, 1),
            userAgent: nil,
            createdAt: Self.start,
            expiresAt: Self.start,
            tokenDigest: [],
            refreshedAt: Self.start,
            idleUntil: Self.start
        )
        let policy = AccountPolicy(freshProof: .seconds(60))
        #expect(!policy.isProofTooOld(of: session, at: Self.start + .milliseconds(59_999)))
        #expect(policy.isProofTooOld(of: session, at: Self.start + .seconds(60)))
        #expect(!AccountPolicy.standard.isProofTooOld(of: session, at: Self.start + .seconds(1_000_000)))
    }

    @Test func `what operators write is read, and nothing else`() {
        #expect(AccountPolicy.Recycling.allCases.map(\.rawValue) == ["sign_in", "quarantine", "ask"])
        #expect(DormantDecision.allCases.map(\.rawValue) == ["sign_in", "new_account"])
    }
}
