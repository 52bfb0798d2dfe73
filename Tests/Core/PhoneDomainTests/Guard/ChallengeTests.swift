import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// Proofs that let a message out which the guard would suppress.
@Suite struct ChallengeTests {
    /// A page, and a prefix with N messages of this hour that nobody has proven.
    private static func scene(sent: Int, challenges: ChallengeSupport = .page) throws -> Scene {
        var scene = try Scene(policy: try VerificationPolicy(maxSends: 20, resendCooldowns: [.zero]))
        scene.abusePolicy.trafficGuard.work = try WorkPolicy(easiest: 100, hardest: 3200)
        scene.abusePolicy.trafficGuard = try guarding(scene.abusePolicy.trafficGuard.work)
        scene.challenger = try .plain()
        scene.challenges = challenges
        scene.address = ClientAddress("203.0.113.7")
        scene.traffic.prefix = Traffic(hours: [Traffic.Hour(number: 0, sent: sent)])
        return scene
    }

    private static func guarding(_ work: WorkPolicy?) throws -> GuardPolicy {
        var policy = GuardPolicy.standard
        policy.work = work
        return policy
    }

    private func challenge(_ scene: inout Scene, at second: Int64 = 0) throws -> Challenge {
        scene.proof = nil
        let result = try scene.begin(at: second)
        guard case .failure(.challengeRequired(let challenge)) = result else {
            Issue.record("\(result)")
            throw Scene.NotACode()
        }
        return challenge
    }

    private func fault(_ result: Result<BeginVerification.Answer, PhoneFailure>) -> ProofFault? {
        if case .failure(.challengeFailed(let fault, _)) = result { fault } else { nil }
    }

    @Test func `who solves by itself is asked at half the sample, a server at the whole, a dialect never`() throws {
        for (sent, support, word) in [
            (9, .page, "begun"), (10, .page, "challenge_required"), (10, .automatic, "challenge_required"),
            (19, .possible, "begun"), (20, .possible, "challenge_required"), (20, .none, "rate_limited"),
        ] as [(Int, ChallengeSupport, String)] {
            var scene = try Self.scene(sent: sent, challenges: support)
            #expect(try scene.begin(at: 0).word == word, "\(sent) \(support)")
        }
    }

    @Test(arguments: [(10, 100), (11, 100), (12, 200), (14, 400), (20, 3200), (40, 3200)])
    func `the more messages nobody has proven, the more work`(_ sent: Int, _ work: Int) throws {
        var scene = try Self.scene(sent: sent)
        #expect(try challenge(&scene).work.maxNumber == work)
    }

    @Test func `the address counts as well, and approvals make up for messages`() throws {
        var scene = try Self.scene(sent: 10)
        let network = try #require(scene.address?.networks.first)
        scene.traffic.networks = [
            KeyedTraffic(
                key: .network(network),
                traffic: Traffic(hours: [Traffic.Hour(number: 0, sent: 12)])
            )
        ]
        #expect(try challenge(&scene).work.maxNumber == 200)
        scene.traffic.networks = []
        scene.traffic.prefix = Traffic(hours: [Traffic.Hour(number: 0, sent: 10, approved: 2)])
        scene.proof = nil
        #expect(try scene.begin(at: 0).word == "begun")
    }

    @Test func `a challenge has ALTCHA's form, and costs nothing to make`() throws {
        var scene = try Self.scene(sent: 10)
        let work = try challenge(&scene).work
        #expect(work.salt.wholeMatch(of: /[0-9a-f]{32}\?expires=1600&for=[A-Za-z0-9_-]{22}&max=100&/) != nil)
        #expect(work.expiresAt == Scene.start + .seconds(600))
        #expect(work.hash.utf8.count == 64 && work.signature.utf8.count == 64)
        #expect(scene.verification == nil && scene.queued == [] && scene.usedProofs == [:])
    }

