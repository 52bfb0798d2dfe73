import Synchronization

extension NumberingPlans {
    /// The plans of all regions and of the calling codes that belong to none, from the metadata of libphonenumber;
    /// Korea's is ``NumberingPlan/korea``, which is stricter.
    public static let builtIn = NumberingPlans(lazy: worldPlans())

    /// Only the names of the regions are read here; each plan when it is first used.
    private static func worldPlans() -> [LazyPlan] {
        var plans: [LazyPlan] = []
        var mains: [String: LazyPlan] = [:]
        for line in WorldPlanRecords.text.utf8.split(separator: UInt8(ascii: "\n")) {
            let names = line.split(separator: UInt8(ascii: ";"), maxSplits: 2).prefix(2).map { String(Substring($0)) }
            guard names.count == 2, let region = Region(names[0]) else { continue }
            let plan =
                region == .korea
                ? LazyPlan(.korea)
                : LazyPlan(region: region, callingCode: names[1], main: mains[names[1]], record: Substring(line))
            plans.append(plan)
            if mains[names[1]] == nil { mains[names[1]] = plan }
        }
        return plans
    }
}

extension LazyPlan {
    fileprivate convenience init(region: Region, callingCode: String, main: LazyPlan?, record: Substring) {
        self.init(region: region, callingCode: callingCode) {
            WorldPlanRecord(record).plan(region, callingCode, main: main?.plan)
        }
    }
}

/// A numbering plan made once, when it is first needed, by any thread.
final class LazyPlan: Sendable {
    let region: Region
    let callingCode: String
    private let reference = AtomicLazyReference<NumberingPlan>()
    private let make: @Sendable () -> NumberingPlan

    init(region: Region, callingCode: String, make: @escaping @Sendable () -> NumberingPlan) {
        (self.region, self.callingCode, self.make) = (region, callingCode, make)
    }

    convenience init(_ plan: NumberingPlan) { self.init(region: plan.region, callingCode: plan.callingCode) { plan } }

    /// Threads that ask at the same time may each make the plan; all get the same one.
    var plan: NumberingPlan { reference.load() ?? reference.storeIfNil(make()) }
}

/// One line of ``WorldPlanRecords``: the text from which a numbering plan is made when it is first needed.
///
/// Eleven fields, separated by semicolons: region, calling code, trunk prefix, ``TrunkRule`` and its replacement,
/// leading digits, international prefixes, example, the pattern of all numbers, kinds and formats. Kinds are a
/// letter and a pattern, separated by slashes. Formats are separated by tildes, and the parts of each by equals signs:
/// leading digits, `+`, `?` or `-` for ``TrunkUse``, the templates for typing at home, in full (empty where the same as
/// the first) and for abroad (the same, and `!` for none).
struct WorldPlanRecord {
    private let fields: [Substring]

    init(_ line: Substring) {
        // There is no line with fewer; it would give a plan without numbers.
        fields = line.split(separator: ";", omittingEmptySubsequences: false) + Array(repeating: "", count: 11)
    }

    /// `main` is the plan of the main region of a shared calling code, whose formats all use.
    func plan(_ region: Region, _ callingCode: String, main: NumberingPlan?) -> NumberingPlan {
        NumberingPlan(
            region: region,
            callingCode: callingCode,
            trunkPrefix: String(fields[2]),
            internationalPrefixes: fields[6].split(separator: "/").map { String($0) },
            rules: fields[9].split(separator: "/").compactMap(Self.rule),
            formats: main?.formats ?? fields[10].split(separator: "~").compactMap(Self.format),
            example: fields[7].isEmpty ? nil : String(fields[7]),
            trunkRule: fields[3].isEmpty ? nil : TrunkRule(String(fields[3]), replacement: String(fields[4])),
            leading: fields[5].isEmpty ? nil : DigitPattern(String(fields[5])),
            general: DigitPattern(String(fields[8])),
            groupsFrom: 3
        )
    }

    private static let kinds: [Character: NumberKind] = [
        "P": .premium, "T": .tollFree, "S": .sharedCost, "V": .voip, "N": .personal, "G": .pager, "U": .representative,
        "B": .voicemail, "F": .fixedLine, "M": .mobile, "L": .fixedLineOrMobile,
    ]

    private static func rule(_ text: Substring) -> NumberingRule? {
        guard let kind = text.first.flatMap({ kinds[$0] }), let pattern = DigitPattern(String(text.dropFirst()))
        else { return nil }
        return NumberingRule(kind, pattern, trunk: .optional)
    }

    private static func format(_ text: Substring) -> NumberFormat? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 5, let leading = DigitPattern(parts[0]) else { return nil }
        let trunk: TrunkUse =
            switch parts[1] {
            case "+": .always
            case "-": .never
            default: .optional
            }
        let abroad = parts[4].isEmpty ? parts[2] : parts[4]
        return NumberFormat(
            leading,
            national: DigitTemplate(parts[3].isEmpty ? parts[2] : parts[3]),
            international: abroad == "!" ? nil : DigitTemplate(abroad),
            home: DigitTemplate(parts[2]),
            trunk: trunk
        )
    }
}
