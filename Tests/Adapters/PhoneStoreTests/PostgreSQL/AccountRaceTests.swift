import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain
@testable import StoreSuite

/// What befalls one account, or one number, at several instances at once.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct AccountRaceTests {
    private let database: TestDatabase
    private let stores: [PostgreSQLStore]
    private let scenes: [AccountScene]

    init() async throws {
        let database = try await TestDatabase()
        self.database = database
        stores = try (0..<3).map { _ in try database.open() }
        let (clock, identifiers) = (ManualClock(StoreScene.start), CountingIdentifiers())
        let policy = AccountPolicy(recycling: .quarantine)
        scenes = try stores.map {
            try AccountScene(
                $0,
                accountPolicy: policy,
                sessionPolicy: .long,
                clock: clock,
                identifiers: identifiers
            )
        }
    }

    private var clock: ManualClock { scenes[0].clock }

    /// The number that every account holds by both tables, or what is wrong with it.
    private func holders() throws -> [String] {
        try database.run(
            """
            SELECT coalesce('acc_' || encode(account.id, 'hex'), 'nobody') || ' ' || coalesce(account_number.e164, 'not known')
            FROM account FULL JOIN account_number ON account_id = id AND account.e164 = account_number.e164
            WHERE account.e164 IS NOT NULL OR account_id IS NOT NULL ORDER BY 1
            """
        )
    }

    @Test func `of two accounts that take one number at once, one has it, and the other keeps its own`() async throws {
        let (anna, cho) = (try await scenes[0].signUp(AccountScene.anna), try await scenes[1].signUp(AccountScene.cho))
        let annas = try await scenes[0].prove(AccountScene.ben, as: .session(anna.session)).id
        let chos = try await scenes[1].prove(AccountScene.ben, as: .session(cho.session)).id
        // Both have found that nobody holds it, and wait to write that they do.
        let other = try database.connect()
        try other.run("BEGIN; INSERT INTO account_number VALUES ('+821022222222', '')")
        async let first = scenes[0].change(anna, with: annas).outcome
        async let second = scenes[1].change(cho, with: chos).outcome
        try await database.wait { try database.waitingCount() == 2 }
        try other.run("ROLLBACK")
        let outcomes = try await [first, second]
        #expect(outcomes.count { $0 == .failure(.numberTaken) } == 1)
        let isAnnas = outcomes[0] != .failure(.numberTaken)
        let expected =
            isAnnas
            ? ["\(anna.account) +821022222222", "\(cho.account) +821033333333"]
            : ["\(anna.account) +821011111111", "\(cho.account) +821022222222"]
        #expect(try holders() == expected)
        #expect(
            try database.run("SELECT 'acc_' || encode(account_id, 'hex') FROM number_change") == [
                (isAnnas ? anna : cho).account.description
            ]
        )
        #expect(try database.run("SELECT 1 FROM audit_entry WHERE action = 'change_number'") == ["1"])
        // What was not used can still be: the winner goes back to its own number, and the other one takes this.
        let winner = isAnnas ? (0, anna, AccountScene.anna) : (1, cho, AccountScene.cho)
        let loser = isAnnas ? (1, cho, chos) : (0, anna, annas)
        clock.advance(by: .seconds(60))
        guard case .success = try await scenes[winner.0].change(winner.1, to: winner.2).outcome,
            case .success(let account) = try await scenes[loser.0].change(loser.1, with: loser.2).outcome
        else {
            Issue.record("the number did not come free")
            return
        }
        #expect(account.phoneNumber?.e164 == "+821022222222")
    }

    @Test func `what instances change of one account at once all remains`() async throws {
        let device = try await scenes[0].signUp(AccountScene.anna)
        clock.advance(by: .seconds(7200))
        let proven = try await scenes[1].prove(AccountScene.anna)
        let change = try await scenes[0].prove(AccountScene.ben, as: .session(device.session)).id
        let other = try database.connect()
        try other.run("BEGIN; SELECT 1 FROM account FOR UPDATE")
        async let updated = scenes[0].update(device.session, to: #"{"a":1}"#)
        async let changed = scenes[1].change(device, with: change).outcome
        async let refreshed = scenes[2].refresh(device.token)
        try await database.wait { try database.waitingCount() == 3 }
        try other.run("COMMIT")
        _ = try await (updated, changed, refreshed)
        let account = Account(
            id: device.account,
            phoneNumber: try scenes[0].number(AccountScene.ben),
            phoneNumberSince: scenes[0].now,
            createdAt: StoreScene.start,
            createdBy: device.signedUp.account.createdBy,
            lastActiveAt: scenes[0].now,
            metadata: AccountMetadata(json: #"{"a":1}"#)
        )
        let signedIn = try #require(try await stores[0].signedIn(device.session))
        #expect(signedIn.account == account)
        #expect(signedIn.session.refreshedAt == scenes[0].now)
        // The number was free again when its holder had left it, and somebody else had proven it.
        let newcomer = try await scenes[2].signUp(proven)
        #expect(newcomer.signedUp.isNew)
    }

    @Test func `one who waited for an account that has lost its number finds the one that has it now`() async throws {
        let device = try await scenes[0].signUp(AccountScene.anna)
        let proven = try await scenes[1].prove(AccountScene.anna)
        // As an instance does it that gives the number to somebody else.
        let id = Account.ID(bits: 0, 255)
        let other = try database.connect()
        try other.run(
            """
            BEGIN;
            UPDATE account SET e164 = NULL;
            INSERT INTO account VALUES (\(id.sql), '+821011111111', 1, 1, \(Verification.ID(bits: 0, 255).sql),
                \(StoreScene.start.milliseconds), '{}', NULL, 0);
            UPDATE account_number SET account_id = \(id.sql)
            """
        )
        async let waiting = scenes[1].signUp(proven)
        try await database.wait { try database.waitingCount() == 1 }
        try other.run("COMMIT")
        let found = try await waiting
        #expect(found.account == id)
        #expect(!found.signedUp.isNew)
        #expect(try await stores[2].signedIn(found.session)?.account.id == found.account)
        #expect(try await stores[2].account(device.account)?.phoneNumber == nil)
        #expect(try holders() == ["\(found.account) +821011111111"])
    }

    @Test func `signups that share a batch see what those before them left of an account`() async throws {
        let old = try await scenes[0].signUp(AccountScene.anna)
        clock.advance(by: .seconds(90 * 86_400))
        let (first, second) = (
            try await scenes[0].prove(AccountScene.anna), try await scenes[0].prove(AccountScene.anna)
        )
        let (busy, scene) = (try await scenes[0].prove(AccountScene.cho), scenes[0])
        let other = try database.connect()
        try other.run("BEGIN; SELECT 1 FROM verification WHERE id = \(busy.id.sql) FOR UPDATE")
        async let before = scene.signUp(busy)
        try await database.wait { try database.waitingCount() == 1 }
        async let one = scene.signUp(first)
        async let two = scene.signUp(second)
        try other.run("COMMIT")
        let (devices, cho) = (try await [one, two], try await before)
        #expect(devices.count { $0.signedUp.isNew } == 1)
        #expect(Set(devices.map(\.account)).count == 1)
        #expect(devices[0].account != old.account)
        #expect(try holders() == ["\(cho.account) +821033333333", "\(devices[0].account) +821011111111"].sorted())
        #expect(try await stores[1].account(old.account)?.phoneNumber == nil)
        #expect(try database.run("SELECT 1 FROM audit_entry WHERE action = 'unlink'") == ["1"])
        for device in devices { #expect(try await stores[1].signedIn(device.session)?.account.id == device.account) }
    }

    @Test func `what comes to an account while its deletion waits for it goes with it`() async throws {
        let device = try await scenes[0].signUp(AccountScene.anna)
        _ = try await scenes[0].requestDeletion(device)
        clock.advance(by: .seconds(14 * 86_400))
        let other = try database.connect()
        try other.run(
            """
            BEGIN;
            SELECT 1 FROM account FOR UPDATE;
            INSERT INTO number_change VALUES (\(NumberChange.ID(bits: 0, 1).sql), \(device.account.sql),
                \(device.session.sql), \(device.signedUp.verification.id.sql), NULL, '+821011111111', 'ko', 1, 2, '', NULL);
            INSERT INTO session VALUES (\(Session.ID(bits: 0, 9).sql), \(device.account.sql), NULL, 1, 2, '', NULL,
                1, 2, NULL, NULL, 0, 'code')
            """
        )
        async let isDeleted = scenes[1].delete(device.account)
        try await database.wait { try database.waitingCount() == 1 }
        try other.run("COMMIT")
        #expect(try await isDeleted)
        for table in ["account", "account_number", "session", "number_change"] {
            #expect(try database.run("SELECT 1 FROM \(table)") == [], "\(table)")
        }
        #expect(try await scenes[2].delete(device.account) == false)
    }

    @Test func `an account that is taken back while its deletion waits for it stays`() async throws {
        let device = try await scenes[0].signUp(AccountScene.anna)
        _ = try await scenes[0].requestDeletion(device)
        clock.advance(by: .seconds(14 * 86_400))
        let other = try database.connect()
        try other.run("BEGIN; UPDATE account SET deletion_due_at = NULL")
        async let isDeleted = scenes[1].delete(device.account)
        try await database.wait { try database.waitingCount() == 1 }
        try other.run("COMMIT")
        #expect(try await isDeleted == false)
        #expect(try holders() == ["\(device.account) +821011111111"])
    }

    @Test func `whatever accounts do to each other's numbers at once, each number has one holder`() async throws {
        let phones = [AccountScene.anna, AccountScene.ben, AccountScene.cho]
        var devices: [AccountScene.Device] = []
        for (scene, phone) in zip(scenes, phones) { devices.append(try await scene.signUp(phone)) }
        for round in 1...4 {
            // Whoever holds a number is dormant in every second round, and may lose it.
            clock.advance(by: round.isMultiple(of: 2) ? .seconds(90 * 86_400) : .seconds(60))
            var proven: [(AccountScene.Device, Verification.ID)] = []
            for device in devices {
                for phone in phones {
                    proven.append((device, try await scenes[0].prove(phone, as: .session(device.session)).id))
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, (device, verification)) in proven.enumerated() {
                    let scene = scenes[index % scenes.count]
                    group.addTask {
                        let change = try await scene.change(device, with: verification)
                        if index.isMultiple(of: 2), case .success = change.outcome { _ = try await scene.undo(change) }
                    }
                    group.addTask { _ = try await scene.update(device.session, to: #"{"round":\#(round)}"#) }
                }
                for (scene, phone) in zip(scenes, phones) {
                    group.addTask { _ = try await scene.signUp(phone) }
                }
                try await group.waitForAll()
            }
            let found = try holders()
            #expect(!found.contains { $0.contains("nobody") || $0.contains("not known") }, "\(found)")
            // An undone change has ended every session of its account.
            devices = []
            for (scene, phone) in zip(scenes, phones) { devices.append(try await scene.signUp(phone)) }
            let count = try holders().count
            #expect(count == phones.count)
        }
    }
}
