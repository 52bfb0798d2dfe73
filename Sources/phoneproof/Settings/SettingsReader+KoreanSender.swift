import PhoneDelivery

extension SettingsReader {
    /// A number that Korean carriers let messages come from, or nil if none is set.
    mutating func koreanSender(_ key: String, isOfAgency: Bool = false) throws(SettingsError) -> KoreanSender? {
        try value(
            key,
            default: nil,
            wanted:
                "a number that is registered with the vendor, as it is dialled in Korea: 010 and 8 digits, a landline with "
                + "its area code, 070 and 8, or 8 digits that begin with 15, 16 or 18; never 050"
        ) { KoreanSender($0, isOfAgency: isOfAgency).map(Optional.some) }
    }
}
