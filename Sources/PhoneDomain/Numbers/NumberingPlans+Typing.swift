extension NumberingPlans {
    /// What a field for a phone number shows for what has been typed or pasted into it.
    ///
    /// A pure function of the whole text, and idempotent, so that it can be applied at every change:
    /// - Digits of any script become ASCII and are grouped as far as they go: `0101` is shown as `010-1`. As digits come, the
    ///   shortest number that holds them decides: `02-123-4567`, then `02-1234-5678`.
    /// - A separator at the very end stays where a group is complete (`010-`), so that typing it and deleting back over it
    ///   both feel natural; elsewhere it goes. Letters, emoji and invisible characters go.
    /// - What begins with `+` is shown as abroad, `+82 10-1234-5678`; a trunk prefix behind the calling code goes. Where a
    ///   country's numbers have no groups, the calling code alone is set apart.
    /// - What begins with a bare calling code or an international prefix is left ungrouped until it is a whole number, and is
    ///   then shown as if it had been written properly: `821012345678` becomes `010-1234-5678`, and a number of another
    ///   region takes its `+`.
    /// - A mobile number pasted whole behind the text that the field starts with takes its place: `010-010-1234-5678` becomes
    ///   `010-1234-5678`.
    /// - Digits that no number begins with, or more than a number has, are all shown, ungrouped, so that the mistake can be
    ///   seen; only from the 21st on are they cut.
    ///
    /// - Parameters:
    ///   - text: all that is in the field; any length, read once from front to back.
    ///   - region: where the person is at home; without a plan for it, only what begins with `+` is grouped.
    /// - Returns: what to show instead.
    public func format(_ text: String, region: Region) -> String {
        let text = PhoneText(text)
        let digits = text.digits[...]
        if text.hasPlus {
            return "+" + grouped(international: digits, trailing: text.trailingSeparators)
        }
        guard let made = made(for: region) else { return text.digits }
        // Regions that share a calling code type their numbers as the main one does.
        let main = plans(callingCode: made.plan.callingCode).first?.made ?? made
        if let grouped = main.plan.grouped(dialled: digits, trailing: text.trailingSeparators) { return grouped }
        guard !text.isOverlong, let number = whole(digits, plan: made.plan) else { return text.digits }
        // A few numbers look at home like others: old Gabonese ones of seven digits with their 0 are new ones of eight.
        guard
            number.callingCode == made.plan.callingCode,
            case .success(number) = read(dialled: number.nationalDigits[...], region: region)
        else { return number.internationalFormat }
        return number.nationalFormat
    }

    /// The whole number that digits are which are not grouped as they stand.
    private func whole(_ digits: Substring, plan: NumberingPlan) -> PhoneNumber? {
        if case .success(let number) = read(behindInternationalPrefix: digits, plan: plan) { return number }
        // A trunk prefix or an area code that was left out is no mistake to be mended while the next digit may come.
        if case .success = read(atHome: digits, plan: plan) { return nil }
        if case .success(let number) = read(behindCallingCode: digits, plan: plan) { return number }
        let start = PhoneText(plan.startText)
        guard
            !start.hasPlus, let rest = digits.after(start.digits),
            case .success(let number) = read(dialled: rest, region: plan.region), number.kind == .mobile
        else { return nil }
        return number
    }

    /// Digits behind a plus sign. The calling code is set apart where the rest is grouped, or where numbers go on like this
    /// that are written without groups; else all digits are shown as typed, so that the mistake can be seen.
    private func grouped(international digits: Substring, trailing: Int) -> String {
        guard let (plans, rest) = plans(leading: digits), let main = plans.first?.made else { return String(digits) }
        if let grouped = main.plan.grouped(international: rest, trailing: trailing) {
            return main.plan.callingCode + grouped
        }
        switch read(international: digits) {
        case .success, .failure(.tooShort): return main.plan.callingCode + " " + rest
        case .failure: return String(digits)
        }
    }
}
