import Foundation
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import StoreSuite
import Testing

/// What every store must do, done by this one in memory and on a file.
@Suite struct SQLiteSuiteTests {
    private static let all = EventSubscription(to: Set(Event.Kind.standard + [.messageFeedback]))

    @Test(arguments: StoreSuite.rules)
    func `in memory`(_ rule: StoreRule) async throws {
        try await rule.check(try SQLiteStore.inMemory(records: StoreSuite.types, announcing: Self.all))
    }

    @Test(arguments: StoreSuite.transactionRules)
    func `on a file`(_ rule: StoreRule) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        try await rule.check(try SQLiteStore(path: path, records: StoreSuite.types, announcing: Self.all))
    }

    /// A failure names its seed, which makes the same day again.
    @Test(arguments: DaySeeds.all)
    func `a day with restarts and power cuts`(seed: Int) async throws {
        let day = try await StoreSuite.day(seed, steps: 120, on: SQLiteMachine())
        #expect(day.violations == [])
        // A day on which everything is refused would prove little.
        #expect(day.answers > 30)
    }

    /// Each of the first 2,000 changes of the disk in a full run.
    @Test(arguments: Array(stride(from: 0, to: 2000, by: TestSize.isFull ? 1 : 401)))
    func `a disk that fails`(place: Int) async throws {
        for failure in DiskFailure.allCases {
            for isForGood in [false, true] {
                let found = try await StoreSuite.failure(failure, at: place, isForGood: isForGood, on: SQLiteMachine())
                #expect(found == nil, "\(failure) at change \(place)\(isForGood ? " and all after it" : "")")
            }
        }
    }

    @Test func `a flush that is none is found, and its seed finds the same again`() async throws {
        func day(_ seed: Int) async throws -> [String] {
            try await StoreSuite.day(seed, steps: 120, on: SQLiteMachine(flushes: false)).violations
        }
        for seed in 1...10 {
            let found = try await day(seed)
            if found.isEmpty { continue }
            #expect(found[0].contains("after a cut"))
            #expect(try await day(seed) == found)
            return
        }
        Issue.record("nothing is found")
    }

    @Test(arguments: PlantedFault.allCases)
    func `a fault of the store is found`(_ fault: PlantedFault) async throws {
        let found = try await StoreSuite.finding(fault, seeds: 1...40)
        #expect(found?.text.contains(fault.rawValue) == true, "\(found ?? (0, "nothing"))")
    }
}

/// Some in each run, and those that `scripts/measure/power` asks for.
enum DaySeeds {
    static var all: ClosedRange<Int> {
        let asked = ProcessInfo.processInfo.environment["PHONEPROOF_DAYS"]?.split(separator: "-").compactMap { Int($0) }
        return asked.map { $0[0]...$0[1] } ?? 1...(TestSize.isFull ? 2000 : 200)
    }
}

/// A machine of which the disk is played.
final class SQLiteMachine: PlayedMachine {
    private let folder: TemporaryFolder
    private var disk: ForgetfulDisk
    private var store: SQLiteStore?

    init(flushes: Bool = true) throws {
        folder = try TemporaryFolder()
        disk = try ForgetfulDisk(folder: folder.path("disk"), flushes: flushes)
    }

    deinit {
        store?.close()
        disk.end()
    }

    var hasFailed: Bool { disk.hasFailed }

    func fail(after changes: Int, _ failure: DiskFailure, isForGood: Bool) {
        disk.fail(after: changes, failure, isForGood: isForGood)
    }

    func heal() { disk.heal() }

    func cutPower(after changes: Int) { disk.fail(after: changes) }

    func start(_ seed: UInt64) throws -> any SQLStore {
        store?.close()
        while true {
            if disk.hasFailed { disk = try disk.afterCut(seed) }
            do {
                let started = try SQLiteStore(path: "\(disk.folder)/phone.db", records: StoreSuite.types)
                store = started
                return started
            } catch {
                guard disk.hasFailed else { throw error }
            }
        }
    }
}
