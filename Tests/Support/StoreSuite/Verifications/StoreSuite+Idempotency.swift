import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let idempotencyRules = [
        StoreRule("a request is handled once, and its answer is repeated") { scene in
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            #expect(try await begin(scene, "a") == .inFlight(until: scene.now + BeginRequest.lease))
            try await end(scene, "a", attempt: 1, answer)
            #expect(try await begin(scene, "a") == .answered(answer))
            scene.advance(by: BeginRequest.retention - .milliseconds(1))
            #expect(try await begin(scene, "a") == .answered(answer))
            scene.advance(by: .milliseconds(1))
            #expect(try await begin(scene, "a") == .begun(attempt: 2))
        },
        StoreRule("a request's key is its caller's own, and for one request") { scene in
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            #expect(try await begin(scene, "a", owner: StoreScene.bob) == .begun(attempt: 1))
            #expect(try await begin(scene, "b") == .begun(attempt: 1))
            #expect(try await begin(scene, "a", body: "other") == .mismatch)
            try await end(scene, "a", attempt: 1, answer)
            #expect(try await begin(scene, "a", body: "other") == .mismatch)
            // The digest may be one under an older key.
            #expect(try await begin(scene, "a", body: "new", older: "body") == .answered(answer))
        },
        StoreRule("a request without an answer is done when it comes again") { scene in
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            try await end(scene, "a", attempt: 1, nil)
            #expect(try await begin(scene, "a", body: "other") == .mismatch)
            #expect(try await begin(scene, "a") == .begun(attempt: 2))
            try await end(scene, "a", attempt: 2, answer)
            #expect(try await begin(scene, "a") == .answered(answer))
        },
        StoreRule("one who took too long has no word in a request") { scene in
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            scene.advance(by: BeginRequest.lease)
            #expect(try await begin(scene, "a") == .begun(attempt: 2))
            try await end(scene, "a", attempt: 1, answer)
            #expect(try await begin(scene, "a") == .inFlight(until: scene.now + BeginRequest.lease))
            let other = StoredResponse(status: 410, contentType: "b", location: "/c", body: "{}", verificationID: nil)
            try await end(scene, "a", attempt: 2, other)
            try await end(scene, "a", attempt: 2, answer)
            #expect(try await begin(scene, "a") == .answered(other))
            try await end(scene, "never begun", attempt: 1, answer)
            #expect(try await begin(scene, "never begun") == .begun(attempt: 1))
        },
        StoreRule("of equal requests at once one is handled") { scene in
            let outcomes = try await atOnce(50) { index in try await begin(scene, "key \(index % 5)") }
            #expect(outcomes.count { $0 == .begun(attempt: 1) } == 5)
            #expect(outcomes.count { $0 == .inFlight(until: scene.now + BeginRequest.lease) } == 45)
        },
        StoreRule(
            "one who looked at the clock earlier and comes later waits as others do, but not for a clock far ahead"
        ) { scene in
            let end = scene.now + BeginRequest.lease
            _ = try await begin(scene, "a")
            scene.advance(by: .milliseconds(-1))
            #expect(try await begin(scene, "a") == .inFlight(until: end))
            scene.advance(by: .milliseconds(1) - BeginRequest.lease)
            #expect(try await begin(scene, "a") == .inFlight(until: end))
            scene.advance(by: .milliseconds(-1))
            #expect(try await begin(scene, "a") == .begun(attempt: 2))
        },
        StoreRule("requests are forgotten when their time is over, the oldest first") { scene in
            for key in ["a", "b", "c"] {
                _ = try await begin(scene, key)
                scene.advance(by: .seconds(1))
            }
            let end = scene.now + BeginRequest.retention
            #expect(try await scene.store.purgeExpired(at: end - .milliseconds(3_001), limit: 10) == 0)
            #expect(try await scene.store.purgeExpired(at: end - .milliseconds(1), limit: 2) == 2)
            #expect(try await begin(scene, "c") == .inFlight(until: scene.now - .seconds(1) + BeginRequest.lease))
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            #expect(try await scene.store.purgeExpired(at: end - .milliseconds(1), limit: 2) == 1)
            #expect(try await scene.store.purgeExpired(at: end - .milliseconds(1), limit: 2) == 0)
        },
        StoreRule("a stored response about a number is erased with it, and does not come back") { scene in
            let verification = try await scene.request()
            let telling = StoredResponse(
                status: 201,
                contentType: "application/json",
                location: "/v1/verifications/\(verification.id)",
                body: #"{"phone_number":"+821012345678"}"#,
                verificationID: verification.id
            )
            for key in ["a", "late"] { _ = try await begin(scene, key) }
            try await end(scene, "a", attempt: 1, telling)
            #expect(try await begin(scene, "a") == .answered(telling))
            let erasure = try await scene.store.erase(
                EraseNumber(
                    verification.phoneNumber,
                    digester: PlainNumberDigester(),
                    now: scene.now
                )
            )
            #expect(erasure.answers == 1)
            #expect(try await begin(scene, "a") == .begun(attempt: 1))
            try await end(scene, "late", attempt: 1, telling)
            #expect(try await begin(scene, "late") == .begun(attempt: 2))
        },
    ]

    private static let answer = StoredResponse(
        status: 201,
        contentType: "application/json",
        location: nil,
        body: #"{"status":"pending","quote":"\"한글\""}"#,
        verificationID: nil
    )

    private struct NoKey: Error {}

    private static func name(_ key: String, _ owner: Owner) throws -> IdempotentRequest.Name {
        guard let key = IdempotencyKey(key) else { throw NoKey() }
        return IdempotentRequest.Name(owner: owner, key: key)
    }

    @Sendable private static func begin(
        _ scene: StoreScene,
        _ key: String,
        owner: Owner = StoreScene.alice,
        body: String = "body",
        older: String? = nil
    ) async throws -> BeginRequest.Outcome {
        let fingerprints = [body, older].compactMap { $0.map { NumberDigest(rawValue: "test:" + $0) } }
        guard
            let command = BeginRequest(name: try name(key, owner), fingerprints: fingerprints, now: scene.now)
        else { throw NoKey() }
        return try await scene.store.begin(command)
    }

    private static func end(_ scene: StoreScene, _ key: String, attempt: Int, _ answer: StoredResponse?) async throws {
        try await scene.store.end(
            EndRequest(name: try name(key, StoreScene.alice), attempt: attempt, answer: answer)
        )
    }
}
