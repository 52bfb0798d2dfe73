import PhoneAdministration
import PhoneDomain
import PhoneSignup
public import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    private static let historySteps = TestSize.isFull ? 1000 : 400

    static let historyRules = (1...5).map { seed in
        StoreRule("random history \(seed) gives what it gives in memory", policy: { try .hurried() }) { scene in
            var history = RandomHistory(seed: UInt64(seed))
            var model = history
            let modelScene = try StoreScene(store: MemoryStore(), policy: scene.policy)
            var answers: Set<[AnyHashable]> = []
            for step in 1...historySteps {
                let answer = try await history.step(scene)
                let expected = try await model.step(modelScene)
                guard answer == expected else {
                    Issue.record("step \(step): \(answer), where memory gives \(expected)")
                    return
                }
                answers.insert(answer)
            }
            #expect(history.violations == [])
            // A history in which everything is refused would prove little.
            #expect(answers.count > historySteps * 2 / 5)
        }
    }

    /// What random histories find of a planted fault, and the seed of the first that does.
    public static func finding(_ fault: PlantedFault, seeds: ClosedRange<Int>) async throws -> (
        seed: Int, text: String
    )? {
        for seed in seeds {
            let store = FaultyStore(MemoryStore(records: types), fault)
            let code = try FixedCodeVault(digits: StoreScene.rightCode)
            let vault: any CodeVault = fault == .carelessVault ? CarelessCodeVault(vault: code) : code
            let scene = try StoreScene(store: store, policy: .hurried(maxChecks: 2), vault: vault)
            var history = RandomHistory(seed: UInt64(seed))
            for _ in 1...300 where history.violations.isEmpty { _ = try await history.step(scene) }
            if let text = history.violations.first { return (seed, text) }
        }
        return nil
    }
}

/// A machine that runs a store, whose power fails.
public protocol PlayedMachine: AnyObject {
    /// Starts the store on what the disk has: after a cut that is what the seed keeps; before, one that runs is closed.
    func start(_ seed: UInt64) throws -> any SQLStore
    /// Has the power fail after so many changes of the disk.
    func cutPower(after changes: Int)
    /// Has the disk's change after so many fail, and all after it if that is for good, until it is healed.
    func fail(after changes: Int, _ failure: DiskFailure, isForGood: Bool)
    /// Whether either has happened.
    var hasFailed: Bool { get }
    func heal()
}

public enum DiskFailure: CaseIterable, Sendable { case inputOutput, full, shortWrite }

extension StoreSuite {
    /// A day of a small service, made up from a seed: the store is restarted now and then, and its power is cut between
    /// any two changes of its disk. Each answer is that of a store in memory. After a cut every record is as before the
    /// step in which it came or as after it: nothing that was answered is lost, and nothing is half done.
    ///
    /// - Returns: how many different answers and how many cuts there were, and what must never happen, and has.
    public static func day(
        _ seed: Int,
        steps: Int,
        on machine: some PlayedMachine
    ) async throws -> (answers: Int, cuts: Int, violations: [String]) {
        var chance = SplitMix64(seed: UInt64(seed))
        var history = RandomHistory(seed: UInt64(seed))
        var real = try Side(try machine.start(chance.next()))
        var model = try Side(MemoryStore(records: types))
        var (answers, cuts): (Set<[AnyHashable]>, Int) = ([], 0)
        for step in 1...steps {
            if Int.random(in: 0..<15, using: &chance) == 0 {
                machine.cutPower(after: Int.random(in: 0..<150, using: &chance))
            }
            let (earlier, moment) = (history, model.moment)
            var tried = history
            let answer = try? await tried.step(real.scene)
            let before = machine.hasFailed ? try await records(of: model.scene.store) : []
            let expected = try await history.step(model.scene)
            if !machine.hasFailed {
                guard let answer, answer == expected else {
                    return (0, cuts, ["step \(step): \(answer ?? []), where memory gives \(expected)"])
                }
                answers.insert(answer)
                guard history.violations.isEmpty else { return (0, cuts, history.violations) }
                guard Int.random(in: 0..<40, using: &chance) == 0 else { continue }
            }
            // That a restart is cut off is noticed by what is left, as everything is.
            let wasInStep = machine.hasFailed
            guard let store = try? machine.start(chance.next()), let left = try? await records(of: store) else {
                return (0, cuts, ["step \(step): after a cut the store cannot be read"])
            }
            let after = try await records(of: model.scene.store)
            cuts += wasInStep ? 1 : 0
            if left == after {
                real = try Side(store, at: model.moment)
            } else if wasInStep, left == before {
                history = earlier
                let memory = MemoryStore(records: types)
                guard
                    try await StoreCopy(from: store, to: memory, digester: PlainRequestAuthenticator()).run().isComplete
                else { return (0, cuts, ["step \(step): the store cannot be copied"]) }
                (real, model) = (try Side(store, at: moment), try Side(memory, at: moment))
            } else {
                let kinds = Set(left).symmetricDifference(after).map(\.kind)
                return (
                    0, cuts,
                    ["step \(step): after a cut \(Set(kinds).sorted()) are neither as before it nor as after it"]
                )
            }
        }
        return (answers.count, cuts, history.violations)
    }

