/// The law of the operators on plain lists: a stream is the list of all its elements with the moment of each.
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
        case .startWith(let value, let graph):
            let start = Moment(send: 0, leaf: nextLeaf())
            return [(start, value)] + stream(graph)
        case .map(let graph):
            return stream(graph).map { ($0.moment, Arithmetic.map($0.value)) }
        case .compactMap(let graph):
            return stream(graph).compactMap { element in
                Arithmetic.compactMap(element.value).map { (element.moment, $0) }
            }
        case .filter(let graph):
            return stream(graph).filter { Arithmetic.filter($0.value) }
        case .scan(let graph):
            let elements = stream(graph)
            return elements.indices.map { index in
                (elements[index].moment, elements[...index].reduce(0) { Arithmetic.scan($0, $1.value) })
            }
        case .distinct(let graph):
            return stream(graph).reduce(into: []) { kept, element in
                if let last = kept.last, Arithmetic.distinct(last.value, element.value) { return }
                kept.append(element)
            }
        case .share(let graph):
            return stream(graph)
        case .merge(let graphs):
            return graphs.flatMap { stream($0) }.sorted { $0.moment < $1.moment }
        case .combineLatest(let a, let b):
            return combine([stream(a), stream(b)])
        case .combineLatestOfThree(let a, let b, let c):
            return combine([stream(a), stream(b), stream(c)])
        case .withLatestFrom(let first, let second):
            let sampled = [stream(second)]
            return sample(sampled, at: stream(first))
        case .withLatestFromTwo(let first, let second, let third):
            let sampled = [stream(second), stream(third)]
            return sample(sampled, at: stream(first))
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

    private func combine(_ streams: [Stream]) -> Stream {
        streams.joined().map(\.moment).sorted().compactMap { moment in
            let latest = streams.compactMap { self.latest($0, at: moment) }
            return latest.count == streams.count ? (moment, joined(latest)) : nil
        }
    }

    private func sample(_ sampled: [Stream], at first: Stream) -> Stream {
        first.compactMap { moment, value in
            let latest = sampled.compactMap { self.latest($0, at: moment) }
            return latest.count == sampled.count ? (moment, joined([value] + latest)) : nil
        }
    }

    private func latest(_ stream: Stream, at moment: Moment) -> Int? {
        stream.last { $0.moment <= moment }?.value
    }

    private func joined(_ values: [Int]) -> Int {
        values.count == 2 ? Arithmetic.join(values[0], values[1]) : Arithmetic.join(values[0], values[1], values[2])
    }
}