    @Test func `a proof is worth one message to its number, and no second one`() throws {
        var scene = try Self.scene(sent: 10)
        let proof = try #require(PlainRequestAuthenticator().solve(challenge(&scene).work))
        scene.proof = proof
        #expect(try scene.begin(at: 1).word == "begun")
        #expect(scene.audit.last?.reasons == [.proven, .prefixConversionPending])
        #expect(scene.usedProofs == [try #require(proof.key): Scene.start + .seconds(600)])
        #expect(try fault(scene.begin(at: 2)) == .used)
        #expect(scene.queued.count == 1)
    }

    @Test func `a proof that nobody asked for stays good`() throws {
        var scene = try Self.scene(sent: 10)
        let proof = try #require(PlainRequestAuthenticator().solve(challenge(&scene).work))
        let traffic = scene.traffic
        scene.traffic = NumberTraffic(prefix: .none, country: .none)
        scene.proof = proof
        #expect(try scene.begin(at: 1).word == "begun")
        #expect(scene.usedProofs == [:])
        scene.traffic = traffic
        #expect(try scene.begin(at: 2).word == "resent")
        #expect(scene.usedProofs.count == 1)
    }

    @Test func `a proof ends with its time, and is of one number`() throws {
        var scene = try Self.scene(sent: 10)
        scene.proof = PlainRequestAuthenticator().solve(try challenge(&scene).work)
        #expect(try fault(scene.begin(at: 600)) == .expired)
        var other = try Self.scene(sent: 10)
        let number = try PhoneNumber(parsing: "010-1234-5679", region: .korea)
        let challenger = try #require(scene.challenger)
        other.proof = PlainRequestAuthenticator().solve(
            try challenger.challenge(for: number, work: 100, .page, at: Scene.start).work
        )
        #expect(try fault(other.begin(at: 1)) == .invalid)
    }

