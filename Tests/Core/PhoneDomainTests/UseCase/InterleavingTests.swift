import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

/// What an act answers comes from its own transaction: the answer is the same whatever others do between the two.
@Suite struct InterleavingTests {
    /// Something that a caller does, and what it is answered.
    struct Act: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let perform: @Sendable (Scene.Doors, Scene) async throws -> any Hashable & Sendable

        init(
            _ name: String,
            _ perform: @escaping @Sendable (Scene.Doors, Scene) async throws -> any Hashable & Sendable
        ) {
            (testDescription, self.perform) = (name, perform)
        }
    }

    static let acts = [
        Act("native: a code is sent") { doors, _ in
            try await doors.phone.begin("010-5555-6666", context: Scene.native)
        },
        Act("native: a code is sent again") { doors, _ in
            try await doors.phone.begin(Scene.phone, context: Scene.native)
        },
        Act("native: the right code") { doors, scene in
            try await doors.phone.check(Scene.code, for: .id(scene.own), context: Scene.native)
        },
        Act("native: a wrong code") { doors, scene in
            await #expect(throws: PhoneFailure.self) {
                try await doors.phone.check("000000", for: .id(scene.own), context: Scene.native)
            }
        },
        Act("native: a verification is canceled") { doors, scene in
            try await doors.phone.cancel(scene.own, owner: Scene.native.owner)
        },
        Act("signup: the right code") { doors, scene in
            try await doors.phone.signUp(Scene.code, for: scene.signups, context: Scene.signup)
        },
        Act("signup: a wrong code") { doors, scene in
            await #expect(throws: PhoneFailure.self) {
                try await doors.phone.signUp("000000", for: scene.signups, context: Scene.signup)
            }
        },
        Act("an account is changed") { doors, scene in
            try await doors.accounts.update(scene.signedIn, from: nil) { metadata throws(PhoneFailure) in
                AccountMetadata(json: #"{"a":1}"#)
            }
        },
        Act("a session is ended") { doors, scene in
            try await doors.accounts.end(.one(scene.signedIn.session.id), of: scene.signedIn, from: nil)
        },
        Act("an account is to be deleted") { doors, scene in
            try await doors.accounts.requestDeletion(of: scene.signedIn, from: nil)
        },
        Act("a refresh token is used") { doors, scene in
            let issued = try await doors.accounts.refresh(scene.refreshToken, from: nil)
            return [issued.signedIn.account.id.description, issued.refreshToken.secret.text]
        },
        Act("number change: the right code") { doors, scene in
            await doors.changeNumber(Scene.code, scene.newNumber, of: scene.signedIn.session.id)
        },
        Act("number change: a wrong code") { doors, scene in
            await doors.changeNumber("000000", scene.newNumber, of: scene.signedIn.session.id)
        },
        Act("a change of number is undone") { doors, scene in
            try await doors.accounts.undoNumberChange(by: scene.undoToken, from: nil)
        },
    ]

    /// What others do meanwhile. What is refused by then changes nothing.
    static let interruptions: [(name: String, work: @Sendable (Scene) async -> Void)] = [
        (
            "the right code",
            { scene in
                _ = try? await scene.direct.phone.check(Scene.code, for: .id(scene.own), context: Scene.native)
                _ = try? await scene.direct.phone.signUp(Scene.code, for: scene.signups, context: Scene.signup)
                _ = await scene.direct.changeNumber(Scene.code, scene.newNumber, of: scene.signedIn.session.id)
            }
        ),
        (
            "four wrong codes",
            { scene in
                for _ in 1...4 {
                    _ = try? await scene.direct.phone.check("111111", for: .id(scene.own), context: Scene.native)
                    _ = try? await scene.direct.phone.signUp("111111", for: scene.signups, context: Scene.signup)
                    _ = await scene.direct.changeNumber("111111", scene.newNumber, of: scene.signedIn.session.id)
                }
            }
        ),
        (
            "the code is sent again, later",
            { scene in
                scene.clock.advance(by: .seconds(40))
                _ = try? await scene.direct.phone.requestCode(for: Scene.phone, context: Scene.native)
            }
        ),
        (
            "an end",
            { scene in
                _ = try? await scene.direct.phone.cancel(scene.own, owner: Scene.native.owner)
                _ = try? await scene.direct.accounts.requestDeletion(of: scene.signedIn, from: nil)
            }
        ),
        (
            "other words and limits",
            { scene in
                _ = try? await scene.direct.accounts.update(scene.signedIn, from: nil) { _ throws(PhoneFailure) in
                    AccountMetadata(json: #"{"b":2}"#)
                }
            }
        ),
        (
            "nothing is left",
            { scene in
                _ = try? await scene.direct.accounts.end(
                    .all(generation: 0),
                    of: scene.signedIn,
                    from: nil
                )
            }
        ),
    ]

    @Test(arguments: acts)
    func `an act is answered by what it did itself`(act: Act) async throws {
        let alone = try await Scene.make()
        let answer = AnyHashable(try await act.perform(alone.interleaved, alone))
        for (name, work) in Self.interruptions {
            let scene = try await Scene.make()
            scene.store.interrupt { await work(scene) }
            #expect(AnyHashable(try await act.perform(scene.interleaved, scene)) == answer, "\(name)")
            #expect(!scene.store.isInterruptionPending)
        }
        // An answer needs the store no more, so it is given even if the store has gone away.
        let scene = try await Scene.make()
        scene.store.interrupt { scene.store.fail(with: Scene.Outage()) }
        #expect(AnyHashable(try await act.perform(scene.interleaved, scene)) == answer, "an outage")
    }
}

