import PhoneAdministration
import PhoneDomain
import Testing

@Suite struct MessageQueryTests {
    private static let ours = "shop:1"
    private static let now = Timestamp(seconds: 1000)

    /// A message of ours to a Korean number, which was approved.
    private func message(
        of owner: Owner = .client(of: "shop", group: "1", id: "a"),
        status: VerificationStatus = .approved
    ) throws -> OutboxClaim {
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
        return OutboxClaim(
            message: OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 6),
                verificationID: verification.id,
                createdAt: Self.now,
                group: owner.group
            ),
            verification: verification
        )
    }

    @Test func `a group's messages are covered, and no other's`() throws {
        let query = MessageQuery(group: Self.ours)
        #expect(query.covers(try message()))
        #expect(query.covers(try message(of: .client(of: "shop", group: "1", id: "b"))))
        #expect(!query.covers(try message(of: .client(of: "shop", group: "2", id: "a"))))
        #expect(!query.covers(try message(of: .local)))
    }

    @Test func `each condition holds by itself`() throws {
        let (covered, america) = (try message(), try #require(Region("US")))
        func query(_ narrow: (inout MessageQuery) -> Void) -> MessageQuery {
            var query = MessageQuery(group: Self.ours)
            narrow(&query)
            return query
        }
        let (before, after) = (Self.now - .milliseconds(1), Self.now + .milliseconds(1))
        for yes in [
            query { $0.owner = .client(of: "shop", group: "1", id: "a") },
            query { $0.verification = Verification.ID(bits: 0, 5) },
            query { $0.message = OutboxMessage.ID(bits: 0, 6) }, query { $0.e164 = "+821012345678" },
            query { $0.prefix = "+8210" }, query { $0.region = .korea }, query { $0.isApproved = true },
            query { $0.since = Self.now }, query { $0.until = Self.now },
            query { $0.after = MessageQuery.Cursor(at: Self.now, id: OutboxMessage.ID(bits: 0, 7)) },
            query { $0.after = MessageQuery.Cursor(at: after, id: OutboxMessage.ID(bits: 0, 1)) },
        ] { #expect(yes.covers(covered), "\(yes)") }
        for no in [
            query { $0.owner = .client(of: "shop", group: "1", id: "b") },
            query { $0.verification = Verification.ID(bits: 0, 6) },
            query { $0.message = OutboxMessage.ID(bits: 0, 5) }, query { $0.e164 = "+82101234567" },
            query { $0.prefix = "+8211" }, query { $0.region = america }, query { $0.isApproved = false },
            query { $0.since = after }, query { $0.until = before },
            query { $0.after = MessageQuery.Cursor(at: Self.now, id: OutboxMessage.ID(bits: 0, 6)) },
            query { $0.after = MessageQuery.Cursor(at: before, id: OutboxMessage.ID(bits: 0, 7)) },
        ] { #expect(!no.covers(covered), "\(no)") }
        let pending = try message(status: .pending)
        #expect(query { $0.isApproved = false }.covers(pending))
        #expect(!query { $0.isApproved = true }.covers(pending))
    }
}
