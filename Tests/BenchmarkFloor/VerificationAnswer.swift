import Hummingbird

/// A body with the members, and the length, of that of `POST /v1/verifications`.
struct VerificationAnswer: ResponseEncodable {
    let id = "ver_dd6424d2afe3c6478c6baa863d120f77"
    let phoneNumber = "+821099999999"
    let nationalFormat = "010-9999-9999"
    let region = "KR"
    let channel = "sms"
    let status = "pending"
    let createdAt = "2026-11-22T04:04:41.067Z"
    let expiresAt = "2026-11-22T04:14:41.067Z"
    let nextSendAt = "2026-11-22T04:05:11.067Z"
    let sendsLeft = 4
    let checksLeft: Int

    /// - Parameter text: of the request, so that it has to be read.
    init(of text: String) {
        checksLeft = text.isEmpty ? 4 : 5
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case phoneNumber = "phone_number"
        case nationalFormat = "national_format"
        case region
        case channel
        case status
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case nextSendAt = "next_send_at"
        case sendsLeft = "sends_left"
        case checksLeft = "checks_left"
    }
}
