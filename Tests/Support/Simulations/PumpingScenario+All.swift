extension PumpingScenario {
    /// A day with people of two countries and no attack.
    public static func quiet(seed: UInt64) throws -> PumpingScenario {
        try PumpingScenario("nobody attacks", seed: seed, crowds: korea() + america, attack: nil)
    }

    /// An attack on the prefixes of people: the worst for them.
    public static func amidPeople(seed: UInt64) throws -> PumpingScenario {
        try PumpingScenario(
            "amid people, in 40 of their prefixes",
            seed: seed,
            crowds: korea() + america,
            attack: Attack(prefixes: koreanPrefixes(2000, 40), count: 6000, hours: 3...7)
        )
    }

    /// An attack from one /48 with a new prefix every two messages.
    public static func fromOneSite(seed: UInt64) throws -> PumpingScenario {
        try PumpingScenario(
            "2 a prefix within 6 min, from one /48",
            seed: seed,
            crowds: korea() + america,
            attack: Attack(prefixes: koreanPrefixes(5000, 3500), count: 7000, hours: 3...3.1, site: "2001:db8:1")
        )
    }

    /// An attack of 50,000 requests to 40 prefixes of two countries within four hours, amid people of both.
    public static func main(seed: UInt64 = 1) throws -> PumpingScenario {
        try PumpingScenario(
            "50,000 over 40 prefixes in 4 h",
            seed: seed,
            crowds: korea() + america,
            attack: Attack(
                prefixes: koreanPrefixes(9000, 20) + americanPrefixes(900, 20),
                count: 50_000,
                hours: 3...7
            )
        )
    }

    /// People of a country that come back within minutes after a week in which nobody came, as to a match, beside those
    /// who come every week.
    public static func wakingUp(seed: UInt64) throws -> PumpingScenario {
        try PumpingScenario(
            "a country wakes up after a week",
            seed: seed,
            crowds: [0, 168].flatMap { (start: Double) -> [Crowd] in
                indonesianPrefixes(40).map { Crowd(prefix: $0, count: 50, hours: start...(start + 0.05)) }
                    + koreanPrefixes(7000, 5).map { Crowd(prefix: $0, count: 60, hours: start...(start + 0.0333)) }
                    + korea(hours: start...(start + 12))
            },
            attack: nil,
            countsFrom: 167
        )
    }

    /// An attacker who has typed 100 codes of each prefix, two weeks before and alone there.
    public static func warmedUp(seed: UInt64) throws -> PumpingScenario {
        let prefixes = koreanPrefixes(9000, 10)
        return try PumpingScenario(
            "after 100 typed codes a prefix, 13 days before",
            seed: seed,
            crowds: korea(hours: 312...324),
            attack: Attack(prefixes: prefixes, count: 5000, hours: 315...319),
            warmUp: Attack(prefixes: prefixes, count: 1000, hours: 0...12, approvedPercent: 100),
            countsFrom: 311
        )
    }

    /// Other attacks, and days without one.
    public static func variations() throws -> [PumpingScenario] {
        try quietDays() + attacks() + [wakingUp(seed: 14), warmedUp(seed: 15)]
    }

    private static func quietDays() throws -> [PumpingScenario] {
        let people: [Crowd] = korea() + america
        let launches: [Crowd] = koreanPrefixes(7000, 5).map { Crowd(prefix: $0, count: 60, hours: 3...3.0333) }
        let lost: [Crowd] = people.map { crowd in
            var crowd = crowd
            crowd.outage = 6..<8
            return crowd
        }
        let shared: [Crowd] = koreanPrefixes(7000, 100).map {
            Crowd(prefix: $0, count: 3, hours: 0...12, address: "203.0.113.7")
        }
        return [
            try PumpingScenario("nobody attacks", seed: 2, crowds: people, attack: nil),
            try PumpingScenario("60 people of 5 prefixes each within 2 min", seed: 10, crowds: launches, attack: nil),
            try PumpingScenario("no code comes for 2 h", seed: 11, crowds: lost, attack: nil),
            try PumpingScenario("300 people behind one address", seed: 13, crowds: people + shared, attack: nil),
        ]
    }

    private static func attacks() throws -> [PumpingScenario] {
        let people: [Crowd] = korea() + america
        var attack = Attack(prefixes: koreanPrefixes(2000, 40), count: 6000, hours: 3...7)
        var scenarios: [PumpingScenario] = []
        let add = { (name: String, seed: UInt64, crowds: [Crowd]) throws in
            scenarios.append(try PumpingScenario(name, seed: seed, crowds: crowds, attack: attack))
        }
        try add("amid people, in 40 of their prefixes", 3, people)
        attack.prefixes = koreanPrefixes(9000, 40)
        attack.approvedPercent = 10
        try add("the attacker types 10 % of the codes", 4, people)
        attack.approvedPercent = 20
        try add("the attacker types 20 % of the codes", 5, people)
        attack.approvedPercent = 0
        attack.hours = 0...3
        try add("before anybody else", 6, korea(hours: 4...12))
        attack.hours = 3...7
        attack.prefixes = indonesianPrefixes(40)
        try add("in a country of nobody", 7, korea())
        attack.count = 5700
        attack.hours = 0...12
        attack.prefixes = koreanPrefixes(8000, 300)
        try add("19 a prefix, in a country of people", 8, korea())
        attack.prefixes = indonesianPrefixes(300)
        try add("19 a prefix, in a country of nobody", 9, korea())
        attack.count = 7000
        attack.hours = 3...3.1
        attack.prefixes = koreanPrefixes(5000, 3500)
        try add("2 a prefix within 6 min", 12, korea())
        attack.site = "2001:db8:1"
        try add("2 a prefix within 6 min, from one /48", 12, korea())
        attack.hours = 0...12
        try add("2 a prefix within 12 h, from one /48", 12, korea())
        return scenarios
    }

    private static func koreanPrefixes(_ first: Int, _ count: Int) -> [String] {
        (first..<(first + count)).map { "+8210\($0)" }
    }

    private static func americanPrefixes(_ first: Int, _ count: Int) -> [String] {
        (first..<(first + count)).map { "+1212\($0)" }
    }

    private static func indonesianPrefixes(_ count: Int) -> [String] {
        (1000..<(1000 + count)).map { "+62812\($0)" }
    }

    /// 300 prefixes of Korea: most have a few people, twenty have many all day long, and five have a hundred within a
    /// quarter of an hour, as when something was announced there.
    private static func korea(hours: ClosedRange<Double> = 0...12) -> [Crowd] {
        let prefixes = koreanPrefixes(2000, 300)
        return prefixes.enumerated().map { index, prefix in
            switch index {
            case 0..<20: Crowd(prefix: prefix, count: 100, hours: hours)
            case 20..<25:
                Crowd(prefix: prefix, count: 90, hours: (hours.lowerBound + 4)...(hours.lowerBound + 4.25))
            default: Crowd(prefix: prefix, count: 1 + index % 5, hours: hours)
            }
        }
    }

    /// 100 prefixes of America, with a few people each.
    private static var america: [Crowd] {
        americanPrefixes(200, 100).enumerated().map { Crowd(prefix: $1, count: 1 + $0 % 9, hours: 0...12) }
    }
}