    /// A service in which one change of the disk fails, or all from one on until a step is over. That step is refused, or
    /// done; what is answered before and after it is as in memory, if need be once the store was opened anew, and is there
    /// after a power cut.
    ///
    /// - Returns: what is wrong.
    public static func failure(
        _ failure: DiskFailure,
        at place: Int,
        isForGood: Bool,
        on machine: some PlayedMachine
    ) async throws -> String? {
        let seed = UInt64(place)
        var history = RandomHistory(seed: seed)
        var real = try Side(try machine.start(seed))
        var model = try Side(MemoryStore(records: types))
        machine.fail(after: place, failure, isForGood: isForGood)
        var (stepsAfter, refusals, hasFailed) = (0, 0, false)
        while stepsAfter < 15 {
            let (earlier, moment) = (history, model.moment)
            var tried = history
            let answer = try? await tried.step(real.scene)
            let isRefused = answer.map { "\($0)".contains("unavailable") } ?? true
            let before = isRefused ? try await records(of: model.scene.store) : []
            let expected = try await history.step(model.scene)
            stepsAfter += hasFailed ? 1 : 0
            if machine.hasFailed {
                hasFailed = true
                machine.heal()
            }
            if let answer, answer == expected { continue }
            guard hasFailed, isRefused else {
                return "\(answer ?? []), where memory gives \(expected)"
            }
            refusals += 1
            // One that has lost what a flush was to make certain changes nothing until it is opened anew.
            guard refusals < 3 else { return "the disk is well, and the store refuses still" }
            if refusals == 2 || place.isMultiple(of: 2) { real = try Side(try machine.start(seed), at: model.moment) }
            let (after, left) = (try await records(of: model.scene.store), try await records(of: real.scene.store))
            if left == after {
                real = try Side(real.scene.store, at: model.moment)
            } else if left == before {
                history = earlier
                let memory = MemoryStore(records: types)
                _ = try await StoreCopy(from: real.scene.store, to: memory, digester: PlainRequestAuthenticator()).run()
                (real, model) = (try Side(real.scene.store, at: moment), try Side(memory, at: moment))
            } else {
                return "a step is half done"
            }
        }
        machine.cutPower(after: 0)
        let left = try await records(of: try machine.start(seed))
        return try await left == records(of: model.scene.store) ? nil : "what was answered is lost"
    }

    /// A store behind a scene of its own, at a moment of the day.
    private struct Side {
        let scene: StoreScene
        private let clock: ManualClock
        private let identifiers: CountingIdentifiers

        init(_ store: any SQLStore, at moment: (now: Timestamp, identifiers: UInt64) = (StoreScene.start, 0)) throws {
            (clock, identifiers) = (ManualClock(moment.now), CountingIdentifiers(after: moment.identifiers))
            // Few checks, so that they are used up.
            scene = try StoreScene(store: store, policy: .hurried(maxChecks: 2), clock: clock, identifiers: identifiers)
        }

        var moment: (now: Timestamp, identifiers: UInt64) { (clock.now(), identifiers.count) }
    }

    private static func records(of store: any SQLStore) async throws -> [StoredRecord] {
        var all: [StoredRecord] = []
        for type in store.recordTypes.all { all += try await store.records(of: type, after: nil, limit: 100_000) }
        return all
    }
}
