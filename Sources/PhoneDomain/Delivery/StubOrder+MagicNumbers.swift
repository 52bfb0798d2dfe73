extension StubOrder {
    /// The refusal that Twilio has for this order's numbers, if they are among those that it keeps for trying out errors;
    /// nil for all others. Source: https://www.twilio.com/docs/iam/test-credentials#test-sms-messages.
    public var magicRefusal: StubRefusal? {
        if isCall { return magicRefusalOfCall }
        switch from {
        case "+15005550001": return StubRefusal(errorCode: 21212, detail: "The 'From' number is not a valid number.")
        case "+15005550007":
            return StubRefusal(
                errorCode: 21606,
                detail: "The 'From' number is not one that this account can send from."
            )
        case "+15005550008":
            return StubRefusal(errorCode: 21611, detail: "The 'From' number has too many messages in its queue.")
        default: break
        }
        switch to {
        case "+15005550001":
            return StubRefusal(errorCode: 21211, detail: "The 'To' number is not a valid phone number.")
        case "+15005550002": return StubRefusal(errorCode: 21612, detail: "The 'To' number cannot be reached.")
        case "+15005550003":
            return StubRefusal(errorCode: 21408, detail: "This account may not send to the region of the 'To' number.")
        case "+15005550004":
            return StubRefusal(errorCode: 21610, detail: "The recipient does not want messages from this sender.")
        case "+15005550009":
            return StubRefusal(errorCode: 21614, detail: "The 'To' number cannot receive text messages.")
        default: return nil
        }
    }

    /// Those that Twilio has for calls (https://www.twilio.com/docs/iam/test-credentials#test-calls).
    private var magicRefusalOfCall: StubRefusal? {
        if from == "+15005550001" {
            return StubRefusal(errorCode: 21212, detail: "The 'From' number is not a valid number.")
        }
        switch to {
        case "+15005550001":
            return StubRefusal(errorCode: 21217, detail: "The 'To' number is not a valid phone number.")
        case "+15005550002": return StubRefusal(errorCode: 21214, detail: "The 'To' number cannot be reached.")
        case "+15005550003":
            return StubRefusal(errorCode: 21215, detail: "This account may not call the region of the 'To' number.")
        case "+15005550004":
            return StubRefusal(errorCode: 21216, detail: "This account may not call the 'To' number.")
        default: return nil
        }
    }
}
