// The order in which formats are tried is that of libphonenumber's formatter, so that fields look as people know them from
// their telephones.
extension NumberingPlan {
    /// Digits as dialled at home, grouped; `nil` when no number of the plan begins so or is so long.
    func grouped(dialled digits: Substring, trailing: Int) -> String? {
        if digits.isEmpty { return "" }
        if trunkPrefix.hasPrefix(digits) { return String(digits) }
        if let grouped = groupedAfterTrunkPrefix(digits, trailing: trailing) { return grouped }
        if afterTrunkPrefix(digits) != nil { return nil }
        if digits.utf8.count < groupsFrom { return String(digits) }
        return format(for: digits, dialled: .bare).map { formats[$0].home.filled(with: digits, trailing: trailing) }
    }

    /// Digits behind the calling code, with the space between; `nil` when they are not grouped. The first two never are, and
    /// are set apart whatever they are.
    func grouped(international digits: Substring, trailing: Int) -> String? {
        if digits.isEmpty { return trailing > 0 ? " " : "" }
        if let grouped = grouped(abroad: digits, trailing: trailing) { return " " + grouped }
        // An area code that a rule puts in is for reading: a field shows no digits that were not typed.
        if let rest = afterTrunkPrefix(digits), rest.utf8.count < digits.utf8.count,
            let grouped = grouped(abroad: rest, trailing: trailing)
        {
            return " " + grouped
        }
        return digits.utf8.count < 3 ? " " + digits : nil
    }

    /// Digits as they are written abroad; `nil` when no number goes on like them.
    private func grouped(abroad digits: Substring, trailing: Int) -> String? {
        guard !digits.isEmpty, let index = format(for: digits, dialled: .international) else { return nil }
        if digits.utf8.count < groupsFrom { return String(digits) }
        return formats[index].international?.filled(with: digits, trailing: trailing)
    }

    /// Digits behind the trunk prefix, grouped. Where there are several prefixes the first three digits decide which it is,
    /// unless no number goes on so: in Argentina 011 15 is a longer one than 0.
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
    private var trunkSeparator: String {
        callingCode == "1" ? " " : ""
    }

    /// Where, of the formats that suit the digits, the first is that holds just them; else the first that holds them all.
    private func format(for digits: Substring, dialled dialling: Dialling) -> Int? {
        let count = digits.utf8.count
        var first: Int?
        for index in formats.indices where formats[index].digitCount >= count {
            if first != nil, formats[index].digitCount > count { continue }
            let canGroup = dialling == .international ? formats[index].groupsAbroad : formats[index].groupsAtHome
            guard canGroup, admits(formats[index].trunk, dialled: dialling), formats[index].suits(digits) else {
                continue
            }
            if formats[index].digitCount == count { return index }
            first = first ?? index
        }
        return first
    }
}
