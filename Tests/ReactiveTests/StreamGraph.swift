import Reactive

/// A random composition of operators over four relays, which can be built for real and worked out by hand.
indirect enum StreamGraph: Sendable {
    /// The publish relay of that number.
    case published(Int)
    /// The behavior relay of that number, whose value is 0 at first.
    case current(Int)
    case just(Int)
    case startWith(Int, StreamGraph)
    case map(StreamGraph)
    case compactMap(StreamGraph)
    case filter(StreamGraph)
    case scan(StreamGraph)
    case distinct(StreamGraph)
    case share(StreamGraph)
    case merge([StreamGraph])
    case combineLatest(StreamGraph, StreamGraph)
    case combineLatestOfThree(StreamGraph, StreamGraph, StreamGraph)
    case withLatestFrom(StreamGraph, StreamGraph)
    case withLatestFromTwo(StreamGraph, StreamGraph, StreamGraph)

    static func random(depth: Int, using generator: inout SplitMix64) -> StreamGraph {
        func next() -> StreamGraph { random(depth: depth - 1, using: &generator) }
        guard depth > 0 else {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1: return .published(Int.random(in: 0..<2, using: &generator))
            case 2, 3: return .current(Int.random(in: 0..<2, using: &generator))
            default: return .just(Int.random(in: 0..<10, using: &generator))
            }
        }
        switch Int.random(in: 0..<13, using: &generator) {
        case 0: return .startWith(Int.random(in: 0..<10, using: &generator), next())
        case 1: return .map(next())
        case 2: return .compactMap(next())
        case 3: return .filter(next())
        case 4: return .scan(next())
        case 5: return .distinct(next())
        case 6: return .share(next())
        case 7: return .merge([next(), next(), next()])
        case 8: return .combineLatest(next(), next())
        case 9: return .combineLatestOfThree(next(), next(), next())
        case 10: return .withLatestFromTwo(next(), next(), next())
        default: return .withLatestFrom(next(), next())
        }
    }
}

/// The arithmetic of the operators, told apart from their order.
enum Arithmetic {
    static func map(_ value: Int) -> Int { (value * 3 + 1) % 101 }
    static func compactMap(_ value: Int) -> Int? { value % 3 == 0 ? nil : value / 2 }
    static func filter(_ value: Int) -> Bool { value % 4 != 1 }
    static func scan(_ sum: Int, _ value: Int) -> Int { (sum + value) % 97 }
    static func distinct(_ a: Int, _ b: Int) -> Bool { a % 5 == b % 5 }
    static func join(_ values: Int...) -> Int { values.reduce(7) { ($0 * 31 + $1) % 10_007 } }
}

extension StreamGraph {
    func build(_ published: [PublishRelay<Int>], _ current: [BehaviorRelay<Int>]) -> Observable<Int> {
        func built(_ graph: StreamGraph) -> Observable<Int> { graph.build(published, current) }
        switch self {
        case .published(let number): return published[number].asObservable()
        case .current(let number): return current[number].asObservable()
        case .just(let value): return .just(value)
        case .startWith(let value, let graph): return built(graph).startWith(value)
        case .map(let graph): return built(graph).map(Arithmetic.map)
        case .compactMap(let graph): return built(graph).compactMap(Arithmetic.compactMap)
        case .filter(let graph): return built(graph).filter(Arithmetic.filter)
        case .scan(let graph): return built(graph).scan(0, accumulator: Arithmetic.scan)
        case .distinct(let graph): return built(graph).distinctUntilChanged(by: Arithmetic.distinct)
        case .share(let graph): return built(graph).share()
        case .merge(let graphs): return .merge(graphs.map(built))
        case .combineLatest(let a, let b):
            return Observable.combineLatest(built(a), built(b)).map { Arithmetic.join($0, $1) }
        case .combineLatestOfThree(let a, let b, let c):
            return Observable.combineLatest(built(a), built(b), built(c)).map { Arithmetic.join($0, $1, $2) }
        case .withLatestFrom(let first, let second):
            return built(first).withLatestFrom(built(second)) { Arithmetic.join($0, $1) }
        case .withLatestFromTwo(let first, let second, let third):
            return built(first).withLatestFrom(built(second), built(third)) { Arithmetic.join($0, $1, $2) }
        }
    }
}
