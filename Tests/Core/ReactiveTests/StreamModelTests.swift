import PhoneTestSupport
import Reactive
import Testing

@Suite struct StreamModelTests {
    /// A thousand runs of each seed; a failure names the seed, and the run within it.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func everyGraphDoesWhatTheModelSays(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var outputs = 0
        for run in 0..<1_000 {
            let graph = StreamGraph.random(depth: Int.random(in: 1...4, using: &generator), using: &generator)
            let sends = (0..<60).map { _ in
                StreamModel.Send(
                    isPublished: Bool.random(using: &generator),
                    relay: Int.random(in: 0..<2, using: &generator),
                    value: Int.random(in: 0..<10, using: &generator)
                )
            }
            let disposal = Int.random(in: 0...sends.count, using: &generator)
            var model = StreamModel(sends: Array(sends[..<disposal]))
            let expected = model.stream(graph).map(\.value)
            outputs += expected.count
            let actual = play(sends, disposingAfter: disposal, graph)
            guard actual == expected else {
                Issue.record("seed \(seed), run \(run): got \(actual), expected \(expected), of \(graph), \(sends)")
                return
            }
        }
        // Otherwise the runs would say little.
        #expect(outputs > 3_000)
    }

    private func play(_ sends: [StreamModel.Send], disposingAfter disposal: Int, _ graph: StreamGraph) -> [Int] {
        let published = [PublishRelay<Int>(), PublishRelay<Int>()]
        let current = [BehaviorRelay(value: 0), BehaviorRelay(value: 0)]
        let recorder = Recorder<Int>()
        let subscription = graph.build(published, current).subscribe(recorder.record)
        for (index, send) in sends.enumerated() {
            if index == disposal {
                subscription.dispose()
            }
            if send.isPublished {
                published[send.relay].accept(send.value)
            } else {
                current[send.relay].accept(send.value)
            }
        }
        subscription.dispose()
        return recorder.history
    }
}

/// A random composition of operators over four relays, which can be built for real and worked out by hand.
indirect enum StreamGraph: Sendable {
    /// The publish relay of that number.
    case published(Int)
    /// The behavior relay of that number, whose value is 0 at first.
    case current(Int)
    case just(Int)
    case map(StreamGraph)
    case distinct(StreamGraph)
    case shareReplayingLatest(StreamGraph)
    case withLatestFrom(StreamGraph, StreamGraph)

    static func random(depth: Int, using generator: inout SplitMix64) -> StreamGraph {
        func next() -> StreamGraph { random(depth: depth - 1, using: &generator) }
        guard depth > 0 else {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1: return .published(Int.random(in: 0..<2, using: &generator))
            case 2, 3: return .current(Int.random(in: 0..<2, using: &generator))
            default: return .just(Int.random(in: 0..<10, using: &generator))
            }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .map(next())
        case 1: return .distinct(next())
        case 2: return .shareReplayingLatest(next())
        default: return .withLatestFrom(next(), next())
        }
    }
}

/// The arithmetic of the operators, separate from their order.
enum Arithmetic {
    static func map(_ value: Int) -> Int { (value * 3 + 1) % 101 }
    static func distinct(_ value: Int) -> Int { value % 5 }
    static func join(_ values: Int...) -> Int { values.reduce(7) { ($0 * 31 + $1) % 10_007 } }
}

extension StreamGraph {
    func build(_ published: [PublishRelay<Int>], _ current: [BehaviorRelay<Int>]) -> Observable<Int> {
        func built(_ graph: StreamGraph) -> Observable<Int> { graph.build(published, current) }
        switch self {
        case .published(let number): return published[number].asObservable()
        case .current(let number): return current[number].asObservable()
        case .just(let value): return .just(value)
        case .map(let graph): return built(graph).map(Arithmetic.map)
        case .distinct(let graph): return built(graph).map(Arithmetic.distinct).distinctUntilChanged()
        case .shareReplayingLatest(let graph): return built(graph).shareReplayingLatest()
        case .withLatestFrom(let first, let second):
            return built(first).withLatestFrom(built(second)) { Arithmetic.join($0, $1) }
        }
    }
}

/// The semantics of the operators on plain lists: a stream is the list of all its elements with the moment of each.
///
/// A relay calls its subscribers in order of subscription, and each call runs the graph from that one leaf to the root.
/// So a moment is the number of the send, then the number of the leaf in order of subscription, and at one moment a
/// stream has one element at most.
struct StreamModel {
    struct Moment: Comparable, Hashable {
        let send: Int
        let leaf: Int

        static func < (a: Moment, b: Moment) -> Bool {
            (a.send, a.leaf) < (b.send, b.leaf)
        }
    }

    typealias Stream = [(moment: Moment, value: Int)]

    /// What is sent, in order: to a publish relay, or to a behavior relay.
    struct Send {
        let isPublished: Bool
        let relay: Int
        let value: Int
    }

    let sends: [Send]
    private var leaves = 0

    init(sends: [Send]) {
        self.sends = sends
    }

    mutating func stream(_ graph: StreamGraph) -> Stream {
        switch graph {
        case .published(let number):
            let leaf = nextLeaf()
            return sent(isPublished: true, number, at: leaf)
        case .current(let number):
            let leaf = nextLeaf()
            return [(Moment(send: 0, leaf: leaf), 0)] + sent(isPublished: false, number, at: leaf)
        case .just(let value):
            return [(Moment(send: 0, leaf: nextLeaf()), value)]
        case .map(let graph):
            return stream(graph).map { ($0.moment, Arithmetic.map($0.value)) }
        case .distinct(let graph):
            return stream(graph).reduce(into: []) { kept, element in
                let value = Arithmetic.distinct(element.value)
                if kept.last?.value != value { kept.append((element.moment, value)) }
            }
        case .shareReplayingLatest(let graph):
            return stream(graph)
        case .withLatestFrom(let first, let second):
            let sampled = stream(second)
            return stream(first).compactMap { moment, value in
                sampled.last { $0.moment <= moment }.map { (moment, Arithmetic.join(value, $0.value)) }
            }
        }
    }

    private mutating func nextLeaf() -> Int {
        leaves += 1
        return leaves
    }

    private func sent(isPublished: Bool, _ number: Int, at leaf: Int) -> Stream {
        sends.enumerated()
            .filter { $0.element.isPublished == isPublished && $0.element.relay == number }
            .map { (Moment(send: $0.offset + 1, leaf: leaf), $0.element.value) }
    }
}
