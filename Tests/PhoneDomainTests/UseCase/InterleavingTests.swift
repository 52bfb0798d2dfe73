import PhoneDomain
import PhoneTestSupport
import Testing

/// What an act answers comes from its own transaction: the answer is the same whatever others do between the two.
@Suite struct InterleavingTests {
    /// Something that a caller does, and what it is answered.
    struct Act: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the answer needs the store no more, so that it is given even if the store has gone away.
        var isOneTrip = true
        let perform: @Sendable (Scene.Doors, Scene) async throws -> any Hashable & Sendable

        init(
            _ name: String,
            isOneTrip: Bool = true,
            _ perform: @escaping @Sendable (Scene.Doors, Scene) async throws -> any Hashable & Sendable
        ) {
            testDescription = name
            self.isOneTrip = isOneTrip
            self.perform = perform
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
            try await doors.phone.verify(Scene.code, for: scene.own, context: Scene.native)
        },
        Act("native: a wrong code") { doors, scene in
            try await doors.phone.check("000000", for: .id(scene.own), context: Scene.native)
        },
        Act("native: a verification is canceled") { doors, scene in
            try await doors.phone.cancel(scene.own, owner: Scene.native.owner)
        },
        Act("signup: the right code") { doors, scene in
            try await doors.phone.signUp(Scene.code, for: scene.signups, context: Scene.signup)
        },
        Act("signup: a wrong code") { doors, scene in
            try await doors.phone.signUp("000000", for: scene.signups, context: Scene.signup)
        },
        Act("tenant: a code is sent") { doors, scene in
            try await doors.tenants.begin(TenantRequest(phoneText: "+821055556666"), by: scene.tenant)
        },
        Act("tenant: a code is sent again", isOneTrip: false) { doors, scene in
            try await doors.tenants.begin(TenantRequest(phoneText: Scene.e164), by: scene.tenant)
        },
        Act("tenant: the right code") { doors, scene in
            try await doors.tenants.check(Scene.code, .phoneText(Scene.e164), of: scene.tenant, from: nil)
        },
        Act("tenant: a wrong code") { doors, scene in
            try await doors.tenants.check("000000", .phoneText(Scene.e164), of: scene.tenant, from: nil)
        },
        Act("tenant: a wrong code, by ID") { doors, scene in
            try await doors.tenants.check("000000", .id(scene.tenants), of: scene.tenant, from: nil)
        },
        Act("tenant: a verification is approved", isOneTrip: false) { doors, scene in
            try await doors.tenants.approve(.id(scene.tenants), of: scene.tenant)
        },
        Act("tenant: a verification is canceled", isOneTrip: false) { doors, scene in
            try await doors.tenants.cancel(.phoneText(Scene.e164), of: scene.tenant)
        },
        Act("a tenant is made") { doors, scene in
            try await doors.tenants.makeTenant(of: Scene.account, { $0.codeLength = 4 }, name: scene.tenant.name)
        },
        Act("a tenant is changed") { doors, scene in
            try await doors.tenants.update(scene.tenant.id, of: Scene.account) { $0.codeLength = 5 }
        },
        Act("a limit is made") { doors, scene in
            try await doors.tenants.makeLimit(try #require(UniqueName("other")), text: "Other", in: scene.tenant)
        },
        Act("a limit is described") { doors, scene in
            try await doors.tenants.describe(scene.limit.id, as: "Described", in: scene.tenant)
        },
        Act("a bucket is made") { doors, scene in
            let limit = try #require(RateLimit("3/1h"))
            return try await doors.tenants.makeBucket(limit, of: scene.limit.id, in: scene.tenant)
        },
        Act("a bucket is changed") { doors, scene in
            try await doors.tenants.update(scene.bucket.id, of: scene.limit.id, in: scene.tenant) { present in
                RateLimit(quota: 7, window: present.window)
            }
        },
        Act("a number is listed as safe") { doors, _ in
            try await doors.tenants.makeSafe("+821077778888", for: Scene.account)
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
                _ = try? await scene.direct.phone.verify(Scene.code, for: scene.own, context: Scene.native)
                _ = try? await scene.direct.phone.signUp(Scene.code, for: scene.signups, context: Scene.signup)
                _ = await scene.direct.changeNumber(Scene.code, scene.newNumber, of: scene.signedIn.session.id)
                let which = TenantVerification.id(scene.tenants)
                _ = try? await scene.direct.tenants.check(Scene.code, which, of: scene.tenant, from: nil)
            }
        ),
        (
            "four wrong codes",
            { scene in
                for _ in 1...4 {
                    _ = try? await scene.direct.phone.verify("111111", for: scene.own, context: Scene.native)
                    _ = try? await scene.direct.phone.signUp("111111", for: scene.signups, context: Scene.signup)
                    _ = await scene.direct.changeNumber("111111", scene.newNumber, of: scene.signedIn.session.id)
                    let which = TenantVerification.id(scene.tenants)
                    _ = try? await scene.direct.tenants.check("111111", which, of: scene.tenant, from: nil)
                }
            }
        ),
        (
            "the code is sent again, later",
            { scene in
                scene.clock.advance(by: .seconds(40))
                _ = try? await scene.direct.phone.requestCode(for: Scene.phone, context: Scene.native)
                for e164 in [Scene.e164, "+821055556666"] {
                    _ = try? await scene.direct.tenants.begin(TenantRequest(phoneText: e164), by: scene.tenant)
                }
            }
        ),
        (
            "an end",
            { scene in
                _ = try? await scene.direct.phone.cancel(scene.own, owner: Scene.native.owner)
                _ = try? await scene.direct.tenants.cancel(.id(scene.tenants), of: scene.tenant)
                _ = try? await scene.direct.accounts.requestDeletion(of: scene.signedIn, from: nil)
            }
        ),
        (
            "other words and limits",
            { scene in
                _ = try? await scene.direct.tenants.update(scene.tenant.id, of: Scene.account) { $0.codeLength = 10 }
                _ = try? await scene.direct.tenants.describe(scene.limit.id, as: "Meanwhile", in: scene.tenant)
                _ = try? await scene.direct.accounts.update(scene.signedIn, from: nil) { _ throws(PhoneFailure) in
                    AccountMetadata(json: #"{"b":2}"#)
                }
            }
        ),
        (
            "nothing is left",
            { scene in
                _ = try? await scene.direct.tenants.deleteLimit(scene.limit.id, in: scene.tenant)
                _ = try? await scene.direct.tenants.removeSafeNumber("+821077778888", of: Scene.account)
                _ = try? await scene.direct.tenants.deleteTenant(scene.tenant.id, of: Scene.account)
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
        guard act.isOneTrip else { return }
        let scene = try await Scene.make()
        scene.store.interrupt { scene.store.fail(with: Scene.Outage()) }
        #expect(AnyHashable(try await act.perform(scene.interleaved, scene)) == answer, "an outage")
    }
}

extension InterleavingTests {
    struct Scene: Sendable {
        /// The use cases over one store.
        struct Doors: Sendable {
            let phone: DefaultPhoneUseCase
            let tenants: TenantUseCase
            let accounts: AccountUseCase

            init(_ store: MemoryStore, _ clock: ManualClock, names: UInt64) throws {
                let identifiers = CountingIdentifiers(after: names)
                phone = DefaultPhoneUseCase(
                    abusePolicy: .none,
                    store: store,
                    vault: FixedCodeVault(code: try #require(VerificationCode(Scene.code))),
                    digester: PlainNumberDigester(),
                    identifiers: identifiers,
                    clock: clock
                )
                tenants = TenantUseCase(
                    verifications: phone,
                    store: store,
                    catalog: AnyWording(),
                    digester: PlainNumberDigester(),
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

        private struct AnyWording: MessageCatalog {
            let builtInLanguages: [LanguageTag] = [.english, .korean]
            var templates: [MessageTemplateListing] { [] }
            func error(in wording: MessageWording, language: LanguageTag) -> MessageWordingError? { nil }
        }

        private struct UnsignedTokens: AccessTokenAuthority {
            func sign(_ token: AccessToken) -> String { "at" }
            func token(in text: String, at now: Timestamp) -> AccessToken? { nil }
            func sign(_ token: IDToken) -> String { "it" }
            func idToken(in text: String) -> IDToken? { nil }
        }

        static let code = "314159"
        static let phone = "010-1234-5678"
        static let e164 = "+821012345678"
        static let account = TenantAccount.ID(bits: 1, 1)
        static let native = RequestContext(owner: Owner.operator("alice"), region: .korea, language: .korean)
        static let signup = RequestContext(owner: Owner.operator("anna"), region: .korea, language: .korean)

        let clock: ManualClock
        let store: MemoryStore
        let direct: Doors
        let interleaved: Doors
        let tenant: Tenant
        let limit: TenantLimit
        let bucket: TenantLimit.Bucket
        /// The verifications of the program and of the tenant, pending.
        let own, tenants, signups: Verification.ID
        let signedIn: SignedIn
        let refreshToken: SecretToken
        /// The session's verification of another number, pending.
        let newNumber: Verification.ID
        let undoToken: SecretToken

        static func make() async throws -> Scene {
            let (clock, store) = (ManualClock(), MemoryStore())
            let direct = try Doors(store, clock, names: 0)
            let made = try await direct.tenants.makeTenant(
                of: account,
                { _ in },
                name: try #require(DisplayName("Acme"))
            )
            let limit = try await direct.tenants.makeLimit(try #require(UniqueName("ip")), text: "IP", in: made)
            let rate = try #require(RateLimit("5/1m"))
            let bucket = try await direct.tenants.makeBucket(rate, of: limit.id, in: made)
            let tenant = try await direct.tenants.tenant(made.id, of: account)
            let own = try await direct.phone.requestCode(for: phone, context: native)
            let begun = try await direct.tenants.begin(TenantRequest(phoneText: e164), by: tenant)
            let signups = try await direct.phone.requestCode(for: "010-2222-2222", context: signup)

            let first = try await direct.phone.requestCode(for: "010-3333-3333", context: signup).id
            var opening = signup
            let secret = SecretToken("sgt_1")
            opening.opening = try direct.accounts.opening(of: first, by: secret, userAgent: nil)
            let signedUp = try await direct.phone.signUp(code, for: first, context: opening).get()
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
                tenant: tenant,
                limit: limit,
                bucket: bucket,
                own: own.id,
                tenants: begun.verification.id,
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
