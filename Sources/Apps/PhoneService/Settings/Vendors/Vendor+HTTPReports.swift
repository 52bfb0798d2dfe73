import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings.Vendor {
    /// How the vendor reports what became of messages; nil if it does not.
    static func report(
        _ http: SettingsSection
    ) -> (format: HTTPReportFormat, url: String?, intake: Intake?)? {
        let name = "\(http.name).receipts"
        let receipts = http.reader.section(name) {
            "Delivery reports. Either the vendor sends them to /v1/receipts/http (or /v1/receipts/ and the gateway's name)"
            "by POST with JSON or a form or by GET, which needs the secret; or it is asked at url. They name the message"
            "by the ID of answer.id_pointer, or by {{id}} where there is none."
        }
        let list = receipts("list_pointer").pointer(example: "/results", toWhole: true) {
            "Where a request has several reports, at most 1000: JSON pointer to their list, in whose elements the pointers"
            "below are; \"\" where the body is the list. Without it a request is one report."
        }
        let id = receipts("id_pointer").pointer(example: "/id") {
            "JSON pointer to the message's ID; in a form or a query, a slash and the field's name."
        }
        let status = receipts("status_pointer").pointer(example: "/status") { "The same to its state." }
        let code = receipts("code_pointer").pointer(example: "/error") { "The same to an error's number." }
        let delivered = receipts("delivered_values").values(example: "[delivered]") { "The states that mean: arrived." }
        let undelivered = receipts("undelivered_values").values(example: "[failed, expired]") {
            "The states that mean: lost. All others mean: on its way."
        }
        let proof = proof(receipts, isNeeded: status != nil)
        let reply = receipts("reply").text(example: "ACK/Jasmin") {
            "What the vendor must read as the answer to a report. By default nothing (204)."
        }
        let url = receipts("url")
            .value(
                example: "https://sms.example.com/v1/messages/{{message_id}}",
                "an http or https URL with {{message_id}} behind its host",
                { HTTPReceiptQuery.endpoint(of: $0) == nil ? nil : $0 }
            ) { "Where the state of a message is asked for, by GET, with the headers above." }
        if status == nil, delivered.isEmpty, undelivered.isEmpty { return nil }
        guard let status,
            let format = HTTPReportFormat(
                listPointer: list,
                idPointer: id ?? status,
                statusPointer: status,
                codePointer: code,
                delivered: delivered,
                undelivered: undelivered
            ), url != nil || (id != nil && proof != nil)
        else {
            http.reader.failTogether(
                "\(name) needs status_pointer, delivered_values and undelivered_values, none in both, and either url or "
                    + "id_pointer and a secret of 16 characters or more"
            )
            return nil
        }
        guard url == nil, let proof else { return (format, url, nil) }
        let intake: Intake = { name, dispatcher in
            HTTPReceipts(of: name, format, proof: proof, reply: reply, dispatcher: dispatcher)
        }
        return (format, nil, intake)
    }

    /// How the vendor is notified that a code was entered; nil if it is not.
    static func feedbackRequest(_ http: SettingsSection) -> HTTPFeedback? {
        let name = "\(http.name).feedback"
        let section = http.reader.section(name) {
            "The POST that notifies the vendor when the code of a message was entered, with the headers and in the format"
            "above, and with {{message_id}} (the ID of answer.id_pointer, or {{id}} where there is none) and {{iso_time}} (when it"
            "was) in its URL or its body. It is repeated until there is a response. Without it nothing is reported."
        }
        let url = section("url")
            .text(example: "https://sms.example.com/v1/messages/{{message_id}}/feedback") { "Where it goes." }
        let body = section("body").text(example: #"'{"converted": true}'"#) { "Its body. By default there is none." }
        guard let url else { return nil }
        return http.reader.together(
            HTTPFeedback(url: url, body: body ?? ""),
            "\(name) needs an http or https url, and {{message_id}} behind its host or in the body"
        )
    }

    /// What proves that the vendor sent something; nil without a secret of 16 characters or more.
    private static func proof(_ section: SettingsSection, isNeeded: Bool) -> HTTPReportProof? {
        let kind = section("proof").choice(HTTPReportProof.Kind.token) {
            "What proves a report. token: the secret in the header, also after Bearer, or as the field token of the"
            "query. hmac: the header has the body's HMAC-SHA256 with the secret."
        }
        let header = section("header").text("Authorization") { "The header with the token or the HMAC." }
        let secret = section("secret").secret(example: "/run/secrets/receipts", isNeeded: isNeeded) {
            "The secret that proves reports, at least 16 characters."
        }
        guard let secret, secret.utf8.count >= 16 else { return nil }
        return HTTPReportProof(kind, header: header, secret: secret, authenticator: OpenSSLRequestAuthenticator())
    }

    /// How the vendor passes on the messages of people; nil if it does not.
    static func inbound(_ http: SettingsSection) -> (@Sendable (InboundReceiver) -> any ReportIntake)? {
        let name = "\(http.name).inbound"
        let inbound = http.reader.section(name) {
            "Messages of people to a number of yours, which the vendor sends to /v1/inbound/http (or /v1/inbound/ and the"
            "gateway's name), for sms.inbound."
        }
        let sender = inbound("sender_pointer").pointer(example: "/from") {
            "JSON pointer to the number of the sender; in a form or a query, a slash and the field's name."
        }
        let text = inbound("text_pointer").pointer(example: "/text") { "The same to the text." }
        let format = inbound("sender_format").choice(InboundReceiver.SenderFormat.e164) {
            "How the vendor writes numbers: e164 (+821012345678), digits (821012345678), or national (01012345678, of the"
            "region of this service)."
        }
        let proof = proof(inbound, isNeeded: sender != nil)
        let reply = inbound("reply").text(example: "OK") {
            "What the vendor must read as the answer. By default nothing (204)."
        }
        guard sender != nil || text != nil else { return nil }
        guard let sender, let text, let proof else {
            http.reader.failTogether(
                "\(name) needs sender_pointer, text_pointer and a secret of 16 characters or more"
            )
            return nil
        }
        return { receiver in
            HTTPInbound(sender: sender, text: text, format: format, proof: proof, reply: reply, receiver: receiver)
        }
    }
}
