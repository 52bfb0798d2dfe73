public struct NumberingPlans: Sendable {
    private let byRegion: [Region: LazyPlan]
    private let byCallingCode: [Int: [LazyPlan]]

    /// Of several plans for one region the last counts. Where regions share a calling code, the first given is the main
    /// one, used while the digits do not decide between them.
    public init(_ plans: [NumberingPlan]) { self.init(lazy: plans.map { LazyPlan($0) }) }

    init(lazy plans: [LazyPlan]) {
        let byRegion = Dictionary(plans.map { ($0.region, $0) }, uniquingKeysWith: { $1 })
        // Several calling codes belong to the world as a whole.
        self.byRegion = byRegion.filter { $0.key != .world }
        byCallingCode = Dictionary(
            grouping: plans.filter { $0.region == .world || byRegion[$0.region] === $0 },
            by: { Self.key($0.callingCode) }
        )
    }

    public func plan(for region: Region) -> NumberingPlan? { byRegion[region]?.plan }

    /// The regions whose numbers can be parsed, in alphabetical order.
    public var regions: [Region] { byRegion.keys.sorted { $0.description < $1.description } }

    /// The calling code's digits. Cheaper than the whole plan, which is parsed when it is first needed.
    public func callingCode(of region: Region) -> String? { byRegion[region]?.callingCode }

    /// The region that most numbers of a shared calling code are of, such as US for 1.
    public func mainRegion(callingCode: String) -> Region? { plans(callingCode: callingCode).first?.region }

    /// A number of this region for a form to show, such as 010-1234-5678; nil where none is known.
    public func example(for region: Region) -> PhoneNumber? {
        plan(for: region).flatMap { plan in
            plan.example.flatMap { try? read(international: (plan.callingCode + $0)[...]).get() }
        }
    }

    /// The region whose numbers a form is asking for, once this has been typed into it: that of the calling code behind
    /// `+`, or of the whole number behind an international prefix; else the form's own, as where that has the calling
    /// code as well.
    public func region(typed text: String, in region: Region) -> Region {
        let scan = NumberScan(text)
        let code =
            scan.hasPlus
            ? plans(leading: scan.digits[...])?.plans.first?.callingCode
            : (try? read(text, region: region).get())?.callingCode
        guard let code, code != callingCode(of: region) else { return region }
        return mainRegion(callingCode: code) ?? region
    }

    /// The plans that share a calling code, the main one first.
    func plans(callingCode: String) -> [LazyPlan] { byCallingCode[Self.key(callingCode)] ?? [] }

    /// A calling code as a number, which is quicker to look up. None begins with 0.
    private static func key(_ callingCode: String) -> Int { Int(callingCode) ?? 0 }

    /// The plans of the calling code that the digits begin with, and the digits behind it. Calling codes are at most
    /// three digits, and none begins with another (ITU-T E.164), so the first that fits is the one.
    func plans(leading digits: Substring) -> (plans: [LazyPlan], rest: Substring)? {
        let digits = digits.utf8
        var (code, index) = (0, digits.startIndex)
        while code < 100, index < digits.endIndex {
            code = code * 10 + Int(digits[index]) - 0x30
            digits.formIndex(after: &index)
            guard code > 0 else { return nil }
            if let plans = byCallingCode[code] { return (plans, Substring(digits[index...])) }
        }
        return nil
    }

    /// The one reading of a number that a person typed, wherever it was.
    func read(_ text: String, region: Region) -> PhoneNumberReading {
        let text = NumberScan(text)
        if text.isOverlong { return .failure(.tooLong) }
        if text.hasForeignCharacters { return .failure(.notANumber) }
        if text.digits.isEmpty { return .failure(.empty) }
        return text.hasPlus ? read(international: text.digits[...]) : read(dialled: text.digits[...], region: region)
    }

    func read(international digits: Substring) -> PhoneNumberReading {
        guard let (plans, rest) = plans(leading: digits) else {
            if let code = Self.callingCode(leading: digits) { return .failure(.unsupportedCallingCode(code)) }
            return .failure(digits.first == "0" ? .noSuchNumber : .tooShort)
        }
        var reading = read(rest, of: plans, dialled: .international)
        // "+82 (0)10 …" and "+82010…": the trunk prefix does not belong here, and is often written.
        if case .failure = reading, let rest = plans.first?.plan.afterTrunkPrefix(rest) {
            reading = reading.or(read(rest, of: plans, dialled: .trunk))
        }
        return reading
    }

    /// Parses digits without `+`: as dialled at home, else behind an international prefix, else as a calling code
    /// without its `+`.
    func read(dialled digits: Substring, region: Region) -> PhoneNumberReading {
        guard let plan = plan(for: region) else { return .failure(.unknownRegion(region)) }
        let abroad = readings(of: digits, behindInternationalPrefixOf: plan)
        if !abroad.isEmpty {
            // In a few countries some numbers at home begin like a prefix, 00 800 … in Bulgaria. What may be a number
            // of this very country behind one prefix, and of another behind a shorter one, is the former.
            let home = read(atHome: digits, plan: plan)
            if case .success = home { return home }
            let own = abroad.first { (try? $0.get())?.callingCode == plan.callingCode }
            return own ?? (abroad + [home]).reduce(.failure(.noSuchNumber)) { $0.or($1) }
        }
        guard plan.hasCallingCodeFirst(digits)
        else { return read(atHome: digits, plan: plan).or(read(behindCallingCode: digits, plan: plan)) }
        return read(behindCallingCode: digits, plan: plan).or(read(atHome: digits, plan: plan))
    }

    func read(atHome digits: Substring, plan: NumberingPlan) -> PhoneNumberReading {
        let neighbours = plans(callingCode: plan.callingCode)
        let bare = { read(digits, of: neighbours, dialled: .bare) }
        guard let rest = plan.afterTrunkPrefix(digits) else { return bare() }
        return read(rest, of: neighbours, dialled: .trunk).or(bare())
    }

    func read(behindCallingCode digits: Substring, plan: NumberingPlan) -> PhoneNumberReading {
        digits.after(plan.callingCode) == nil ? .failure(.noSuchNumber) : read(international: digits)
    }

    /// Parses digits that begin with an international prefix, in each way that they do: none if they do not. 00 comes
    /// first and counts everywhere: who knows a number by it types it wherever they are (ITU-T E.164 recommends it to
    /// all countries). No calling code begins with 0.
    private func readings(of digits: Substring, behindInternationalPrefixOf plan: NumberingPlan) -> [PhoneNumberReading]
    {
        guard digits.after("00") != nil || plan.abroad?.matchesBeginning(of: digits) == true else { return [] }
        return (["00"] + plan.internationalPrefixes.filter { $0 != "00" }).compactMap { prefix in
            guard let rest = digits.after(prefix), let first = rest.utf8.first, first != UInt8(ascii: "0")
            else { return nil }
            return read(international: rest)
        }
    }

    /// Parses digits without calling code and trunk prefix as a number of one of the regions that share the calling
    /// code.
    private func read(
        _ digits: Substring,
        of plans: [LazyPlan],
        dialled dialling: NumberingPlan.Dialling
    ) -> PhoneNumberReading {
        var reading = PhoneNumberReading.failure(.noSuchNumber)
        for plan in plans.lazy.map(\.plan) {
            if let leading = plan.leading {
                if leading.matchesBeginning(of: digits) { return plan.read(digits, dialled: dialling) }
                guard leading.match(digits) == .partial else { continue }
            }
            reading = reading.or(plan.read(digits, dialled: dialling))
            if case .success = reading { break }
        }
        return reading
    }

    /// 1 and 7 have one digit, these have two, all others three (ITU-T E.164, list of assigned country codes).
    private static let callingCodesOfTwoDigits: Set<Substring> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49",
        "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84",
        "86", "90", "91", "92", "93", "94", "95", "98",
    ]

    /// The calling code that digits begin with, known to a plan or not, so that an error can name it. Nil when the
    /// digits end within the code, or begin with 0, as no code does.
    package static func callingCode(leading digits: Substring) -> String? {
        let length =
            switch digits.first {
            case nil, "0": 0
            case "1", "7": 1
            default: callingCodesOfTwoDigits.contains(digits.prefix(2)) ? 2 : 3
            }
        return length > 0 && digits.count >= length ? String(digits.prefix(length)) : nil
    }
}
