import PhoneDomain
import Testing

@Suite struct AttemptQueryTests {
    private static let (ours, theirs) = (TenantAccount.ID(bits: 1, 1), TenantAccount.ID(bits: 1, 2))
    private static let now = Timestamp(seconds: 1000)

    /// A message of ours to a Korean number, which was approved.
    private func attempt(
        of account: TenantAccount.ID? = ours,
        tenant: UInt64 = 1,
        status: VerificationStatus = .approved
    ) throws -> DeliveryAttempt {
        let owner = account.map { Owner.tenant(Tenant.ID(bits: 0, tenant), of: $0) } ?? .local
        let verification = Verification(
            id: Verification.ID(bits: 0, 5),
            phoneNumber: try PhoneNumber(e164: "+821012345678"),
            owner: owner,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "", mac: [], ciphertext: []),
            createdAt: Self.now,
            expiresAt: Self.now,
            nextSendAt: Self.now,
            sendsLeft: 0,
            checksLeft: 0,
            recordedStatus: status,
            updatedAt: Self.now,
            consumedBy: nil
        )
        return DeliveryAttempt(
            message: OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 6),
                verificationID: verification.id,
                createdAt: Self.now,
                account: owner.tenantAccount
            ),
            verification: verification
        )
    }

    @Test func `an account's messages are covered, and no other's`() throws {
        let query = AttemptQuery(account: Self.ours)
        #expect(query.covers(try attempt()))
        #expect(query.covers(try attempt(tenant: 2)))
        #expect(!query.covers(try attempt(of: Self.theirs)))
        #expect(!query.covers(try attempt(of: nil)))
    }

    @Test func `each condition holds by itself`() throws {
        let (covered, america) = (try attempt(), try #require(Region("US")))
        func query(_ narrow: (inout AttemptQuery) -> Void) -> AttemptQuery {
            var query = AttemptQuery(account: Self.ours)
            narrow(&query)
            return query
        }
        let (before, after) = (Self.now - .milliseconds(1), Self.now + .milliseconds(1))
        for yes in [
            query { $0.tenant = Tenant.ID(bits: 0, 1) }, query { $0.verification = Verification.ID(bits: 0, 5) },
            query { $0.message = OutboxMessage.ID(bits: 0, 6) }, query { $0.e164 = "+821012345678" },
            query { $0.prefix = "+8210" }, query { $0.region = .korea }, query { $0.isConverted = true },
            query { $0.since = Self.now }, query { $0.until = Self.now },
            query { $0.after = AttemptQuery.Cursor(at: Self.now, id: OutboxMessage.ID(bits: 0, 7)) },
            query { $0.after = AttemptQuery.Cursor(at: after, id: OutboxMessage.ID(bits: 0, 1)) },
        ] { #expect(yes.covers(covered), "\(yes)") }
        for no in [
            query { $0.tenant = Tenant.ID(bits: 0, 2) }, query { $0.verification = Verification.ID(bits: 0, 6) },
            query { $0.message = OutboxMessage.ID(bits: 0, 5) }, query { $0.e164 = "+82101234567" },
            query { $0.prefix = "+8211" }, query { $0.region = america }, query { $0.isConverted = false },
            query { $0.since = after }, query { $0.until = before },
            query { $0.after = AttemptQuery.Cursor(at: Self.now, id: OutboxMessage.ID(bits: 0, 6)) },
            query { $0.after = AttemptQuery.Cursor(at: before, id: OutboxMessage.ID(bits: 0, 7)) },
        ] { #expect(!no.covers(covered), "\(no)") }
        let pending = try attempt(status: .pending)
        #expect(query { $0.isConverted = false }.covers(pending))
        #expect(!query { $0.isConverted = true }.covers(pending))
    }

    @Test func `an owner tells its account, if it is a tenant`() {
        #expect(Owner.tenant(Tenant.ID(bits: 0, 1), of: Self.ours).tenantAccount == Self.ours)
        for text in [
            "local", "tenant:", "tenant:\(Self.ours.hexadecimal)", "tenant:x/y", "caller:tenant",
            "/tenant:\(Self.ours.hexadecimal)/x", "caller:tenant:\(Self.ours.hexadecimal)/x",
        ] { #expect(Owner(rawValue: text).tenantAccount == nil, "\(text)") }
    }
}
