public import PhoneDomain
public import PhoneSignup
import Texts

/// Renders messages.
public protocol MessageRendering: Sendable {
    /// The text with a code.
    ///
    /// - Parameters:
    ///   - language: a text in another is better than none.
    ///   - remaining: how long the code is still valid, more than 0.
    ///   - wording: nil for the standard. Where it is no longer possible, another is better than
    ///     none, and the message has a ``RenderedMessage/fault``.
    /// - Throws: if no text can be rendered; the message then fails.
    func message(
        with code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) throws -> RenderedMessage

    /// The notice of a change of number, with the link to undo it. Language and errors are as for a code.
    func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String
}

public struct RenderedMessage: Sendable, Equatable, ConcealsSecrets {
    /// The text, including the code or secret. Never log it.
    public let body: String
    /// The language of the template that was found for the one asked for.
    let locale: String
    /// Why it does not have the wording that was asked for; nil if it has.
    var fault: MessageWordingError?
    /// The parts of the text, for gateways with a template of their own.
    var variables: MessageVariables?

    var segments: SegmentCount { SegmentCount(of: body) }

    public var description: String {
        "RenderedMessage(locale: \(locale), \(segments.encoding.rawValue), segments: \(segments.segments))"
    }

    public var customMirror: Mirror { Mirror(self, children: ["locale": locale, "segments": segments]) }
}

extension MessageVariables {
    /// What a voice says: a line for each sentence, between which it pauses, with the digits one by one and twice.
    ///
    /// - Returns: the lines and the language that they are in.
    func spoken(in language: LanguageTag) -> (words: String, language: LanguageTag) {
        let texts = Languages.texts(in: language) ?? Languages.english
        let digits = code.map(String.init).joined(separator: ", ") + "."
        let lines = [texts.call.introduction.filled(["service": service]), digits, texts.call.repetition, digits]
        return (lines.joined(separator: "\n"), texts.language)
    }
}

/// Why a notice was not rendered. It does not quote the secret.
public enum MessageRenderError: Error, Sendable, Equatable {
    /// Not 22 characters of base64url.
    case malformedSecret
    case noUndoAddress
}

/// Renders ``MessageTemplates``, and determines which messages they can make, before they are made.
public struct TemplateRenderer: MessageRendering {
    private let texts: MessageTemplates
    private let context: MessageContext

    /// - Parameter context: the one that the templates were loaded with.
    public init(templates: MessageTemplates, context: MessageContext) { (texts, self.context) = (templates, context) }

    public func message(
        with code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> RenderedMessage {
        let minutes = Int(min(max((remaining + .seconds(30)) / .seconds(60), 1), 99))
        var message = texts.render(
            code: code,
            locale: language.description,
            minutes: minutes,
            context: context,
            wording: wording
        )
        let service = wording?.service ?? context.service(in: message.locale).description
        let template = message.fault == nil ? wording?.template ?? .standard : .standard
        message.variables = MessageVariables(code: code.digits, service: service, minutes: minutes, template: template)
        return message
    }

    /// - Throws: ``MessageRenderError``.
    public func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String {
        try texts.render(secret: token.text, locale: language.description, context: context).body
    }
}

extension TemplateRenderer: MessageCatalog {
    public var templates: [MessageTemplateListing] { texts.listings }

    public var builtInLanguages: [LanguageTag] {
        Languages.all.map(\.language).sorted { $0.description < $1.description }
    }

    /// Why no message can be made in this wording, with the longest code and its values; nil if it can. It is measured
    /// without being rendered.
    ///
    /// In a Korean message a value must be of CP949 unless long messages are allowed, since a Korean carrier would not
    /// send it. In any other, a character outside GSM-7 only takes more room.
    public func error(in wording: MessageWording, language: LanguageTag) -> MessageWordingError? {
        if let text = wording.text {
            // Only a code of more digits could outgrow it, and the message would then have the service's wording.
            return texts.fits(text.with(code: "00000000"), in: context) ? nil : .tooLong
        }
        let phrasing: MessagePhrasing
        do throws(MessageWordingError) {
            phrasing = try texts.phrasing(of: wording, locale: language.description, in: context)
        } catch {
            return error
        }
        if !texts.allowsLongMessages, let name = phrasing.unsendableValue { return .valueRefused(name) }
        // Before what is missing: what is too long without a value is so with any.
        if phrasing.excess(allowsLongMessages: texts.allowsLongMessages) != nil { return .tooLong }
        let missing = phrasing.missingValues
        return missing.isEmpty ? nil : .substitutionsMissing(missing)
    }
}
