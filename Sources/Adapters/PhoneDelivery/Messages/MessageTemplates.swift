import PhoneAccounts
public import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// The texts of messages, one of each kind for each locale, checked when they are loaded so that none fails when it is
/// sent.
///
/// Texts are compiled in (`Languages.builtIn`). A directory may replace them and add others:
///
/// ```
/// messages/ko/verification.txt      [{{service}}] 인증번호 {{code}} (타인 노출 금지)
/// messages/pt-BR/verification.txt   {{code}} é o seu código {{service}}. Expira em {{minutes}} min.
/// messages/pt-BR/number-changed.txt O número da sua conta {{service}} mudou. Não foi você? {{link}}
/// ```
///
/// A file is plain UTF-8 text, of one or more lines. In `verification.txt`, `{{code}}` must occur; `{{service}}` is the
/// name of the service and `{{minutes}}` how long the code is valid from when the message was queued. Put the code
/// early, where a notification shows it. In `number-changed.txt`, which goes to the number that an account had before,
/// `{{link}}` must occur, and `{{service}}` may; put the link last, since not every phone recognizes where it ends.
/// There are no other variables, no escapes and no comments. Below the text of a code follow the lines for autofill, if
/// the ``MessageContext`` has any. A directory of a locale may have one file alone; the other text is then that of the
/// next best locale. A whole message has to fit one SMS: in Korean 90 bytes of CP949, in English 160 units of GSM-7, in
/// any other language 160 units of GSM-7 or 70 of UCS-2. Names that begin with a dot are ignored.
///
/// Beside the directories of locales there may be one of named sets, for callers that ask for another wording
/// (``PhoneDomain/MessageWording/template``):
///
/// ```
/// messages/templates/order/en/verification.txt   {{code}} confirms your order {{order}} with {{service}}.
/// messages/templates/order/ko/verification.txt   [{{service}}] 주문 {{order}} 인증번호 {{code}} (타인 노출 금지)
/// ```
///
/// The name is 1 to 16 lower-case letters, digits and hyphens, other than `default`, which means the texts beside it. A
/// set has texts for codes alone, and they may have variables of their own, named by 1 to 20 lower-case letters, digits
/// and underscores, whose values come with each request (``PhoneDomain/MessageWording/substitutions``). The set's text
/// is that of the very locale asked for, else of its language, else of the default locale. Without one a request is
/// refused (``TemplateRenderer``), and a message that was queued while there was one gets the text of the service's own
/// set. In every text for codes `{{friendly_name}}` is another name of `{{service}}`.
public struct MessageTemplates: Sendable {
    /// Every set of texts for codes, the service's own first and the others by their names.
    public let listings: [MessageTemplateListing]
    let allowsLongMessages: Bool
    /// The languages whose built-in text for codes is too long with this name and these lines for autofill, so that the
    /// default one is sent instead; never the default language.
    public let leftOut: [String]
    private let verifications: LocalizedTemplates
    private let defaultVerification: MessageTemplate
    let sets: [TemplateName: TemplateSet]
    private let notices: LocalizedTemplates
    private let defaultNotice: MessageTemplate

