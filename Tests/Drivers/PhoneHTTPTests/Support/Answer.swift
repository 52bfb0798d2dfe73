import PhoneTestSupport
import Testing

typealias Answer = HTTPAnswer

extension Answer {
    /// - Parameter text: the body, as ``json(_:)`` reads it.
    func expect(_ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(body == json(text), sourceLocation: sourceLocation)
    }

    /// - Parameter code: that of the problem, whose other members ``Contract`` knows by it.
    func expect(
        _ status: Int,
        code: String,
        field: String? = nil,
        detail: String? = nil,
        message: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(text("code") == code, sourceLocation: sourceLocation)
        for (member, value) in [("field", field), ("detail", detail), ("message", message)] where value != nil {
            #expect(text(member) == value, sourceLocation: sourceLocation)
        }
    }
}

/// The ID with this number of ``CountingIdentifiers``.
func id(_ prefix: String, _ number: Int) -> String {
    let digits = String(number, radix: 16)
    return prefix + "_" + String(repeating: "0", count: 32 - digits.count) + digits
}

/// A verification as a response has it, by default one that has just begun.
func verification(
    _ number: Int = 1,
    of phoneNumber: String = "+821012345678",
    nationalFormat: String = "010-1234-5678",
    status: String = "pending",
    createdAt: String = "2026-01-01T00:00:00.000Z",
    expiresAt: String = "2026-01-01T00:10:00.000Z",
    expiresIn: Int = 600,
    nextSendAt: String = "2026-01-01T00:00:30.000Z",
    nextSendIn: Int = 30,
    sendsLeft: Int = 4,
    checksLeft: Int = 5
) -> String {
    json(
        """
        {"id":"\(id("ver", number))",
         "phone_number":"\(phoneNumber)",
         "national_format":"\(nationalFormat)",
         "region":"KR",
         "channel":"sms",
         "next_channels":[],
         "status":"\(status)",
         "created_at":"\(createdAt)",
         "expires_at":"\(expiresAt)",
         "expires_in":\(expiresIn),
         "next_send_at":"\(nextSendAt)",
         "next_send_in":\(nextSendIn),
         "sends_left":\(sendsLeft),
         "checks_left":\(checksLeft)}
        """
    )
}
