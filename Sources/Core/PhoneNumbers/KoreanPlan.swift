extension NumberingPlan {
    /// The Republic of Korea.
    ///
    /// The ranges are those of libphonenumber 9.0 with these differences, each in favour of what the country dials:
    /// mobile numbers are 010 and exactly eight digits (libphonenumber accepts seven for some), all of them rather than
    /// the blocks allotted so far; representative numbers are all of 15XX, 16XX and 18XX, since new ones are assigned;
    /// 012 is its own kind; 030 with an operator's digit behind it, such as 0303, has numbers as long as those of 050,
    /// for forwarded faxes and messages. Omitted, because they name no line with a number of its own: short civic
    /// numbers behind an area code, and the 00-numbers that can be dialled only at home. The 2G prefixes 011 and 016 to
    /// 019 ended with their network on 2021-06-30.
    public static let korea = NumberingPlan(
        region: .korea,
        callingCode: "82",
        trunkPrefix: "0",
        // 00 is the world's usual one; the others choose a carrier. Parsing behind one of them counts only when parsing
        // behind 00 gives no number: 0014… is 00 and calling code 1 before it is 001 and a calling code 4….
        internationalPrefixes: [
            "00", "001", "002", "005", "006", "008", "009", "0073", "00345", "00365", "00391", "00700", "00727",
            "00755", "00761", "00762", "00766",
        ],
        rules: [
            NumberingRule(.mobile, #"10\d{8}"#, trunk: .optional),
            NumberingRule(.legacyMobile, #"1[16-9]\d{7,8}"#),
            NumberingRule(.fixedLine, #"(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4])[1-9]\d{6,7}"#),
            NumberingRule(.voip, #"70\d{8}"#),
            NumberingRule(.personal, #"50\d{8,9}"#),
            NumberingRule(.representative, #"1[568]\d{6}"#, trunk: .never),
            NumberingRule(.tollFree, #"[38]0\d{7}"#),
            NumberingRule(.personal, #"30\d{8,9}"#),
            NumberingRule(.premium, #"60[2-9]\d{6}"#),
            NumberingRule(.pager, #"15\d{7,8}"#),
            NumberingRule(.machine, #"12\d{7,8}"#),
        ],
        formats: [
            NumberFormat("1[568]", national: "XXXX-XXXX", international: "XXXX-XXXX", trunk: .never),
            NumberFormat("10", national: "0XX-XXXX-XXXX", international: "XX-XXXX-XXXX", trunk: .optional),
            NumberFormat("1[125-9]", national: "0XX-XXX-XXXX", international: "XX-XXX-XXXX"),
            NumberFormat("1[125-9]", national: "0XX-XXXX-XXXX", international: "XX-XXXX-XXXX"),
            NumberFormat("2", national: "0X-XXX-XXXX", international: "X-XXX-XXXX"),
            NumberFormat("2", national: "0X-XXXX-XXXX", international: "X-XXXX-XXXX"),
            NumberFormat(#"50\d"#, national: "0XXX-XXX-XXXX", international: "XXX-XXX-XXXX"),
            NumberFormat(#"50\d"#, national: "0XXX-XXXX-XXXX", international: "XXX-XXXX-XXXX"),
            NumberFormat("[368]0", national: "0XX-XXX-XXXX", international: "XX-XXX-XXXX"),
            NumberFormat(#"30\d"#, national: "0XXX-XXX-XXXX", international: "XXX-XXX-XXXX"),
            NumberFormat(#"30\d"#, national: "0XXX-XXXX-XXXX", international: "XXX-XXXX-XXXX"),
            NumberFormat("70", national: "0XX-XXXX-XXXX", international: "XX-XXXX-XXXX"),
            NumberFormat("3[1-3]|4[1-4]|5[1-5]|6[1-4]", national: "0XX-XXX-XXXX", international: "XX-XXX-XXXX"),
            NumberFormat("3[1-3]|4[1-4]|5[1-5]|6[1-4]", national: "0XX-XXXX-XXXX", international: "XX-XXXX-XXXX"),
        ],
        example: "1012345678"
    )
}
