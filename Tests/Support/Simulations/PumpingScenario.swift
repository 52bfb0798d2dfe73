import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport

/// What goes on at a service for half a day, or in some weeks: people, and somebody who has messages sent to numbers of his own.
public struct PumpingScenario: Sendable {
    /// What it is about, in a few words.
    public let name: String
    let people: [SimulatedPerson]
    /// What was before this is no part of the result.
    let countsFrom: Timestamp

    /// 2026-01-01T00:00:00Z, when every scenario begins.
    static let start = Timestamp(seconds: 1_767_225_600)

    /// How an attack goes.
    struct Attack {
        var prefixes: [String]
        var count: Int
        /// Hours after the start.
        var hours: ClosedRange<Double>
        /// The share of codes that the attacker types, in percent.
        var approvedPercent = 0
        /// The beginning of the one /48 that all of it comes from, two requests from each /64; nil if from anywhere.
        var site: String?
    }

    /// Prefixes of honest people, and how many of them ask.
    struct Crowd {
        var prefix: String
        var count: Int
        /// Hours after the start.
        var hours: ClosedRange<Double>
        /// Hours after the start in which nobody gets a message, so that all ask again and none types a code.
        var outage: Range<Double>?
        /// The one address that all of them share, as behind a carrier's NAT; nil if each has one of their own.
        var address: String?
    }

    /// - Parameters:
    ///   - warmUp: what the attacker does beforehand.
    ///   - countsFrom: hours after the start.
    init(
        _ name: String,
        seed: UInt64,
        crowds: [Crowd],
        attack: Attack?,
        warmUp: Attack? = nil,
        countsFrom: Double = 0
    ) throws {
        self.name = name
        self.countsFrom = Self.start + .milliseconds(Int64(countsFrom * 3_600_000))
        var chance = SplitMix64(seed: seed)
        var people: [SimulatedPerson] = []
        for crowd in crowds {
            // Between 10 and 25 of a hundred give up, which differs from place to place.
            let givingUp = Int.random(in: 10...25, using: &chance)
            for _ in 0..<crowd.count { people.append(try Self.person(of: crowd, givingUp: givingUp, &chance)) }
        }
        for attack in [warmUp, attack].compactMap(\.self) {
            for index in 0..<attack.count { people.append(try Self.pumped(attack, index, &chance)) }
        }
        self.people = people
    }

    private static func moment(_ hours: ClosedRange<Double>, _ chance: inout SplitMix64) -> Timestamp {
        start + .milliseconds(Int64(Double.random(in: hours, using: &chance) * 3_600_000))
    }

    private static func number(_ prefix: String, _ chance: inout SplitMix64) throws -> PhoneNumber {
        try PhoneNumber(e164: prefix + "\(10_000 + Int.random(in: 0..<10_000, using: &chance))".dropFirst())
    }

    private static func address(_ first: Int, _ chance: inout SplitMix64) -> ClientAddress? {
        let parts = (0..<3).map { _ in String(Int.random(in: 0...255, using: &chance)) }
        return ClientAddress(([String(first)] + parts).joined(separator: "."))
    }

    /// People type a code 10 to 90 seconds after they asked; one of seven waits in vain, asks again, and types it then.
    private static func person(of crowd: Crowd, givingUp: Int, _ chance: inout SplitMix64) throws
        -> SimulatedPerson
    {
        let asksAt = moment(crowd.hours, &chance)
        let asksAgainAt = chance.happens(14) ? asksAt + chance.milliseconds(31...90) : nil
        let isLost = crowd.outage?.contains(Double((asksAt - start).components.seconds) / 3600) ?? false
        return SimulatedPerson(
            number: try number(crowd.prefix, &chance),
            address: crowd.address.map { ClientAddress($0) } ?? address(10, &chance),
            isHonest: true,
            asksAt: asksAt,
            asksAgainAt: isLost ? asksAgainAt ?? asksAt + .seconds(60) : asksAgainAt,
            typesAt: isLost
                ? nil : chance.happens(givingUp) ? nil : (asksAgainAt ?? asksAt) + chance.milliseconds(10...90)
        )
    }

    private static func pumped(_ attack: Attack, _ index: Int, _ chance: inout SplitMix64) throws
        -> SimulatedPerson
    {
        let asksAt = moment(attack.hours, &chance)
        return SimulatedPerson(
            number: try number(attack.prefixes[index % attack.prefixes.count], &chance),
            address: attack.site.map { ClientAddress("\($0):\(String(index / 2, radix: 16))::1") }
                ?? address(11, &chance),
            isHonest: false,
            asksAt: asksAt,
            asksAgainAt: nil,
            typesAt: chance.happens(attack.approvedPercent) ? asksAt + chance.milliseconds(5...20) : nil
        )
    }
}

/// Somebody, or some machine, who asks for a code: when, for which number, and what comes then.
struct SimulatedPerson: Sendable {
    let number: PhoneNumber
    let address: ClientAddress?
    /// Whether this is a person, and not the attack.
    let isHonest: Bool
    /// When the code is asked for.
    let asksAt: Timestamp
    /// When it is asked for once more, if it is.
    let asksAgainAt: Timestamp?
    /// When it is typed, if it is and a message came.
    let typesAt: Timestamp?
}

extension SplitMix64 {
    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    fileprivate mutating func milliseconds(_ range: ClosedRange<Int64>) -> Duration {
        .milliseconds(Int64.random(in: (range.lowerBound * 1000)...(range.upperBound * 1000), using: &self))
    }
}
