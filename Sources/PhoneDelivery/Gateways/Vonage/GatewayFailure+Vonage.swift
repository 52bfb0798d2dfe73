extension GatewayFailure {
    /// What the status of a message in an answer of Vonage's SMS API means, other than 0, known or not: another gateway may
    /// take what this one does not.
    ///
    /// Source: https://developer.vonage.com/en/api-errors/sms. What is told of a number there, that it is barred or no longer
    /// in use, holds for any gateway; that its prefix is not recognised says something of Vonage, since it is in the plan.
    static func refusal(vonageStatus status: Int) -> GatewayFailure {
        switch status {
        case 1, 10: .busy("the gateway is busy", code: status)
        case 4, 8, 11, 14, 32: .failover("the account was refused", code: status)
        case 5: .retry("the gateway is down", code: status)
        case 6: .failover("the number is not served", code: status)
        case 7: .refused("the number is barred", code: status)
        case 9: .failover("the account is out of money", code: status)
        case 12: .refused("the text is too long", code: status)
        case 15, 39: .failover("the sender was refused", code: status)
        case 29: .failover("the account may not send to this number", code: status)
        case 33: .refused("the number is out of use", code: status)
        // 2, 3, 22 and 23 are wrong parameters, of which it does not say which.
        default: .failover("the gateway refused the message", code: status)
        }
    }
}