    /// - Parameters:
    ///   - directory: a path with a directory for each locale; `nil` for the built-in texts alone.
    ///   - context: the length is checked with it, its longest code and two digits of minutes. That of a built-in
    ///     notice is not: with a long address and name it takes more than one SMS, which is better than a service that
    ///     does not start, or a person who is not notified.
    ///   - defaultLocale: for requests without one, or with one that has no text. It must have the text of a code;
    ///     if it has no notice, the English one is used.
    ///   - allowsLongMessages: whether a message may take more than one SMS, by its length or by a character outside
    ///     its alphabet; the limit is then 1,000 UTF-16 code units, and 140 bytes with an Android app hash.
    /// - Throws: the first problem, in the order of file names.
    public init(
        directory: String? = nil,
        context: MessageContext,
        defaultLocale: String = "en",
        allowsLongMessages: Bool = false
    ) throws(MessageTemplateError) {
        var own: [MessageTemplate] = []
        var named: [TemplateSet] = []
        if let directory {
            own = try MessageTemplate.load(directory)
            named = try TemplateSet.load(directory, defaultLocale: defaultLocale)
        }
        let ownNotices = own.filter { $0.kind == .numberChange }
        let ownVerifications = own.filter { $0.kind == .verification }
        // A language that nobody asked for must not keep a service from starting.
        let fits = { (template: MessageTemplate) in
            template.locale == defaultLocale
                || (try? template.checkLength(in: context, allowsLongMessages: allowsLongMessages)) != nil
        }
        let builtIn = try MessageTemplate.builtIn(.verification)
        leftOut = builtIn.filter { !fits($0) }.map(\.locale)
        verifications = LocalizedTemplates(ownVerifications + builtIn.filter(fits))
        notices = LocalizedTemplates(ownNotices + (try MessageTemplate.builtIn(.numberChange)))
        let checked = verifications.all + ownNotices + named.flatMap(\.texts.all)
        for template in checked.sorted(by: { $0.file < $1.file }) {
            try template.checkLength(in: context, allowsLongMessages: allowsLongMessages)
        }
        guard let defaultVerification = verifications[defaultLocale],
            let defaultNotice = notices.nearest(to: defaultLocale) ?? notices["en"]
        else {
            let problem = "there is no message for the default locale \(defaultLocale)"
            throw MessageTemplateError(file: directory ?? "built-in", problem)
        }
        (self.defaultVerification, self.defaultNotice) = (defaultVerification, defaultNotice)
        self.allowsLongMessages = allowsLongMessages
        let standard = TemplateSet(name: .standard, texts: verifications, fallback: defaultVerification)
        let all = [standard] + named.sorted { $0.name.description < $1.name.description }
        sets = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        listings = all.map(\.listing)
    }

    /// The locales with a text of their own for codes, in alphabetical order.
    public var locales: [String] { verifications.all.map(\.locale).sorted() }

    /// The locales whose notices take more than one SMS, or have a character outside the alphabet of their language: of
    /// those that the operator wrote, and the default one.
    public func longNotices(in context: MessageContext) -> [String] {
        notices.all.compactMap { template in
            if template.file.hasPrefix("built-in/"), template.locale != defaultVerification.locale { return nil }
            do throws(MessageTemplateError) {
                try template.checkLength(in: context, allowsLongMessages: false)
                return nil
            } catch {
                return template.locale
            }
        }
    }

    /// The named sets without a text in the default language, so that a request in a language that they lack is
    /// refused; in alphabetical order.
    public var setsWithoutDefault: [TemplateName] {
        listings.filter { !$0.translations.contains(where: \.isDefault) }.map(\.name)
    }

    /// A set's own variables in all languages, in alphabetical order.
    public func ownVariables(of name: TemplateName) -> [String] {
        Set((sets[name]?.texts.all ?? []).flatMap(\.ownVariables)).sorted()
    }

    /// Renders a message with a code.
    ///
    /// - Parameters:
    ///   - minutes: how long the code is valid, 1 to 99.
    ///   - locale: a language tag; without a text for `ko-KR` that for `ko` is used, and else the default one. Any
    ///     text is safe, for it is looked up and never becomes a path.
    ///   - context: if it is not the one that the texts were loaded with, the message may take more than one SMS.
    ///   - wording: nil for the standard. One that is not possible, since its set or its text is gone or needs other
    ///     values now, is replaced by the service's own set, for the code matters more; the message then has a
    ///     ``RenderedMessage/fault``.
    func render(
        code: VerificationCode,
        locale: String?,
        minutes: Int,
        context: MessageContext,
        wording: MessageWording? = nil
    ) -> RenderedMessage {
        if let text = wording?.text {
            let body = text.with(code: code.digits)
            let locale = locale ?? defaultVerification.locale
            if fits(body, in: context) { return RenderedMessage(body: body, locale: locale) }
        }
        let (phrasing, fault) = nearestPhrasing(to: wording, locale: locale, in: context)
        return RenderedMessage(
            body: phrasing.body(code: code.digits, minutes: minutes),
            locale: phrasing.template.locale,
            fault: fault
        )
    }

