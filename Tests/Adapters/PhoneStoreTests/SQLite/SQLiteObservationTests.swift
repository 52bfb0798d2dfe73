import Glibc
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore
@testable import StoreSuite

/// What the observer of a store gets.
@Suite struct SQLiteObservationTests {
    private let folder: TemporaryFolder
    private let log = CommitLog()
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        store = try SQLiteStore(path: folder.path("phone.db"), durability: .normal, observer: log)
        useCase = try VerificationUseCase.plain(over: store)
    }

    @Test func `the observer gets each batch, and audit entries once they are committed`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try? await useCase.check("654321", for: .id(begun.id), context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        _ = try await store.verification(begun.id)
        #expect(log.entries.map(\.action) == [.begin, .mismatch, .approve])
        #expect(log.entries.map(\.region) == [.korea, .korea, .korea])
        #expect(log.batches(.write).map(\.operations) == [1, 1, 1])
        #expect(log.batches(.read).last?.operations == 1)
        #expect(log.batches(.write).allSatisfy { !$0.isFailed && $0.duration > .zero })
    }

    @Test func `the observer gets no audit entry of what is undone, alone or with its batch`() async throws {
        let entry = sampleEntry(at: Timestamp(seconds: 1))
        await #expect(throws: HalfWay()) {
            try await store.change { unit in
                unit.append(entry)
                throw HalfWay()
            }
        }
        #expect(log.batches(.write).map(\.isFailed) == [false])
        try store.execute("PRAGMA query_only = 1")
        await #expect(throws: SQLiteStoreError.self) { try await store.change { $0.append(entry) } }
        try store.execute("PRAGMA query_only = 0")
        #expect(log.entries == [])
        try await store.change { $0.append(entry) }
        #expect(log.entries == [entry])
    }

    @Test func `the observer gets a lookup as a batch of its own`() async throws {
        let before = log.batches(.read).count
        #expect(try await store.apiKey(APIKey.ID(bits: 0, 1)) == nil)
        let lookups = log.batches(.read).dropFirst(before)
        #expect(lookups.map(\.operations) == [1])
        #expect(lookups.map(\.isFailed) == [false])
        #expect(rename(folder.path("phone.db"), folder.path("aside.db")) == 0)
        await #expect(throws: SQLiteStoreError.self) { try await store.apiKey(APIKey.ID(bits: 0, 1)) }
        #expect(log.batches(.read).last?.isFailed == true)
    }

    @Test func `the observer gets a lost batch as failed`() async throws {
        let (aside, path) = (folder.path("aside.db"), folder.path("phone.db"))
        #expect(rename(path, aside) == 0)
        await #expect(throws: SQLiteStoreError.self) { try await store.insert(sampleSignup(1)) }
        #expect(log.batches(.write).map(\.isFailed) == [true])
    }

    private struct HalfWay: Error, Equatable {}
}
