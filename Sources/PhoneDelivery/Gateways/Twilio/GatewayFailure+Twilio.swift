extension GatewayFailure {
    /// What an error code of Twilio means for a message, or nil for one that is not known here.
    ///
    /// Source: https://www.twilio.com/docs/api/errors.
    static func twilio(code: Int) -> GatewayFailure? {
        switch code {
        case 21211: .refused("no such number", code: code)
        case 21610: .refused("the recipient wants no messages", code: code)
        case 21612: .refused("the number cannot be reached", code: code)
        case 21614, 30006: .refused("the number cannot receive text messages", code: code)
        case 21617: .refused("the text is too long", code: code)
        case 20003, 20005, 20404, 30002: .failover("the account was refused", code: code)
        case 21212, 21603, 21606: .failover("the sender was refused", code: code)
        case 21408: .failover("the country is not served", code: code)
        case 14107, 20429, 21611, 30001: .busy("the gateway is busy", code: code)
        case 20500, 20503: .retry("the gateway is down", code: code)
        default: nil
        }
    }

    /// What follows from a Twilio error code, known or not: another gateway may take what this one does not.
    static func refusal(twilioCode code: Int?) -> GatewayFailure {
        code.flatMap(twilio) ?? .failover("the gateway refused the message", code: code)
    }
}
