import PhoneDomain

extension Schema {
    /// What there is to say of a text as a phone number.
    static let phoneNumber = object([
        Property("input", text().described("The text itself.")),
        Property("formatted", text().described("What a field shows while it is typed.")),
        Property("is_valid", flag.described("Whether it is a number of its plan.")),
        Property("is_mobile", flag),
        Property("e164", e164.orNull),
        Property("national_format", text().orNull),
        Property("international_format", text().orNull),
        Property("region", region.orNull),
        Property("type", choice(of: NumberKind.self).orNull.described("What the number is for.")),
        Property("can_receive_code", flag.described("Whether this server would send a code there, limits aside.")),
        Property("reason", reason.orNull.described("Why it would not.")),
    ])

    /// A number as the world dials it.
    static let e164 = text(pattern: "^\\+[1-9][0-9]{1,14}$").such(as: "+821012345678")

    /// Whose a number is, in answers.
    static let region = text(pattern: "^([A-Z]{2}|001)$")
        .described("The ISO 3166-1 code of the number's country or territory; 001 for a number of the whole world.")
        .such(as: "KR")

    /// Whose plan a number is read by, in requests.
    static let regionCode = text(pattern: "^[A-Za-z]{2}$").described(regions).such(as: "KR")

    /// The same where it may be left empty.
    static let queriedRegion = text(pattern: "^([A-Za-z]{2})?$").such(as: "KR")

    /// Which regions there are.
    static let regions =
        "By whose plan a number without + is read, in either case; the server's own if there is none. One of: "
        + NumberingPlans.builtIn.regions.map(\.description).joined(separator: ", ") + "."

    /// The language of a message.
    static let language = text(pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}([.@].*)?$")
        .described("The language of the message (BCP 47, or as POSIX has it); the server's own if there is none.")
        .such(as: "ko", "en-US")

    private static let reason = object([
        Property("code", choice(of: [ProblemCode.invalidPhoneNumber, .regionNotAllowed].map(\.rawValue))),
        Property("detail", text()),
    ])

    /// Whether the service works.
    static let health = object([Property("status", constant("ok"))])
}