    /// Renders the notice that a number was changed.
    ///
    /// - Parameter secret: 22 characters of base64url.
    /// - Throws: for the secret, or without a URL to undo the change; never for the locale.
    func render(
        secret: String,
        locale: String?,
        context: MessageContext
    ) throws(MessageRenderError) -> RenderedMessage {
        guard secret.utf8.count == UndoTokens.length,
            secret.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_".utf8.contains($0) })
        else { throw .malformedSecret }
        guard let link = context.undoAddress?.link(secret) else { throw .noUndoAddress }
        let template = locale.flatMap(notices.nearest) ?? defaultNotice
        let phrasing = MessagePhrasing(template: template, context: context)
        return RenderedMessage(body: phrasing.body(link: link), locale: template.locale)
    }

    /// Whether a text of a client's own can be sent: as one SMS, unless long messages are allowed. Its language is
    /// unknown, so it is measured in CP949 only where all gateways do that.
    func fits(_ text: String, in context: MessageContext) -> Bool {
        let length = TextLength(of: text)
        if allowsLongMessages { return length.units <= MessagePhrasing.longestUnits }
        if context.isCountedInCP949 { return length.cp949Bytes.map { $0 <= CP949.bytesInSMS } ?? false }
        return length.septets.map { $0 <= SMSEncoding.gsm7.unitsInSingle }
            ?? (length.units <= SMSEncoding.ucs2.unitsInSingle)
    }

    private func nearestPhrasing(
        to wording: MessageWording?,
        locale: String?,
        in context: MessageContext
    ) -> (MessagePhrasing, MessageWordingError?) {
        let template = locale.flatMap(verifications.nearest) ?? defaultVerification
        if wording?.text != nil { return (MessagePhrasing(template: template, context: context), .tooLong) }
        guard let wording else { return (MessagePhrasing(template: template, context: context), nil) }
        do throws(MessageWordingError) {
            let phrasing = try phrasing(of: wording, locale: locale, in: context)
            let missing = phrasing.missingValues
            if !missing.isEmpty { throw .substitutionsMissing(missing) }
            return (phrasing, nil)
        } catch {
            let context = (try? context.worded(as: wording)) ?? context
            return (MessagePhrasing(template: template, context: context, warns: wording.warnsAgainstSharing), error)
        }
    }
}

/// The texts of one kind of message in all languages.
struct LocalizedTemplates: Sendable {
    /// The templates by locale in lower case, for language tags ignore case (RFC 5646 §2.1.1).
    private let templates: [String: MessageTemplate]

    /// - Parameter templates: of several with one locale, the first counts.
    init(_ templates: [MessageTemplate]) {
        self.templates = Dictionary(templates.map { ($0.locale.lowercased(), $0) }) { first, _ in first }
    }

    /// The templates in the order of their files.
    var all: [MessageTemplate] { templates.values.sorted { $0.file < $1.file } }

    subscript(locale: String) -> MessageTemplate? { templates[locale.lowercased()] }

    /// The template of the longest tag that the locale begins with (lookup, RFC 4647 §3.4).
    func nearest(to locale: String) -> MessageTemplate? {
        // Nearly every tag is one of these.
        if let template = templates[locale] { return template }
        // The longest tag that software must support (RFC 5646 §4.4.1). Anything longer is no locale, but could be long
        // enough to make the loop below slow.
        guard locale.utf8.count <= 35 else { return nil }
        let tag = String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
        return longest(of: tag) ?? longest(of: Languages.likely(tag))
    }

    private func longest(of tag: String) -> MessageTemplate? {
        var tag = tag
        while true {
            if let template = templates[tag] { return template }
            guard let hyphen = tag.lastIndex(of: "-") else { return nil }
            tag = String(tag[..<hyphen])
        }
    }
}

/// The texts for codes of one name, one for each language.
struct TemplateSet: Sendable {
    let name: TemplateName
    let texts: LocalizedTemplates
    /// The templates for languages that the set lacks; nil if it lacks the service's own as well.
    let fallback: MessageTemplate?

    func template(for locale: String?) -> MessageTemplate? { locale.flatMap(texts.nearest) ?? fallback }

    var listing: MessageTemplateListing {
        let translations = texts.all.map { template in
            MessageTemplateListing.Translation(
                locale: template.locale,
                text: template.source,
                isDefault: template.locale == fallback?.locale
            )
        }
        return MessageTemplateListing(name: name, translations: translations.sorted { $0.locale < $1.locale })
    }
}
