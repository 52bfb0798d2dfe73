import Foundation
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// What an erasure leaves in the files of a database, and what it takes from tables that no command writes yet.
@Suite struct ErasureTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let clock = ManualClock()

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        store = try SQLiteStore(path: folder.path("phone.db"), durability: .normal, busyTimeout: .milliseconds(50))
        useCase = try VerificationUseCase.plain(
            over: store,
            abusePolicy: .none,
            digester: DigestsWithoutNumbers(),
            clock: clock
        )
    }

    /// The plain digester's digests are the numbers themselves.
    private struct DigestsWithoutNumbers: NumberDigester {
        func digest(of text: String) -> NumberDigest {
            let mixed = text.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            return NumberDigest(rawValue: "k:\(String(mixed, radix: 36))")
        }

        func digests(of text: String) -> [NumberDigest] { [digest(of: text)] }
    }

    private func erasing(_ number: PhoneNumber) throws -> EraseNumber {
        try EraseNumber(number, digester: DigestsWithoutNumbers(), now: clock.now())
    }

    /// Which of these texts are in the files.
    private func found(_ texts: [String]) throws -> [String] {
        let files = try ["phone.db", "phone.db-wal", "phone.db-shm"].map { name in
            try Data(contentsOf: URL(filePath: folder.path(name)))
        }
        return texts.filter { text in files.contains { $0.range(of: Data(text.utf8)) != nil } }
    }

    private static func forms(of number: PhoneNumber) -> [String] {
        [
            number.e164, String(number.e164.dropFirst()), number.nationalDigits, number.nationalFormat,
            number.internationalFormat, number.masked,
        ]
    }

    @Test func `the number is in no file afterwards, however long it was there`() async throws {
        try overwriteDeleted("OFF")
        // Enough that pages are split and merged, which leaves copies of rows in what is free of them.
        var numbers: [PhoneNumber] = []
        for index in 0..<600 {
            let phone = "010-\(2000 + index * 7919 % 8000)-\(1000 + index * 104_729 % 9000)"
            let signup = sampleSignup(index, phoneText: phone)
            try await store.insert(signup)
            let context = RequestContext(owner: .signup(signup.id), region: .korea, language: .korean)
            let begun = try await useCase.requestCode(for: phone, context: context)
            _ = try await store.update(signup.id) { $0.verificationID = begun.id }
            if !index.isMultiple(of: 3) { _ = try await useCase.check("123456", for: .id(begun.id), context: context) }
            if index.isMultiple(of: 2) {
                _ = try? await useCase.signUp("123456", for: begun.id, context: context)
            }
            numbers.append(begun.phoneNumber)
        }
        let erased = numbers.enumerated().filter { $0.offset % 40 == 0 }.map(\.element)
        for number in erased {
            #expect(try found(Self.forms(of: number)).contains(number.e164))
            #expect(try await store.erase(try erasing(number)).isEmpty == false)
        }
        try await store.removeTraces()
        for number in erased { #expect(try found(Self.forms(of: number)) == [], "\(number)") }
        // Others are there as before.
        #expect(try found(numbers.suffix(3).map(\.e164)).count == 3)
        #expect(try await store.signup(Signup.ID(bits: 0, 599)) != nil)
        #expect(try await store.signup(Signup.ID(bits: 0, 560)) == nil)
    }

    @Test func `as long as somebody reads, old bytes may stay, and it says so`() async throws {
        let context = RequestContext(owner: .local, region: .korea, language: .korean)
        let number = try await useCase.requestCode(for: "010-1234-5678", context: context).phoneNumber
        let reader = try SQLiteConnection(path: folder.path("phone.db"))
        try reader.execute("BEGIN; SELECT count(*) FROM account")
        _ = try await store.erase(try erasing(number))
        await #expect(throws: SQLiteStoreError.logInUse) { try await store.removeTraces() }
        #expect(try await store.erase(try erasing(number)).isEmpty)
        try reader.execute("COMMIT")
        try await store.removeTraces()
        #expect(try found(Self.forms(of: number)) == [])
    }

    @Test func `an erasure that fails takes nothing`() async throws {
        let context = RequestContext(owner: .local, region: .korea, language: .korean)
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        let account = try await useCase.signUp("123456", for: begun.id, context: context).account
        let trail = try await store.entries(AuditQuery(limit: 10))
        try store.execute("CREATE TRIGGER full BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'full'); END")
        await #expect(throws: SQLiteStoreError.failed(resultCode: 1811, reason: "full")) {
            try await store.erase(try erasing(begun.phoneNumber))
        }
        #expect(try await store.account(account.id) == account)
        #expect(try await store.verification(begun.id)?.consumedBy == account.id)
        #expect(try await store.entries(AuditQuery(limit: 10)) == trail)
    }

    /// How SQLite was built says whether it overwrites what is deleted; a test must not depend on it.
    private func overwriteDeleted(_ setting: String) throws {
        try store.execute("PRAGMA secure_delete = \(setting)")
    }

    @Test(arguments: [("OFF", 0), ("FAST", 2), ("ON", 1)])
    func `deleted bytes are overwritten during an erasure, and as before after it`(
        setting: String,
        value: Int
    ) async throws {
        try overwriteDeleted(setting)
        let context = RequestContext(owner: .local, region: .korea, language: .korean)
        let number = try await useCase.requestCode(for: "010-1234-5678", context: context).phoneNumber
        _ = try await store.erase(try erasing(number))
        try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try store.column("PRAGMA secure_delete") == [.integer(value)])
        // In tables of a page each nothing was moved, so that there is nothing else to be found.
        #expect(try found(Self.forms(of: number)) == [])
    }
}
