import PhoneDomain
import Testing

@Suite struct SigningUpRulesTests {
    private func approved() throws -> Scene {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        _ = try scene.check(Scene.rightCode, at: 1)
        return scene
    }

    @Test func anApprovalMakesAnAccountOnce() throws {
        var scene = try approved()
        #expect(try scene.signUp(at: 2).word == "new")
        #expect(scene.account?.phoneNumber?.e164 == "+821012345678")
        #expect(scene.account?.createdAt == Scene.start + .seconds(2))
        #expect(scene.verification?.consumedBy == scene.account?.id)
        #expect(try scene.signUp(at: 11).word == "new")
        #expect(try scene.signUp(at: 12).word == "verification_closed")
    }

    @Test func theSecondSignupOfANumberFindsItsAccount() throws {
        var scene = try approved()
        _ = try scene.signUp(at: 2)
        let id = scene.account?.id
        _ = try scene.begin(at: 3)
        _ = try scene.check(Scene.rightCode, at: 4)
        #expect(try scene.signUp(at: 5).word == "known")
        #expect(scene.account?.id == id)
        #expect(scene.account?.lastActiveAt == Scene.start + .seconds(5))
    }

    @Test func anApprovalIsGoodForTenMinutes() throws {
        var scene = try approved()
        #expect(try scene.signUp(at: 601).word == "code_expired")
        #expect(try scene.signUp(at: 600).word == "new")
    }

    @Test func withoutAnApprovalThereIsNoAccount() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        #expect(try scene.signUp(at: 1) == .refused(.verificationNotApproved))
        #expect(try scene.signUp(at: 600).word == "code_expired")
        _ = try scene.cancel(at: 1)
        #expect(try scene.signUp(at: 2).word == "verification_closed")
        #expect(scene.account == nil)
    }

    @Test func somebodyElsesApprovalIsOfNoUse() throws {
        var scene = try approved()
        #expect(try scene.signUp(at: 2, owner: Owner(rawValue: "other")).word == "verification_not_found")
        #expect(scene.account == nil)
    }

    @Test func cancelingTwiceIsCancelingOnce() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        let first = try scene.cancel(at: 1)
        #expect(try scene.cancel(at: 2) == first)
        #expect(try scene.check(Scene.rightCode, at: 3).word == "verification_closed")
        var approved = try approved()
        #expect(try approved.cancel(at: 2) == .refused(.verificationClosed))
    }
}
