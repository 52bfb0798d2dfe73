public import PhoneNumbers
public import PhoneSignup
import Synchronization

/// A code that a gateway accepted, and whether somebody proved the number with it.
public struct RouteSample: Hashable, Sendable {
    public let gateway: String
    public let channel: Channel
    public let number: PhoneNumber
    public let createdAt: Timestamp
    /// The time until the approval; nil without one, and where a later message brought it.
    public let approvedAfter: Duration?

    public init(
        by gateway: String,
        _ channel: Channel,
        to number: PhoneNumber,
        createdAt: Timestamp,
        approvedAfter: Duration?
    ) {
        (self.gateway, self.channel, self.number) = (gateway, channel, number)
        (self.createdAt, self.approvedAfter) = (createdAt, approvedAfter)
    }
}

/// How likely each gateway of a route is the best one for a number, by what people did with the codes that came by it.
///
/// Approvals count, and no delivery reports: those are what a vendor says of itself. An approval counts the less the
/// longer it took, and all of it fades with time, by half in a day, and with newer messages (``memory``), so that a
/// gateway that breaks is noticed by its next messages.
///
/// Each gateway has a rate with its uncertainty, a beta distribution, and gets as many of the messages as it is likely
/// to be the best (Thompson, "On the likelihood that one unknown probability exceeds another", 1933), never less than
/// ``floor``. A place with few messages is judged by the place around it: the beginning of numbers, the country, all.
///
/// Whoever approves numbers of their own, or never approves, moves the odds between ``floor`` and the rest, within the
/// route: a beginning counts in its country as ``mostOfOne`` messages at most, and a country in all as many; a number
/// counts once for a gateway each time that messages are read.
public struct RouteOdds: Sendable {
    /// The least share of the messages that a gateway of a route gets.
    public static let floor = 0.05
    /// The messages that a gateway's figures in a place are made of, at most.
    static let memory = 200.0
    static let mostOfOne = 50.0
    /// How many messages the gateways of a route must have in a place to be judged by it.
    static let least = 20.0
    /// How many messages what is known of the place around counts as, at most.
    private static let inheritance = 60.0
    /// How long an approval takes that counts half; one at once counts in full, and one that takes longer as half, too.
    private static let slow = 120.0
    /// Counts fade in steps of this time, by this factor: by half in a day.
    private static let step: (time: Duration, factor: Double) = (.seconds(600), 0.995_198_04)

    /// Counts of a gateway's messages, which fade.
    public struct Figures: Hashable, Sendable {
        public fileprivate(set) var messages = 0.0
        public fileprivate(set) var approved = 0.0
        /// The times of all approvals, added up.
        fileprivate var seconds = 0.0
        /// The approvals, each by how fast it was.
        fileprivate var credit = 0.0

        /// The mean time until an approval, in seconds; nil without any.
        public var meanSeconds: Double? { approved > 0 ? seconds / approved : nil }

        fileprivate static func += (one: inout Figures, other: Figures) {
            (one.messages, one.approved) = (one.messages + other.messages, one.approved + other.approved)
            (one.seconds, one.credit) = (one.seconds + other.seconds, one.credit + other.credit)
        }

        fileprivate func weighted(_ weight: Double) -> Figures {
            Figures(
                messages: messages * weight,
                approved: approved * weight,
                seconds: seconds * weight,
                credit: credit * weight
            )
        }

        fileprivate func limited(to most: Double) -> Figures { messages > most ? weighted(most / messages) : self }
    }

    /// What a gateway gets of the messages to a number.
    public struct Share: Hashable, Sendable {
        public let gateway: String
        /// From ``RouteOdds/floor`` to 1; those of a route make 1.
        public let odds: Double
        /// What it is judged by: a beginning of numbers (`+49151`), a region or `*`.
        public let place: String
        public let figures: Figures
    }

    private struct Sender: Hashable {
        let gateway: String
        let channel: Channel
    }

    /// The figures by beginning of numbers, with its region.
    private var ranges: [String: (region: Region, figures: [Sender: Figures])] = [:]
    /// The sums by region, and of all.
    private var sums: [String: [Sender: Figures]] = [:]
    private var fadedAt: Timestamp?

    public init() {}

    private static let everywhere = Routes.Destination.everywhere.description
    /// The country's code and the first three digits: what a carrier has, or a city.
    private static func range(of number: PhoneNumber) -> String {
        String(Substring(number.e164.utf8.prefix(1 + number.callingCode.utf8.count + 3)))
    }

