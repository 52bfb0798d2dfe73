import PhoneDelivery
import PhoneHTTP
import PhoneNumbers
import PhoneSignup

/// Reads a request to send a message by Twilio's Messages API, and refuses what Twilio would, with its codes. Other
/// parameters have no effect: there are no prices, attempts, schedules, pictures, templates or retention.
///
/// Source: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource; the codes are at
/// https://www.twilio.com/docs/api/errors.
struct TwilioMessageRequest {
    /// The most characters, as at Twilio.
    private static let maxTextLength = 1600

    let form: FormFields
    let account: String
    let authToken: String?
    let allowsCallbacks: Bool

    func message() throws(TwilioError) -> StubRequest {
        let to = try value("To", else: 21604)
        let sender = try sender()
        try Self.checkRecipient(to)
        return StubRequest(
            to: to,
            from: sender.from,
            messagingService: sender.service,
            body: try body(),
            callback: try callback()
        )
    }

    /// A phone call. What it would have said is in `Twiml`, or at `Url`, which is not fetched.
    func call() throws(TwilioError) -> StubRequest {
        let (to, from) = try (value("To", else: 21201), value("From", else: 21213))
        try Self.checkRecipient(to)
        guard Self.isRecipient(from) else {
            throw TwilioError(21212, "The 'From' number is not a valid phone number: write + and its digits.")
        }
        guard let words = value("Twiml") ?? value("Url") ?? value("ApplicationSid") else {
            throw TwilioError(21205, "Url is required, or Twiml, or ApplicationSid.")
        }
        return StubRequest(to: to, from: from, body: words, isCall: true)
    }

    private func value(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The value of a number that is required.
    private func value(_ name: String, else code: Int) throws(TwilioError) -> String {
        guard let value = value(name) else { throw TwilioError(code, "A '\(name)' phone number is required.") }
        return value
    }

    private func sender() throws(TwilioError) -> (from: String?, service: String?) {
        let service = value("MessagingServiceSid")
        if let service, !service.isTwilioSID(prefix: "MG") {
            throw TwilioError(21701, "The messaging service does not exist: MG and 32 hexadecimal digits name one.")
        }
        if service != nil, value("From") == nil { return (nil, service) }
        let from = try value("From", else: 21603)
        // Twilio accepts a messaging service here as well.
        if from.isTwilioSID(prefix: "MG") { return (nil, from) }
        guard Self.isSender(from) else {
            throw TwilioError(
                21212,
                "The 'From' number is none: write + and its digits, a short code, or a name of up to 11 characters."
            )
        }
        return (from, service)
    }

    private func body() throws(TwilioError) -> String {
        guard let body = value("Body") else { throw TwilioError(21602, "Message body is required.") }
        guard body.utf16.count <= Self.maxTextLength else {
            throw TwilioError(21617, "The concatenated message body exceeds the 1600 character limit.")
        }
        return body
    }

    private func callback() throws(TwilioError) -> StubCallback? {
        guard let url = value("StatusCallback") else { return nil }
        guard allowsCallbacks else {
            throw TwilioError(
                21609,
                "The SMS stub calls nobody back while sms.stub.allow_remote is set: leave StatusCallback out."
            )
        }
        guard let callback = StubCallback(url: url, account: account, authToken: authToken) else {
            throw TwilioError(
                21609,
                "The 'StatusCallback' URL is not one: it needs http or https and a host, and no user."
            )
        }
        return callback
    }

    private static func checkRecipient(_ text: String) throws(TwilioError) {
        guard isRecipient(text) else {
            throw TwilioError(21211, "The 'To' number is not a valid phone number: write + and its digits.")
        }
    }

    /// `+` and up to 15 digits, the first not 0 (E.164), after the name of a channel if there is one, as in
    /// `whatsapp:+82…`.
    private static func isRecipient(_ text: String) -> Bool {
        let address = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = address.last, number.first == "+" else { return false }
        let digits = number.utf8.dropFirst()
        return 1...15 ~= digits.count && digits.allSatisfy(\.isASCIIDigit) && digits.first != UInt8(ascii: "0")
            && (address.count == 1 || !address[0].isEmpty && address[0].utf8.allSatisfy(\.isASCIILowerCase))
    }

    /// A number, a short code, or a name of 1 to 11 letters, digits, spaces and a few signs
    /// (https://www.twilio.com/docs/glossary/what-alphanumeric-sender-id).
    private static func isSender(_ text: String) -> Bool {
        if isRecipient(text) { return true }
        let (letters, others) = (text.utf8.filter { $0.isASCIILetter }, " &_-+")
        if letters.isEmpty { return 3...8 ~= text.utf8.count && text.utf8.allSatisfy(\.isASCIIDigit) }
        return text.utf8.count <= 11
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || others.utf8.contains($0) }
    }
}
