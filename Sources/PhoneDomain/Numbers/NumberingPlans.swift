/// The numbering plans we know, by region and by calling code.
public struct NumberingPlans: Sendable {
    /// The plans that come with the program: those of the world.
    public static var builtIn: NumberingPlans { world }

    private let byRegion: [Region: LazyPlan]
    private let byCallingCode: [String: [LazyPlan]]

    /// A collection of plans. Of several for one region the last counts. Where regions share a calling code, the first
    /// given speaks for it when digits do not yet tell which of them is meant.
    public init(_ plans: [NumberingPlan]) {
        self.init(lazy: plans.map { LazyPlan($0) })
    }

    init(lazy plans: [LazyPlan]) {
        let byRegion = Dictionary(plans.map { ($0.region, $0) }, uniquingKeysWith: { $1 })
        // Several calling codes belong to the world as a whole.
        self.byRegion = byRegion.filter { $0.key != .world }
        byCallingCode = Dictionary(
            grouping: plans.filter { $0.region == .world || byRegion[$0.region] === $0 },
            by: \.callingCode
        )
    }

    /// The plan of a region; `nil` when none is known.
    public func plan(for region: Region) -> NumberingPlan? {
        byRegion[region]?.made.plan
    }

    /// Whose numbers can be read, in alphabetical order.
    public var regions: [Region] {
        byRegion.keys.sorted { $0.description < $1.description }
    }

    /// What the field of a form starts with where the reader is at home in this region: `010-` in Korea; empty where no
    /// plan is known.
    public func startText(for region: Region) -> String {
        format(plan(for: region)?.startText ?? "", region: region)
    }

    /// The plan of a region, where it is.
    func made(for region: Region) -> LazyPlan.Made? {
        byRegion[region]?.made
    }

    /// The plans that share a calling code, the main one first.
    func plans(callingCode: String) -> [LazyPlan] {
        byCallingCode[callingCode] ?? []
    }

    /// The plans of the calling code that the digits begin with, and the digits behind it. Calling codes are at most three
    /// digits, and none begins with another (ITU-T E.164), so the first that fits is the one.
    func plans(leading digits: Substring) -> (plans: [LazyPlan], rest: Substring)? {
        for length in 1...3 where length <= digits.utf8.count {
            let code = String(Substring(digits.utf8.prefix(length)))
            if let plans = byCallingCode[code], let rest = digits.after(code) { return (plans, rest) }
        }
        return nil
    }
}