    /// - Parameter samples: the newest first.
    public mutating func learn(_ samples: [RouteSample], at now: Timestamp) {
        fade(until: now)
        var votes: [Sender: Set<PhoneNumber>] = [:]
        var news: [String: (region: Region, figures: [Sender: Figures])] = [:]
        for sample in samples {
            let sender = Sender(gateway: sample.gateway, channel: sample.channel)
            guard votes[sender, default: []].insert(sample.number).inserted else { continue }
            var figures = Figures(messages: 1)
            if let wait = sample.approvedAfter {
                let seconds = max(0, Double(wait.wholeMilliseconds) / 1000)
                (figures.approved, figures.seconds) = (1, seconds)
                figures.credit = 1 - min(seconds, Self.slow) / Self.slow / 2
            }
            let weight = Self.power(Self.step.factor, Self.steps(from: sample.createdAt, to: now))
            news[Self.range(of: sample.number), default: (sample.number.region, [:])]
                .figures[sender, default: Figures()] += figures.weighted(weight)
        }
        for (range, new) in news {
            for (sender, figures) in new.figures {
                let news = figures.limited(to: Self.memory)
                var all = (ranges[range]?.figures[sender] ?? Figures()).limited(to: Self.memory - news.messages)
                all += news
                ranges[range, default: (new.region, [:])].figures[sender] = all
            }
        }
        sumUp()
    }

    private mutating func fade(until now: Timestamp) {
        // A clock that was set back does not stop it.
        guard let last = fadedAt, last <= now else { return fadedAt = now }
        let steps = Self.steps(from: last, to: now)
        guard steps > 0 else { return }
        fadedAt = now
        let weight = Self.power(Self.step.factor, steps)
        for (range, old) in ranges {
            let left = old.figures.mapValues { $0.weighted(weight) }.filter { $1.messages >= 0.1 }
            ranges[range] = left.isEmpty ? nil : (old.region, left)
        }
    }

    private mutating func sumUp() {
        sums = [:]
        for (region, figures) in ranges.values {
            for (sender, figures) in figures {
                sums[region.description, default: [:]][sender, default: Figures()] += figures.limited(
                    to: Self.mostOfOne
                )
            }
        }
        var all: [Sender: Figures] = [:]
        for (region, figures) in sums {
            for (sender, figures) in figures {
                sums[region]?[sender] = figures.limited(to: Self.memory)
                all[sender, default: Figures()] += figures.limited(to: Self.mostOfOne)
            }
        }
        sums[Self.everywhere] = all.mapValues { $0.limited(to: Self.memory) }
    }

    private static func steps(from start: Timestamp, to end: Timestamp) -> Int {
        Int(max(0, (end - start).wholeMilliseconds / step.time.wholeMilliseconds))
    }

    /// The narrowest place in which the gateways have enough messages; all if there is none.
    func place(of number: PhoneNumber, _ gateways: [String], by channel: Channel) -> String {
        [Self.range(of: number), number.region.description].first { place in
            gateways.reduce(0) { $0 + figures(place, Sender(gateway: $1, channel: channel)).messages } >= Self.least
        } ?? Self.everywhere
    }

    private func figures(_ place: String, _ sender: Sender) -> Figures {
        (sums[place] ?? ranges[place]?.figures)?[sender] ?? Figures()
    }

    /// In the order of the gateways.
    public func shares(of gateways: [String], to number: PhoneNumber, by channel: Channel) -> [Share] {
        let place = place(of: number, gateways, by: channel)
        let senders = gateways.map { Sender(gateway: $0, channel: channel) }
        // What nobody has tried yet is taken to be as good as the others.
        var mean = Figures()
        for sender in senders { mean += figures(Self.everywhere, sender) }
        let expected = (mean.credit + 1) / (mean.messages + 2)
        let places = [Self.everywhere, number.region.description, Self.range(of: number)]
        let beliefs = senders.map { sender in
            var belief = (approved: 4 * expected, failed: 4 * (1 - expected))
            for around in places {
                let figures = figures(around, sender)
                let most = Self.inheritance / max(Self.inheritance, belief.approved + belief.failed)
                belief = (
                    belief.approved * most + figures.credit, belief.failed * most + figures.messages - figures.credit
                )
                if around == place { break }
            }
            return belief
        }
        let floor = min(Self.floor, 1 / Double(gateways.count))
        return zip(senders, Self.chances(beliefs)).map { sender, chance in
            Share(
                gateway: sender.gateway,
                odds: floor + chance * (1 - floor * Double(gateways.count)),
                place: place,
                figures: figures(place, sender)
            )
        }
    }

