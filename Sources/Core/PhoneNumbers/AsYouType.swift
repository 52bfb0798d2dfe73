extension NumberingPlans {
    /// What a field for a phone number shows for what has been typed or pasted into it.
    ///
    /// A pure function of the whole text, and idempotent, so that it can be applied at every change: separators come and
    /// go, the digits and the plus sign stay as they were typed. So what is typed key by key, pasted, or mended in the
    /// middle is read as the same text would be as a whole. The text may have any length and is read once; without a
    /// plan for the region, only what begins with `+` is grouped.
    /// - Digits of any script become ASCII and are grouped as far as they go: `0101` is shown as `010-1`. As digits
    ///   come, the shortest number with room for them decides: `02-123-4567`, then `02-1234-5678`.
    /// - A separator at the very end stays where a group is complete (`010-`), so that typing it and deleting back over
    ///   it both feel natural; elsewhere it goes, as invisible characters do.
    /// - A text with letters or other signs stays as it was typed, and so does one with more digits than a number has:
    ///   without an extension, it would be the number of somebody else.
    /// - What begins with `+` is shown as abroad, `+82 10-1234-5678`; behind the calling code a trunk prefix and the rest
    ///   are grouped as at home, `+82 010-1234-5678`. Where a country's numbers have no groups, the calling code alone
    ///   is separated.
    /// - What begins with a bare calling code or an international prefix is left ungrouped until it is a whole number:
    ///   `821012345678` becomes `82 10-1234-5678`, and `0049…` in France `00 49 …`.
    /// - Digits that no number begins with are shown ungrouped, so that the mistake can be seen.
    public func format(_ typed: String, region: Region) -> String {
        let text = NumberScan(typed)
        if text.hasForeignCharacters || text.isOverlong { return typed.shownAsTyped }
        let digits = text.digits[...]
        if text.hasPlus { return "+" + grouped(international: digits, trailing: text.trailingSeparators) }
        guard let plan = plan(for: region) else { return text.digits }
        // Regions that share a calling code type their numbers as the main one does.
        let main = plans(callingCode: plan.callingCode).first?.plan ?? plan
        if let grouped = main.grouped(dialled: digits, trailing: text.trailingSeparators) { return grouped }
        return groupedAbroad(dialled: digits, region: region) ?? text.digits
    }

    /// A whole number behind an international prefix, or behind its bare calling code; nil for any other.
    private func groupedAbroad(dialled digits: Substring, region: Region) -> String? {
        guard case .success(let number) = read(dialled: digits, region: region) else { return nil }
        let written = number.e164.utf8.dropFirst()
        guard digits.utf8.count >= written.count, digits.utf8.suffix(written.count).elementsEqual(written)
        else { return nil }
        let prefix = digits.utf8.dropLast(written.count)
        return (prefix.isEmpty ? "" : String(Substring(prefix)) + " ") + number.internationalFormat.dropFirst()
    }

    /// Digits behind a plus sign. The calling code is separated where the rest is grouped, or where numbers that begin
    /// so are written without groups; else all digits are shown as typed, so that the mistake can be seen.
    private func grouped(international digits: Substring, trailing: Int) -> String {
        guard let (plans, rest) = plans(leading: digits), let main = plans.first?.plan else { return String(digits) }
        if let grouped = main.grouped(international: rest, trailing: trailing) { return main.callingCode + grouped }
        switch read(international: digits) {
        case .success, .failure(.tooShort): return main.callingCode + " " + rest
        case .failure: return String(digits)
        }
    }
}

// Formats are tried in the order of libphonenumber's as-you-type formatter, so that fields look like on telephones.
extension NumberingPlan {
    /// Digits as dialled at home, grouped; nil when no number of the plan begins so or is so long.
    func grouped(dialled digits: Substring, trailing: Int) -> String? {
        if digits.isEmpty { return "" }
        if trunkPrefix.hasPrefix(digits) { return String(digits) }
        if let grouped = groupedAfterTrunkPrefix(digits, trailing: trailing) { return grouped }
        if afterTrunkPrefix(digits) != nil { return nil }
        if digits.utf8.count < groupsFrom { return String(digits) }
        return format(for: digits, dialled: .bare).map { formats[$0].home.filled(with: digits, trailing: trailing) }
    }

    /// Digits behind the calling code, with the space between; nil when they are not grouped. The first two never are,
    /// and are always separated.
    func grouped(international digits: Substring, trailing: Int) -> String? {
        if digits.isEmpty { return trailing > 0 ? " " : "" }
        if let grouped = grouped(abroad: digits, trailing: trailing) { return " " + grouped }
        if let grouped = groupedAfterTrunkPrefix(digits, trailing: trailing) { return " " + grouped }
        return digits.utf8.count < 3 ? " " + digits : nil
    }

    private func grouped(abroad digits: Substring, trailing: Int) -> String? {
        guard !digits.isEmpty, let index = format(for: digits, dialled: .international) else { return nil }
        if digits.utf8.count < groupsFrom { return String(digits) }
        return formats[index].international?.filled(with: digits, trailing: trailing)
    }

    /// Digits behind the trunk prefix, grouped. Where there are several prefixes the first three digits decide which it
    /// is, unless no number begins so: in Argentina 011 15 is a longer one than 0.
    private func groupedAfterTrunkPrefix(_ digits: Substring, trailing: Int) -> String? {
        guard let trunkRule else {
            guard let rest = afterTrunkPrefix(digits) else { return nil }
            return grouped(rest, after: trunkPrefix[...], isExtended: false, trailing: trailing)
        }
        var tried = 0
        for beginning in [Substring(digits.utf8.prefix(3)), digits] {
            guard let count = trunkRule.find(in: beginning)?.count, count > tried else { continue }
            let prefix = digits.utf8.prefix(count)
            let rest = Substring(digits.utf8.dropFirst(count))
            let grouped = grouped(rest, after: Substring(prefix), isExtended: tried > 0, trailing: trailing)
            if let grouped { return grouped }
            tried = count
        }
        return nil
    }

    private func grouped(_ digits: Substring, after prefix: Substring, isExtended: Bool, trailing: Int) -> String? {
        if digits.isEmpty { return String(prefix) }
        let prefix = isExtended ? prefix + " " : prefix
        if digits.utf8.count < groupsFrom { return prefix + trunkSeparator + digits }
        guard let index = format(for: digits, dialled: .trunk) else { return nil }
        let separator = trunkSeparator.isEmpty && formats[index].separatesTrunkPrefix ? " " : trunkSeparator
        return prefix + separator + formats[index].home.filled(with: digits, trailing: trailing)
    }

    /// In North America a space follows the 1 that is dialled before a number.
    private var trunkSeparator: String { callingCode == "1" ? " " : "" }

    /// The index of the first suitable format with exactly as many digits; else of the first with room for them all.
    private func format(for digits: Substring, dialled dialling: Dialling) -> Int? {
        let count = digits.utf8.count
        var first: Int?
        for index in formats.indices where formats[index].digitCount >= count {
            if first != nil, formats[index].digitCount > count { continue }
            let canGroup = dialling == .international ? formats[index].groupsAbroad : formats[index].groupsAtHome
            guard canGroup, admits(formats[index].trunk, dialled: dialling), formats[index].suits(digits)
            else { continue }
            if formats[index].digitCount == count { return index }
            first = first ?? index
        }
        return first
    }
}
