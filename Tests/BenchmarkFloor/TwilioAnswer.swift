import Hummingbird

/// A body as long as that of Twilio Verify's own interface: of some 600 bytes for a verification, 350 for a check.
struct TwilioAnswer: ResponseEncodable {
    struct Attempt: Encodable {
        let time = "2026-11-22T04:04:41Z"
        let channel = "SMS"
        let attemptSID = "VL1052f600c09a7811197eedf27076e5a4"

        private enum CodingKeys: String, CodingKey {
            case time
            case channel
            case attemptSID = "attempt_sid"
        }
    }

    let sid = "VE77c397c3905202496b173e0273cbb948"
    let serviceSID = "VA84545bdeb575e26e3a0fd22641ad3d18"
    let accountSID = "ACed079ff237e500be8f336a1cf09ab8ff"
    let to = "+821088887777"
    let channel = "sms"
    let status = "pending"
    let valid = false
    let dateCreated = "2026-11-22T04:04:41Z"
    let dateUpdated = "2026-11-22T04:04:41Z"
    let sendCodeAttempts: [Attempt]
    let url: String?

    init(isCheck: Bool) {
        sendCodeAttempts = isCheck ? [] : [Attempt()]
        url =
            isCheck
            ? nil
            : "http://localhost:8123/v2/Services/VA84545bdeb575e26e3a0fd22641ad3d18/Verifications/VE77c397c3905202496b173e0273cbb948"
    }

    private enum CodingKeys: String, CodingKey {
        case sid
        case serviceSID = "service_sid"
        case accountSID = "account_sid"
        case to
        case channel
        case status
        case valid
        case dateCreated = "date_created"
        case dateUpdated = "date_updated"
        case sendCodeAttempts = "send_code_attempts"
        case url
    }
}