    /// How likely the rate of each is the highest of all: the integral of its density times the others' distributions.
    private static func chances(_ beliefs: [(approved: Double, failed: Double)]) -> [Double] {
        let points = 200
        let densities = beliefs.map { belief in
            let (approved, failed) = (Int(belief.approved.rounded()), Int(belief.failed.rounded()))
            let density = (0..<points).map { point in
                let rate = (Double(point) + 0.5) / Double(points)
                return power(rate, approved) * power(1 - rate, failed)
            }
            let sum = density.reduce(0, +)
            return density.map { $0 / sum }
        }
        var below = Array(repeating: 0.0, count: beliefs.count)
        var chances = below
        for point in 0..<points {
            // Those that are as good share it.
            let others = densities.indices.map { below[$0] + densities[$0][point] / 2 }
            for index in densities.indices {
                let others = others.indices.reduce(1) { $1 == index ? $0 : $0 * others[$1] }
                chances[index] += densities[index][point] * others
            }
            for index in densities.indices { below[index] += densities[index][point] }
        }
        let sum = chances.reduce(0, +)
        return chances.map { $0 / sum }
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var (result, base, exponent) = (1.0, base, exponent)
        while exponent > 0 {
            if exponent & 1 == 1 { result *= base }
            (base, exponent) = (base * base, exponent >> 1)
        }
        return result
    }
}

/// The odds as this process has last read them from its store. Every instance reads for itself.
public final class OddsInForce: Sendable {
    /// How often they are to be read.
    public static let interval: Duration = .seconds(60)
    /// How old messages are when they are counted: whoever has got the code has entered it by then.
    package static let maturity: Duration = .seconds(300)
    /// What is read at a time; the first time a day's, of those the newest.
    private static let most = (first: 20_000, later: 5_000)

    private struct Question: Hashable {
        let place: String
        let channel: Channel
        let gateways: [String]
    }

    private struct State {
        var odds = RouteOdds()
        var readUntil: Timestamp?
        /// So that a message costs no integral. As many as there are places with messages, for each route.
        var shares: [Question: [RouteOdds.Share]] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Reads what has become countable since the last time. Throws what the store does; those of before stay in force.
    public func read(from store: some OutboxStore, at now: Timestamp) async throws {
        let until = now - Self.maturity
        let last = state.withLock { $0.readUntil }
        // After a clock was set back some count twice.
        let since = last.map { min($0, until) } ?? until - .seconds(86_400)
        let samples = try await store.routeSamples(
            from: since,
            to: until,
            limit: last == nil ? Self.most.first : Self.most.later
        )
        learn(samples, at: now)
    }

    /// Counts these, the newest first, which are all of those that are ``maturity`` old.
    package func learn(_ samples: [RouteSample], at now: Timestamp) {
        state.withLock { state in
            state.odds.learn(samples, at: now)
            (state.readUntil, state.shares) = (now - Self.maturity, [:])
        }
    }

    public func shares(of gateways: [String], to number: PhoneNumber, by channel: Channel) -> [RouteOdds.Share] {
        state.withLock { state in
            let place = state.odds.place(of: number, gateways, by: channel)
            let question = Question(place: place, channel: channel, gateways: gateways)
            if let known = state.shares[question] { return known }
            let shares = state.odds.shares(of: gateways, to: number, by: channel)
            state.shares[question] = shares
            return shares
        }
    }

    /// The gateways in the order in which they are to be tried: one that is drawn by its odds, and then the others, the
    /// likeliest first.
    ///
    /// - Parameter id: makes the draw, by its random bits: a message that is tried again goes the same way.
    public func order(
        _ gateways: [String],
        to number: PhoneNumber,
        by channel: Channel,
        for id: OutboxMessage.ID
    ) -> [String] {
        guard gateways.count > 1 else { return gateways }
        let shares = shares(of: gateways, to: number, by: channel)
        var draw = Double(id.bits.low >> 11) / Double(1 << 53 as UInt64)
        let first = shares.firstIndex { share in
            draw -= share.odds
            return draw < 0
        }
        let order = shares.indices.sorted { one, other in
            one == first || (other != first && (-shares[one].odds, one) < (-shares[other].odds, other))
        }
        return order.map { gateways[$0] }
    }
}
