/// How the guard against toll fraud judges. Somebody who is paid for messages to numbers of his own has them sent by
/// the thousand and never types a code; people do. The guard compares the two, by prefix and by country.
public struct GuardPolicy: Hashable, Sendable {
    /// How much the guard does.
    public enum Mode: String, Sendable, CaseIterable {
        /// Nothing.
        case off
        /// It watches: whatever it would hold back goes out with the verdict `shadow`.
        case shadow
        /// It holds back.
        case enforce
    }

    /// What one hears whose message a block holds back.
    public enum Answer: String, Sendable, CaseIterable {
        /// That it was, as `rate_limited` by the policy `guard-block`.
        case refuse
        /// The same as one whose message goes out.
        case silent
    }

    /// How much it does. Standard: `enforce`.
    public let mode: Mode
    /// What is heard of a block. Standard: `refuse`, since a person who is held back by mistake can only act on what is
    /// told.
    public let answer: Answer
    /// How many messages to a prefix within a day are enough to go by, 5 to 100,000. Standard: 20, which is what an
    /// attack on it buys. Fewer, and people who come to one prefix all at once are taken for an attack before the first
    /// of them has typed the code.
    public let prefixSample: Int
    /// The share of approvals, in percent of messages, under which a prefix is held back, 1 to 90. Standard: 15; with
    /// people it is 60 to 90. At 25 an attacker has to type a quarter of the codes, but in the simulation of pumping three
    /// times as many people have to wait, amid an attack and where many come at once.
    public let prefixPercent: Int
    /// How many messages to a country within a day are enough to go by, 5 to 1,000,000. Standard: 500.
    public let countrySample: Int
    /// The share under which those prefixes of a country are held back that have shown nothing better, 1 to 90.
    /// Standard: 5. It costs an attack on very many prefixes its profit where nobody else is; where people are, their
    /// approvals keep the country open, and only limits and the budget hold against one that stays under the sample of
    /// each prefix.
    public let countryPercent: Int
    /// How long a block holds after its beginning, and after each renewal, 1 minute to 30 days. Standard: 12 hours.
    public let blockTime: Duration

    /// How many messages to a prefix are enough to go by where its country is poor. None at all would close a country
    /// to everybody for a day after an attack on a few prefixes, as the simulation of pumping shows: with nobody let
    /// through nobody can prove anything. With three, people show within minutes that they are there; of those whose
    /// prefix is new three of four type the code, so one prefix in sixty has to wait.
    static let sampleInPoorCountry = 3

    /// The standard guard.
    public static let standard = GuardPolicy(
        validatedMode: .enforce,
        answer: .refuse,
        prefixSample: 20,
        prefixPercent: 15,
        countrySample: 500,
        countryPercent: 5,
        blockTime: .seconds(43_200)
    )

    /// No guard.
    public static let off = GuardPolicy(
        validatedMode: .off,
        answer: .refuse,
        prefixSample: standard.prefixSample,
        prefixPercent: standard.prefixPercent,
        countrySample: standard.countrySample,
        countryPercent: standard.countryPercent,
        blockTime: standard.blockTime
    )

    /// A guard of these values, each standard unless given.
    ///
    /// - Throws: ``PolicyError`` for a value out of its range, which each property names.
    public init(
        mode: Mode = standard.mode,
        answer: Answer = standard.answer,
        prefixSample: Int = standard.prefixSample,
        prefixPercent: Int = standard.prefixPercent,
        countrySample: Int = standard.countrySample,
        countryPercent: Int = standard.countryPercent,
        blockTime: Duration = standard.blockTime
    ) throws(PolicyError) {
        try Self.require((5...100_000).contains(prefixSample), "prefixSample", "5 to 100000 messages")
        try Self.require((1...90).contains(prefixPercent), "prefixPercent", "1 to 90 percent")
        try Self.require((5...1_000_000).contains(countrySample), "countrySample", "5 to 1000000 messages")
        try Self.require((1...90).contains(countryPercent), "countryPercent", "1 to 90 percent")
        try Self.require(
            (.seconds(60) ... .seconds(30 * 86_400)).contains(blockTime),
            "blockTime",
            "60 to 2592000 seconds"
        )
        self.init(
            validatedMode: mode,
            answer: answer,
            prefixSample: prefixSample,
            prefixPercent: prefixPercent,
            countrySample: countrySample,
            countryPercent: countryPercent,
            blockTime: blockTime
        )
    }

    private init(
        validatedMode mode: Mode,
        answer: Answer,
        prefixSample: Int,
        prefixPercent: Int,
        countrySample: Int,
        countryPercent: Int,
        blockTime: Duration
    ) {
        self.mode = mode
        self.answer = answer
        self.prefixSample = prefixSample
        self.prefixPercent = prefixPercent
        self.countrySample = countrySample
        self.countryPercent = countryPercent
        self.blockTime = blockTime
    }

    private static func require(_ holds: Bool, _ name: String, _ range: String) throws(PolicyError) {
        guard holds else { throw PolicyError(name: name, range: range) }
    }
}
