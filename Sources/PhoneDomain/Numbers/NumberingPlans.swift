/// The numbering plans we know, by region and by calling code.
public struct NumberingPlans: Sendable {
    /// The plans that come with the program: those of the world.
    public static var builtIn: NumberingPlans { world }

    private let byRegion: [Region: LazyPlan]
    private let byCallingCode: [Int: [LazyPlan]]

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
            by: { Self.key($0.callingCode) }
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
        byCallingCode[Self.key(callingCode)] ?? []
    }

    /// A calling code as a number, which is quicker to look up. None begins with 0.
    private static func key(_ callingCode: String) -> Int {
        Int(callingCode) ?? 0
    }

    /// The plans of the calling code that the digits begin with, and the digits behind it. Calling codes are at most three
    /// digits, and none begins with another (ITU-T E.164), so the first that fits is the one.
    func plans(leading digits: Substring) -> (plans: [LazyPlan], rest: Substring)? {
        var code = 0
        for (index, byte) in zip(digits.utf8.indices, digits.utf8).prefix(3) {
            code = code * 10 + Int(byte) - 0x30
            guard code > 0 else { return nil }
            if let plans = byCallingCode[code] { return (plans, Substring(digits.utf8[index...].dropFirst())) }
        }
        return nil
    }
}
