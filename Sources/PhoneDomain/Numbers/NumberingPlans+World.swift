extension NumberingPlans {
    /// The plans of all regions and of the calling codes that belong to none, from the metadata of libphonenumber; Korea's
    /// is ``NumberingPlan/korea``, which is stricter.
    public static let world = NumberingPlans(lazy: worldPlans())

    private static func worldPlans() -> [LazyPlan] {
        var plans: [LazyPlan] = []
        for line in WorldPlanRecords.text.utf8.split(separator: UInt8(ascii: "\n")) {
            let names = line.split(separator: UInt8(ascii: ";"), maxSplits: 2).prefix(2).map { String(Substring($0)) }
            guard names.count == 2, let region = Region(names[0]) else { continue }
            if region == .korea {
                plans.append(LazyPlan(.korea))
                continue
            }
            let callingCode = names[1]
            // Regions that share a calling code follow their main one.
            let main = plans.last { $0.callingCode == callingCode }.map { last in
                plans.first { $0.callingCode == last.callingCode } ?? last
            }
            let text = Substring(line)
            plans.append(
                LazyPlan(region: region, callingCode: callingCode) {
                    WorldPlanRecord(text).plan(main: main?.made.plan) ?? NumberingPlan(nothingOf: region, callingCode)
                }
            )
        }
        return plans
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
