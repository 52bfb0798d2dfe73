import CoreEncodings

/// Interprets a response of Vonage's SMS API. Its status is always 200, with a status of its own for each SMS of a
/// text.
///
/// | response | meaning |
/// |---|---|
/// | 2xx, every SMS with status 0 | accepted; the ID is that of the first |
/// | 2xx, every SMS with another status | surely not sent; the first one's status determines what follows |
/// | 2xx, some with status 0 and some not | a part was accepted, which a retry would send twice |
/// | 2xx that is unreadable, has another count than it lists, or no message ID | unknown |
/// | any other | what its status means (``GatewayResponse/statusFailure``) |
///
/// Source: https://developer.vonage.com/en/api/sms.
struct VonageResponse {
    let response: GatewayResponse

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure = response.statusFailure { throw failure }
        guard let content = response.json, let messages = content["messages"]?.array, let first = messages.first
        else { throw response.unreadable }
        let statuses = messages.map { $0["status"]?.integer }
        guard let refused = statuses.first(where: { $0 != 0 }) else {
            guard [nil, messages.count].contains(content["message-count"]?.integer) else {
                throw .ambiguous("the response contradicts itself", code: response.status)
            }
            return try response.receipt(messageID: first["message-id"]?.string)
        }
        guard !statuses.contains(0) else { throw .ambiguous("only part of the message was accepted", code: refused) }
        guard let status = refused, !statuses.contains(nil) else { throw response.unreadable }
        throw Self.failure(status)
    }

    /// The meaning of a message's status other than 0; for an unknown one, another gateway may accept what this one
    /// does not.
    ///
    /// Source: https://developer.vonage.com/en/api-errors/sms. A number that is barred or out of use is so for any
    /// gateway; one whose prefix is not recognised is only unknown to Vonage, since it is valid in the numbering plan.
    private static func failure(_ status: Int) -> GatewayFailure {
        switch status {
        case 1, 10: .busy("the gateway is busy", code: status)
        case 4, 8, 11, 14, 32: .failover("the account was refused", code: status)
        case 5: .retry("the gateway is down", code: status)
        case 6: .failover("the gateway does not serve the number", code: status)
        case 7: .refused("the number is barred", code: status)
        case 9: .failover("the account has insufficient funds", code: status)
        case 12: .refused("the text is too long", code: status)
        case 15, 39: .failover("the sender was refused", code: status)
        case 29: .failover("the account may not send to this number", code: status)
        case 33: .refused("the number is no longer in service", code: status)
        // 2, 3, 22 and 23 are unspecified invalid parameters.
        default: .failover("the gateway refused the message", code: status)
        }
    }
}
