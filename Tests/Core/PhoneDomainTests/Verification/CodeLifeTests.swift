import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

/// How long a code lives: from the moment when a gateway takes its message, and never over ten minutes.
@Suite struct CodeLifeTests {
    private static let ttl = 120

    private func scene() throws -> Scene {
        try Scene(policy: VerificationPolicy(codeTTL: .seconds(Self.ttl), resendCooldowns: [.zero]))
    }

    @Test func aMessageThatWaitsForAGatewayUsesUpNoneOfItsTime() throws {
        var scene = try scene()
        _ = try scene.begin(at: 0)
        #expect(scene.verification?.expiresAt == Scene.start + .seconds(120))
        #expect(scene.verification?.end == Scene.start + .seconds(600))
        #expect(scene.verification?.status(at: Scene.start + .seconds(300)) == .pending)
        #expect(scene.verification?.life(ifAcceptedAt: Scene.start + .seconds(300)) == .seconds(120))

        try scene.settle(.sent(gateway: "a", gatewayMessageID: "1"), at: 300)
        #expect(scene.verification?.expiresAt == Scene.start + .seconds(420))
        #expect(scene.verification?.end == Scene.start + .seconds(420))
        #expect(scene.verification?.status(at: Scene.start + .milliseconds(419_999)) == .pending)
        #expect(try scene.check(Scene.rightCode, at: 420).word == "code_expired")
    }

    @Test func tenMinutesAfterItsCreationItIsDead() throws {
        var scene = try scene()
        _ = try scene.begin(at: 0)
        #expect(scene.verification?.life(ifAcceptedAt: Scene.start + .seconds(550)) == .seconds(50))
        try scene.settle(.sent(gateway: "a", gatewayMessageID: "1"), at: 550)
        #expect(scene.verification?.expiresAt == Scene.start + .seconds(600))
        #expect(try scene.check(Scene.rightCode, at: 600).word == "code_expired")
    }

    @Test func theTimeThatAGatewayTookCountsInStepsOfFiveSeconds() throws {
        for (milliseconds, seconds) in [(0, 125), (1, 125), (5000, 125), (5001, 130)] as [(Int64, Int64)] {
            var scene = try scene()
            _ = try scene.begin(at: 0)
            try scene.settle(.sent(gateway: "a", gatewayMessageID: "1"), atMilliseconds: milliseconds)
            #expect(scene.verification?.expiresAt == Scene.start + .seconds(seconds))
        }
    }

    @Test func aResendPutsTheEndOffAndNeverBringsItNearer() throws {
        var scene = try scene()
        _ = try scene.begin(at: 0)
        try scene.settle(.sent(gateway: "a", gatewayMessageID: "1"), at: 0)
        _ = try scene.begin(at: 120)
        #expect(scene.verification?.expiresAt == Scene.start + .seconds(125))
        #expect(scene.verification?.end == Scene.start + .seconds(600))
        try scene.settle(.sent(gateway: "a", gatewayMessageID: "2"), at: 130)
        #expect(scene.verification?.expiresAt == Scene.start + .seconds(250))
        #expect(scene.verification?.end == Scene.start + .seconds(250))
        #expect(try scene.check(Scene.rightCode, at: 249).word == "approved")
    }

    @Test func aResendThatNoGatewayTakesEndsNothing() throws {
        var scene = try scene()
        _ = try scene.begin(at: 0)
        try scene.settle(.sent(gateway: "a", gatewayMessageID: "1"), at: 0)
        _ = try scene.begin(at: 100)
        try scene.settle(.failed("no gateway accepted it"), at: 101)
        #expect(scene.verification?.recordedStatus == .pending)
        #expect(try scene.check(Scene.rightCode, at: 102).word == "approved")
    }

    @Test func aSilentlySuppressedSendLooksLikeASentOne() throws {
        var (sent, withheld) = (try scene(), try scene())
        _ = try sent.begin(at: 0)
        _ = try withheld.begin(at: 0)
        try sent.settle(.sent(gateway: "a", gatewayMessageID: "1"), atMilliseconds: 900)
        try withheld.settle(.withheld, atMilliseconds: 2)
        #expect(sent.verification?.expiresAt == withheld.verification?.expiresAt)
        #expect(sent.verification?.end == withheld.verification?.end)
        #expect(sent.verification?.status(at: Scene.start) == withheld.verification?.status(at: Scene.start))
    }
}