extension InterleavingTests {
    struct Scene: Sendable {
        /// The use cases over one store.
        struct Doors: Sendable {
            let phone: VerificationUseCase
            let accounts: AccountUseCase

            init(_ store: MemoryStore, _ clock: ManualClock, names: UInt64) throws {
                let identifiers = CountingIdentifiers(after: names)
                phone = try VerificationUseCase.plain(
                    over: store,
                    code: Scene.code,
                    abusePolicy: .none,
                    identifiers: identifiers,
                    clock: clock
                )
                accounts = AccountUseCase(
                    store: store,
                    authority: UnsignedTokens(),
                    deriver: PlainSecretDeriver(),
                    vault: PlainTokenVault(),
                    digester: PlainNumberDigester(),
                    identifiers: identifiers,
                    clock: clock
                )
            }
        }

        struct Outage: Error {}

        private struct UnsignedTokens: AccessTokenAuthority {
            func sign(_ token: AccessToken) -> String { "at" }
            func token(in text: String, at now: Timestamp) -> AccessToken? { nil }
            func sign(_ token: ClientToken) -> String { "ct" }
            func clientToken(in text: String, at now: Timestamp) -> ClientToken? { nil }
            func sign(_ token: IDToken, by algorithm: SigningAlgorithm) -> String { "it" }
            func idToken(in text: String) -> IDToken? { nil }
        }

        static let code = "314159"
        static let phone = "010-1234-5678"
        static let e164 = "+821012345678"
        static let native = RequestContext(owner: Owner.operator("alice"), region: .korea, language: .korean)
        static let signup = RequestContext(owner: Owner.operator("anna"), region: .korea, language: .korean)

        let clock: ManualClock
        let store: MemoryStore
        let direct: Doors
        let interleaved: Doors
        /// The verifications of the program and of the signup, pending.
        let own, signups: Verification.ID
        let signedIn: SignedIn
        let refreshToken: SecretToken
        /// The session's verification of another number, pending.
        let newNumber: Verification.ID
        let undoToken: SecretToken

        static func make() async throws -> Scene {
            let (clock, store) = (ManualClock(), MemoryStore())
            let direct = try Doors(store, clock, names: 0)
            let own = try await direct.phone.requestCode(for: phone, context: native)
            let signups = try await direct.phone.requestCode(for: "010-2222-2222", context: signup)

            let first = try await direct.phone.requestCode(for: "010-3333-3333", context: signup).id
            let secret = SecretToken("sgt_1")
            let options = CheckOptions(opening: try direct.accounts.opening(of: first, by: secret, userAgent: nil))
            let signedUp = try await direct.phone.signUp(code, for: first, options, context: signup)
            let session = try #require(signedUp.session)
            let signedIn = SignedIn(session: session, account: signedUp.account)
            let refreshToken = try #require(try await direct.accounts.tokens(of: signedUp, by: secret)).refreshToken
            let owned = RequestContext(owner: .session(session.id), region: .korea, language: .korean)
            let changed = try await direct.phone.requestCode(for: "010-4444-4444", context: owned)
            _ = try await direct.changeNumber(code, changed.id, of: session.id).get()
            let data = try await direct.accounts.personalData(of: signedIn)
            let change = try #require(data.changes.first)
            let undo = try UndoTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault()).make(for: change.id)
            // Past the wait after two messages to one number.
            clock.advance(by: .seconds(61))
            return Scene(
                clock: clock,
                store: store,
                direct: direct,
                interleaved: try Doors(store, clock, names: 1000),
                own: own.id,
                signups: signups.id,
                signedIn: signedIn,
                refreshToken: refreshToken.secret,
                newNumber: try await direct.phone.requestCode(for: "010-9999-9999", context: owned).id,
                undoToken: undo.token
            )
        }
    }
}

extension InterleavingTests.Scene.Doors {
    fileprivate func changeNumber(
        _ code: String,
        _ id: Verification.ID,
        of session: Session.ID
    ) async -> Result<Account, PhoneFailure> {
        let context = RequestContext(owner: .session(session), region: .korea, language: .korean)
        do throws(PhoneFailure) {
            let account = try await phone.check(code, for: id, context: context) { check throws(PhoneFailure) in
                try await accounts.changeNumber(by: check)
            }
            return .success(account)
        } catch {
            return .failure(error)
        }
    }
}
