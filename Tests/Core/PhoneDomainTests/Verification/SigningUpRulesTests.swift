import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct SigningUpRulesTests {
    private func approved() throws -> Scene {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        _ = try scene.check(Scene.rightCode, at: 1)
        return scene
    }

    @Test func aNewAccountKeepsWhatWasAcceptedAndThereIsNoneWithoutIt() throws {
        var scene = try approved()
        scene.accountPolicy.consent = ConsentPolicy(version: "2", isRequired: true)
        scene.signup = try sampleSignup(consentVersion: "1")
        let refused = try scene.signUp(at: 2)
        #expect(refused == .failure(.consentRequired(scene.verification)))
        #expect(scene.account == nil)
        #expect(scene.verification?.consumedBy == nil)
        scene.signup?.consentVersion = "2"
        #expect(try scene.signUp(at: 3).word == "new")
        #expect(scene.account?.consent == Consent(version: "2", acceptedAt: Scene.start + .seconds(3)))
        // Who has an account needs no consent to sign in; what is accepted anew replaces what was.
        let later: [(String?, String, Int64)] = [(nil, "2", 10), ("3", "3", 20), ("3", "3", 30)]
        for (version, accepted, second) in later {
            scene.accountPolicy.consent = ConsentPolicy(version: "3", isRequired: true)
            scene.signup = try sampleSignup(consentVersion: version)
            _ = try scene.begin(at: second)
            #expect(try scene.signUp(at: second + 1).word == "known")
            #expect(scene.account?.consent?.version == accepted)
        }
        #expect(scene.account?.consent?.acceptedAt == Scene.start + .seconds(21))
    }

    @Test(arguments: [(nil, nil), ("2", "2"), ("1", nil)] as [(String?, String?)])
    func withoutABoxConsentIsKeptWhereItIsGiven(given: String?, kept: String?) throws {
        var scene = try approved()
        scene.accountPolicy.consent = ConsentPolicy(version: "2", isRequired: false)
        scene.signup = try sampleSignup(consentVersion: given)
        #expect(try scene.signUp(at: 2).word == "new")
        #expect(scene.account?.consent?.version == kept)
    }

    @Test func aPromptAsksBefore() throws {
        var scene = try approved()
        scene.accountPolicy.consent = ConsentPolicy(version: "2", isRequired: true)
        scene.accountPolicy.consent?.isAskedBefore = true
        #expect(try scene.signUp(at: 2).word == "new")
        #expect(scene.account?.consent?.version == "2")
    }

    /// The number of a dormant account stays with it, until somebody else may have it.
    @Test func aRefusalUnlinksNothing() throws {
        var scene = try approved()
        _ = try scene.signUp(at: 2)
        let account = scene.account
        scene.accountPolicy = AccountPolicy(recycling: .quarantine, dormantAfter: .seconds(100))
        scene.accountPolicy.consent = ConsentPolicy(version: "2", isRequired: true)
        _ = try scene.begin(at: 200)
        #expect(try scene.signUp(at: 201).word == "consent_required")
        #expect(scene.account == account)
        #expect(!scene.audit.map(\.action).contains(.unlink))
    }

    private func sampleSignup(consentVersion: String?) throws -> Signup {
        Signup(
            id: Signup.ID(bits: 0, 1),
            tokenDigest: [],
            region: .korea,
            language: .korean,
            createdAt: Scene.start,
            expiresAt: Scene.start + .seconds(600),
            phoneText: "",
            verificationID: nil,
            consentVersion: consentVersion
        )
    }

    @Test func anApprovalIsGoodForTenMinutes() throws {
        var scene = try approved()
        #expect(try scene.signUp(at: 601).word == "code_expired")
        #expect(try scene.signUp(at: 600).word == "new")
    }

    @Test func withoutAnApprovalThereIsNoAccount() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        let wrong = try scene.signUp("111111", at: 1)
        #expect(wrong.refusal?.checksLeft == 4)
        #expect(wrong.refusal?.verification == scene.verification)
        #expect(try scene.signUp(at: 600).word == "code_expired")
        _ = try scene.cancel(at: 1)
        #expect(try scene.signUp(at: 2).word == "verification_closed")
        #expect(scene.account == nil)
    }

    @Test func somebodyElsesApprovalIsOfNoUse() throws {
        var scene = try approved()
        let other = Owner.operator("other")
        #expect(try scene.signUp(at: 2, owner: other) == .failure(.verificationNotFound))
        #expect(scene.account == nil)
    }

    /// Only signing up at once uses an approval without its code: one that has to wait for a decision belongs to who
    /// has the code, and guessing it is counted as before.
    @Test func anApprovalThatWaitsIsUsedByItsCodeAlone() throws {
        var scene = try approved()
        _ = try scene.signUp(at: 2)
        scene.accountPolicy = AccountPolicy(recycling: .ask, dormantAfter: .seconds(100))
        _ = try scene.begin(at: 200)
        for second in 201..<210 as Range<Int64> {
            #expect(try scene.signUp(at: second).word == "account_dormant")
        }
        #expect(scene.verification?.checksLeft == 4)
        scene.accountPolicy = .standard
        scene.address = ClientAddress("192.0.2.9")
        var scenes = [scene, scene]
        #expect(try scenes[0].signUp(at: 210).word == "known")
        for checksLeft in [3, 2, 1, 0] {
            let wrong = try scenes[1].signUp("111111", at: 211)
            #expect(wrong.refusal?.checksLeft == checksLeft)
            #expect(wrong.refusal?.verification == scenes[1].verification)
        }
        #expect(try scenes[1].signUp(at: 212).word == "max_checks_reached")
        let approvals = scene.audit.count { $0.action == .approve }
        #expect(approvals == 2)
    }
}
