/// The calling code that digits begin with, known or not by a plan, so that an error can name it.
struct CallingCode {
    let digits: String

    /// The codes of two digits; 1 and 7 have one, all others three (ITU-T E.164, list of assigned country codes).
    private static let ofTwoDigits: Set<Substring> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49",
        "51", "52",
        "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86", "90",
        "91", "92",
        "93", "94", "95", "98",
    ]

    /// `nil` when the digits end within the code, or begin with 0, as no code does.
    init?(leading digits: Substring) {
        let length =
            switch digits.first {
            case nil, "0": 0
            case "1", "7": 1
            default: Self.ofTwoDigits.contains(digits.prefix(2)) ? 2 : 3
            }
        guard length > 0, digits.count >= length else { return nil }
        self.digits = String(digits.prefix(length))
    }
}
