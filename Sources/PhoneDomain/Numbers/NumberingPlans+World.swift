extension NumberingPlans {
    /// The plans of all regions and of the calling codes that belong to none, from the metadata of libphonenumber; Korea's
    /// is ``NumberingPlan/korea``, which is stricter.
    public static let world = NumberingPlans(lazy: worldPlans())

    /// Only the names of the regions are read here; each plan when it is first asked for.
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
            WorldPlanRecord(record).plan(main: main?.made.plan) ?? NumberingPlan(nothingOf: region, callingCode)
        }
    }
}

extension NumberingPlan {
    /// A plan without numbers.
    fileprivate init(nothingOf region: Region, _ callingCode: String) {
        self.init(
            region: region,
            callingCode: callingCode,
            trunkPrefix: "",
            internationalPrefixes: [],
            rules: [],
            formats: []
        )
    }
}