    @Test func `no part of a proof can be changed, and none be made up`() throws {
        var scene = try Self.scene(sent: 10)
        guard case .work(let proof) = PlainRequestAuthenticator().solve(try challenge(&scene).work) else { return }
        func changed(salt: String? = nil, number: Int? = nil, hash: String? = nil, signature: String? = nil) throws
            -> ChallengeProof
        {
            .work(
                try #require(
                    WorkSolution(
                        algorithm: "SHA-256",
                        hash: hash ?? proof.hash,
                        number: number ?? proof.number,
                        salt: salt ?? proof.salt,
                        signature: signature ?? proof.signature
                    )
                )
            )
        }
        let digits = String(proof.number)
        var forged = [
            try changed(number: proof.number + 1),
            try changed(salt: proof.salt.replacing("max=100", with: "max=3200")),
            try changed(salt: proof.salt.replacing("expires=1600", with: "expires=9999")),
            try changed(hash: String(repeating: "a", count: 64)),
            try changed(signature: String(repeating: "a", count: 64)),
        ]
        // The number's digits moved into the salt.
        if digits.count > 1, let rest = Int(digits.dropFirst()) {
            forged.append(try changed(salt: proof.salt + digits.prefix(1), number: rest))
        }
        for proof in forged {
            scene.proof = proof
            #expect(try fault(scene.begin(at: 1)) == .invalid)
        }
        #expect(
            WorkSolution(algorithm: "SHA-1", hash: proof.hash, number: 1, salt: proof.salt, signature: proof.hash)
                == nil
        )
    }

    @Test func `work that was little enough a moment ago is too little when the number is much worse`() throws {
        var scene = try Self.scene(sent: 10)
        let easy = PlainRequestAuthenticator().solve(try challenge(&scene).work)
        scene.traffic.prefix = Traffic(hours: [Traffic.Hour(number: 0, sent: 14)])
        scene.proof = easy
        #expect(try scene.begin(at: 1).word == "begun")
        var worse = try Self.scene(sent: 16)
        worse.proof = easy
        guard case .failure(.challengeRequired(let challenge)) = try worse.begin(at: 1) else {
            Issue.record("not asked again")
            return
        }
        #expect(challenge.work.maxNumber == 800)
    }

    @Test func `the hardest challenge opens a block, and does not renew it; a silent one stays closed`() throws {
        var scene = try Self.scene(sent: 0)
        let end = Scene.start + .seconds(3600)
        scene.traffic.prefix = Traffic(hours: [], blockedUntil: end, refusedInBlock: 19)
        let work = scene.abusePolicy.trafficGuard.work
        scene.abusePolicy.trafficGuard = try GuardPolicy(answer: .silent)
        scene.abusePolicy.trafficGuard.work = work
        #expect(try scene.begin(at: 0).map(\.message?.isWithheld) == .success(true))
        scene.traffic.prefix = Traffic(hours: [], blockedUntil: end)
        scene.abusePolicy.trafficGuard = try Self.guarding(work)
        let challenge = try challenge(&scene)
        #expect(challenge.work.maxNumber == 3200)
        #expect(scene.traffic.prefix.refusedInBlock == 1)
        scene.proof = PlainRequestAuthenticator().solve(challenge.work)
        #expect(try scene.begin(at: 1).map(\.message?.isWithheld) == .success(false))
        #expect(scene.traffic.prefix.refusedInBlock == 1)
        #expect(scene.traffic.prefix.blockedUntil == end)
    }

    @Test func `an operator's block has no challenge`() throws {
        var scene = try Self.scene(sent: 0)
        scene.guardRules = [
            try #require(GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: Scene.start))
        ]
        #expect(try scene.begin(at: 0).word == "rate_limited")
    }

    @Test func `a ticket is worth one message to its number and signup, when its time has come`() throws {
        var scene = try Self.scene(sent: 10)
        let ticket = try #require(challenge(&scene).ticket)
        #expect(ticket.startsAt == Scene.start + .seconds(60))
        #expect(WaitTicket(ticket.text) == ticket)
        scene.proof = .ticket(ticket)
        #expect(try fault(scene.begin(at: 59)) == .early)
        #expect(try fault(scene.begin(at: 60, owner: .operator("other"))) == .invalid)
        let text = ticket.text
        scene.proof = .ticket(try #require(WaitTicket(text.replacing(".1060.", with: ".1000."))))
        #expect(try fault(scene.begin(at: 1)) == .invalid)
        scene.proof = .ticket(ticket)
        #expect(try fault(scene.begin(at: 660)) == .expired)
        #expect(try scene.begin(at: 60).word == "begun")
        #expect(try scene.begin(at: 61).word == "rate_limited")
        scene.limits = .none
        #expect(try fault(scene.begin(at: 61)) == .used)
    }

    @Test func `tickets are few: one an hour from an address, five a day to a prefix`() throws {
        var scene = try Self.scene(sent: 10)
        func wait(_ host: Int, at second: Int64) throws -> String {
            scene.address = ClientAddress("203.0.113.\(host)")
            // The scene forgets what a request without a ticket does not count.
            let limits = scene.limits
            let ticket = try #require(challenge(&scene, at: second).ticket)
            (scene.proof, scene.limits) = (.ticket(ticket), limits)
            return try scene.begin(at: second + 60).word
        }
        #expect(
            // Those of one second and one signup are the same.
            try (1...6).map { try wait($0, at: Int64($0)) } == [
                "begun", "resent", "resent", "resent", "resent", "rate_limited",
            ]
        )
        #expect(try wait(1, at: 1800) == "rate_limited")
    }

    @Test func `without tickets there is none, and none is accepted`() throws {
        var scene = try Self.scene(sent: 10)
        let ticket = try #require(challenge(&scene).ticket)
        scene.challenger = try .plain(wait: nil)
        #expect(try challenge(&scene).ticket == nil)
        scene.proof = .ticket(ticket)
        #expect(try fault(scene.begin(at: 60)) == .invalid)
        scene.challenger = try .plain()
        scene.challenges = .automatic
        #expect(try challenge(&scene).ticket == nil)
    }

    @Test func `what is no proof is none`() {
        for text in [
            "", "wait", "wait.1.", "wait.-1.aaaaaaaaaaaaaaaaaaaaaa", "wait.1.aaaaaaaaaaaaaaaaaaaaa", "wait.x.y",
        ] {
            #expect(WaitTicket(text) == nil)
        }
    }
}

extension RequestContext {
    fileprivate static let page = RequestContext(owner: .local, region: .korea, language: .korean)
}
