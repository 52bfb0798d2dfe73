extension NumberingPlans {
    /// The longest text that is looked at, in Unicode scalars; more is no phone number however it is written.
    static let longestText = 64

    /// Reads a number written in any common way by someone at home in the region.
    func read(_ text: String, region: Region) -> PhoneNumberReading {
        let text = PhoneText(text, limit: Self.longestText)
        if text.isOverlong { return .failure(.tooLong) }
        if text.hasForeignCharacters { return .failure(.notANumber) }
        if text.digits.isEmpty { return .failure(.empty) }
        return text.hasPlus ? read(international: text.digits[...]) : read(dialled: text.digits[...], region: region)
    }

    /// Reads digits that begin with a calling code.
    func read(international digits: Substring) -> PhoneNumberReading {
        guard let (plans, rest) = plans(leading: digits) else {
            if let code = CallingCode(leading: digits) { return .failure(.unsupportedCallingCode(code.digits)) }
            return .failure(digits.first == "0" ? .noSuchNumber : .tooShort)
        }
        var reading = read(rest, of: plans, dialled: .international)
        // "+82 (0)10 …" and "+82010…": the trunk prefix has no place here, and is often written all the same.
        if case .failure = reading, let rest = plans.first?.made.plan.afterTrunkPrefix(rest) {
            reading = reading.or(read(rest, of: plans, dialled: .trunk))
        }
        return reading
    }

    /// Reads digits without `+`: behind an international prefix, else as they are dialled at home, else as a calling code
    /// with the `+` forgotten.
    func read(dialled digits: Substring, region: Region) -> PhoneNumberReading {
        guard let made = made(for: region) else { return .failure(.unknownRegion(region)) }
        // Exchanges look for the prefix first, too. In a few countries there are numbers that begin like it, 00 800 … in
        // Bulgaria: they are read as they stand, where nobody abroad has such a number.
        if let abroad = read(behindInternationalPrefix: digits, plan: made.plan) {
            return abroad.or(read(digits, of: plans(callingCode: made.plan.callingCode), dialled: .bare))
        }
        guard made.plan.hasCallingCodeFirst(digits) else {
            return read(atHome: digits, plan: made.plan).or(read(behindCallingCode: digits, plan: made.plan))
        }
        return read(behindCallingCode: digits, plan: made.plan).or(read(atHome: digits, plan: made.plan))
    }

    /// Reads digits as they are dialled at home.
    func read(atHome digits: Substring, plan: NumberingPlan) -> PhoneNumberReading {
        let neighbours = plans(callingCode: plan.callingCode)
        let bare = { read(digits, of: neighbours, dialled: .bare) }
        guard let rest = plan.afterTrunkPrefix(digits) else { return bare() }
        return read(rest, of: neighbours, dialled: .trunk).or(bare())
    }

    /// Reads digits that begin with the calling code of home.
    func read(behindCallingCode digits: Substring, plan: NumberingPlan) -> PhoneNumberReading {
        digits.after(plan.callingCode) == nil ? .failure(.noSuchNumber) : read(international: digits)
    }

    /// Reads digits that begin with an international prefix; `nil` when they do not. No calling code begins with 0.
    func read(behindInternationalPrefix digits: Substring, plan: NumberingPlan) -> PhoneNumberReading? {
        guard let abroad = plan.abroad, abroad.matchesBeginning(of: digits) else { return nil }
        var reading: PhoneNumberReading?
        for prefix in plan.internationalPrefixes {
            guard let rest = digits.after(prefix), let first = rest.utf8.first, first != UInt8(ascii: "0") else {
                continue
            }
            reading = reading?.or(read(international: rest)) ?? read(international: rest)
            if case .success = reading { break }
        }
        return reading
    }

    /// Reads digits without calling code and trunk prefix as a number of one of the regions that share the calling code.
    private func read(
        _ digits: Substring,
        of plans: [LazyPlan],
        dialled dialling: NumberingPlan.Dialling
    ) -> PhoneNumberReading {
        var reading = PhoneNumberReading.failure(.noSuchNumber)
        for plan in plans {
            let made = plan.made
            if let leading = made.plan.leading {
                if leading.matchesBeginning(of: digits) { return made.plan.read(digits, dialled: dialling) }
                guard leading.match(digits) == .partial else { continue }
            }
            reading = reading.or(made.plan.read(digits, dialled: dialling))
            if case .success = reading { break }
        }
        return reading
    }
}
