extension NumberingPlans {
    /// What a field for a phone number shows for what has been typed or pasted into it.
    ///
    /// A pure function of the whole text, and idempotent, so that it can be applied at every change:
    /// - Digits of any script become ASCII and are grouped as far as they go: `0101` is shown as `010-1`. As digits come, the
    ///   shortest number that holds them decides: `02-123-4567`, then `02-1234-5678`.
    /// - A separator at the very end stays where a group is complete (`010-`), so that typing it and deleting back over it
    ///   both feel natural; elsewhere it goes. Letters, emoji and invisible characters go.
    /// - What begins with `+` is shown as abroad, `+82 10-1234-5678`; a trunk prefix behind the calling code goes.
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
        guard let plan = plan(for: region) else { return text.digits }
        if let grouped = plan.grouped(dialled: digits, trailing: text.trailingSeparators) { return grouped }
        guard !text.isOverlong, let number = whole(digits, plan: plan) else { return text.digits }
        return number.region == region ? number.nationalFormat : number.internationalFormat
    }

    /// The whole number that digits are which are not grouped as they stand.
    private func whole(_ digits: Substring, plan: NumberingPlan) -> PhoneNumber? {
        if case .success(let number) = read(dialled: digits, region: plan.region) { return number }
        let start = PhoneText(plan.startText)
        guard
            !start.hasPlus, let rest = digits.after(start.digits),
            case .success(let number) = read(dialled: rest, region: plan.region), number.kind == .mobile
        else { return nil }
        return number
    }

    private func grouped(international digits: Substring, trailing: Int) -> String {
        guard let (plans, rest) = plans(leading: digits), let plan = plans.first else { return String(digits) }
        return plan.callingCode + plan.grouped(international: rest, trailing: trailing)
    }
}

extension NumberingPlan {
    /// Digits as dialled at home, grouped; `nil` when no number of the plan begins so or is so long.
    func grouped(dialled digits: Substring, trailing: Int) -> String? {
        if digits.isEmpty { return "" }
        if !trunkPrefix.isEmpty, trunkPrefix.hasPrefix(digits) { return String(digits) }
        if let rest = afterTrunkPrefix(digits),
            let format = format(for: rest, where: \.countsTrunkPrefix)
        {
            return format.national.filled(with: digits, trailing: trailing)
        }
        let format = format(for: digits) { format in
            rules.contains { rule in
                admits(rule, dialled: .bare) && takesTrunkPrefix(rule) == format.countsTrunkPrefix
                    && rule.pattern.match(digits) != .none
            }
        }
        guard let format else { return nil }
        let template = format.countsTrunkPrefix ? format.international : format.national
        return template.filled(with: digits, trailing: trailing)
    }

    /// Digits behind the calling code, with the space between, grouped as far as possible.
    func grouped(international digits: Substring, trailing: Int) -> String {
        if digits.isEmpty { return trailing > 0 ? " " : "" }
        if let format = format(for: digits) {
            return " " + format.international.filled(with: digits, trailing: trailing)
        }
        if let rest = afterTrunkPrefix(digits), !rest.isEmpty, let format = format(for: rest) {
            return " " + format.international.filled(with: rest, trailing: trailing)
        }
        return " " + digits
    }

    /// Of the formats that suit the digits and hold them all, the one for the fewest.
    private func format(
        for digits: Substring,
        where isMeant: (NumberFormat) -> Bool = { _ in true }
    ) -> NumberFormat? {
        var best: NumberFormat?
        for format in formats where format.international.digitCount >= digits.utf8.count {
            if let best, best.international.digitCount <= format.international.digitCount { continue }
            if format.suits(digits), isMeant(format) { best = format }
        }
        return best
    }
}
