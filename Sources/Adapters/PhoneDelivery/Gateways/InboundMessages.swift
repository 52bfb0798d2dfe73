public import CoreEncodings
public import Logging
public import PhoneDomain
public import PhoneNumbers

/// Takes the text messages that people send to the operator, as vendors pass them on.
public struct InboundReceiver: Sendable {
    /// How a vendor writes the number of a sender.
    public enum SenderFormat: String, CaseIterable, Sendable {
        /// `+821012345678`.
        case e164
        /// `821012345678`.
        case digits
        /// `01012345678`, or in any other way in which people of the service's region type numbers.
        case national
    }

    private let useCase: VerificationUseCase
    private let region: Region
    private let logger: Logger

    /// - Parameter region: whose numbers are written in national form.
    public init(_ useCase: VerificationUseCase, region: Region, logger: Logger) {
        (self.useCase, self.region, self.logger) = (useCase, region, logger)
    }

    /// Most messages mean no verification, and some have no number at all: they are the vendor's, too, and are not to
    /// be sent again. Throws if the store cannot be reached.
    func receive(_ text: String?, from sender: String?, in format: SenderFormat = .e164) async throws {
        guard let text, let sender, let number = number(sender, format) else {
            return logger.notice("An inbound message has no text, or no sender in the form that is configured")
        }
        do throws(PhoneFailure) {
            let approved = try await useCase.receive(InboundMessage(from: number, text: text))
            logger.debug("An inbound message approved a verification", metadata: ["verification.id": "\(approved.id)"])
        } catch {
            if case .unavailable = error { throw error }
            logger.debug("An inbound message approves nothing", metadata: ["failure.code": "\(error.code)"])
        }
    }

    /// A number in another form than the vendor's is not read: what one country writes in digits alone is another
    /// number somewhere else.
    private func number(_ text: String, _ format: SenderFormat) -> PhoneNumber? {
        switch format {
        case .e164: text.utf8.first == UInt8(ascii: "+") ? self.number(String(text.dropFirst()), .digits) : nil
        case .digits:
            text.utf8.allSatisfy(\.isASCIIDigit) ? try? PhoneNumber(parsing: "+\(text)", region: .world) : nil
        case .national: try? PhoneNumber(parsing: text, region: region)
        }
    }
}

/// What Twilio posts for a message to one of its numbers, signed as its delivery reports are.
/// Source: https://www.twilio.com/docs/messaging/guides/webhook-request.
public struct TwilioInbound: ReportIntake {
    private let check: TwilioCallbackCheck
    private let receiver: InboundReceiver
    public let signatureHeader: String? = TwilioSignature.header

    /// - Parameter address: exactly the URL that is entered at Twilio.
    public init(
        account: TwilioAccount,
        address: EndpointURL,
        authenticator: any RequestAuthenticator,
        receiver: InboundReceiver
    ) {
        check = TwilioCallbackCheck(address: address, account: account, authenticator: authenticator)
        self.receiver = receiver
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try check.isSigned(report) else { return false }
        try report.requireForm()
        try await receiver.receive(report["Body"], from: report["From"])
        return true
    }
}

/// What Vonage's SMS API sends for a message to one of its numbers, by GET or POST, with a form or JSON. Signed are the
/// fields, sorted by name, as `&name=value` with `_` for every `&` and `=` in a value, by HMAC with SHA-256. All of that
/// goes by bytes, and Vonage sends some ten fields: no more are sorted than forms may have.
/// Sources: https://developer.vonage.com/en/messaging/sms/guides/inbound-sms,
/// https://developer.vonage.com/en/getting-started/concepts/signing-messages.
public struct VonageInbound: ReportIntake {
    private let secret: String
    private let authenticator: any RequestAuthenticator
    private let receiver: InboundReceiver
    public let signatureHeader: String? = nil
    public let writesSpacesAsPlus = true

    private static let mostFields = 100

    /// - Parameter secret: the account's signature secret, with the method SHA-256 HMAC.
    public init(secret: String, authenticator: any RequestAuthenticator, receiver: InboundReceiver) {
        (self.secret, self.authenticator, self.receiver) = (secret, authenticator, receiver)
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard case .object(let members) = try report.content(), members.count <= Self.mostFields,
            let signature = members["sig"]?.scalarText
        else { return false }
        let fields = members.filter { $0.name != "sig" }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let (and, equals, replacement) = (UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "_"))
        var signed: [UInt8] = []
        for field in fields {
            guard let value = field.value.scalarText else { continue }
            signed += [and] + field.name.utf8 + [equals]
            signed += value.utf8.lazy.map { $0 == and || $0 == equals ? replacement : $0 }
        }
        guard try authenticator.isHMACSHA256(signature.asciiLowercased, of: signed, key: Array(secret.utf8))
        else { return false }
        try await receiver.receive(members["text"]?.scalarText, from: members["msisdn"]?.scalarText, in: .digits)
        return true
    }
}

/// What any vendor sends to `/v1/inbound/NAME` for a message from a person.
public struct HTTPInbound: ReportIntake {
    private let sender: JSONPointer
    private let text: JSONPointer
    private let format: InboundReceiver.SenderFormat
    private let proof: HTTPReportProof
    private let receiver: InboundReceiver
    public let reply: String?
    public var signatureHeader: String? { proof.header }
    public var acceptsToken: Bool { proof.kind == .token }

    /// The pointers are to the sender's number and the text, in JSON or among a form's or a query's fields (`/from`).
    public init(
        sender: JSONPointer,
        text: JSONPointer,
        format: InboundReceiver.SenderFormat,
        proof: HTTPReportProof,
        reply: String? = nil,
        receiver: InboundReceiver
    ) {
        (self.sender, self.text, self.format, self.proof) = (sender, text, format, proof)
        (self.reply, self.receiver) = (reply, receiver)
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try proof.isGenuine(report) else { return false }
        let content = try report.content()
        let (text, sender) = (text.value(in: content)?.scalarText, sender.value(in: content)?.scalarText)
        try await receiver.receive(text, from: sender, in: format)
        return true
    }
}

extension GatewayReport {
    /// The body as JSON, or else the fields, of which the first of a name counts, while in JSON it is the last one.
    func content() throws(UnreadableReport) -> JSON {
        guard body.isEmpty else {
            guard let content = JSON(received: body) else { throw UnreadableReport("it is no well-formed JSON") }
            return content
        }
        guard fields.contains(where: { $0.name != "token" }) else { throw UnreadableReport("it is empty") }
        return .object(fields.reversed().map { JSON.Member($0.name, .string($0.value)) })
    }
}
