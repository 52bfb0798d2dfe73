public import PhoneDomain

/// The texts of messages, one of each kind for each locale, checked when they are loaded so that none fails when it is sent.
///
/// Texts are compiled in for `en` and `ko`. A directory may replace them and add others:
///
/// ```
/// messages/ko/verification.txt      [{{service}}] 인증번호 {{code}} (타인 노출 금지)
/// messages/pt-BR/verification.txt   {{code}} é o seu código {{service}}. Expira em {{minutes}} min.
/// messages/pt-BR/number-changed.txt O número da sua conta {{service}} mudou. Não foi você? {{link}}
/// ```
///
/// A file is plain UTF-8 text, of one or more lines. In `verification.txt`, `{{code}}` must occur; `{{service}}` is the name of
/// the service and `{{minutes}}` how long the code is valid from when the message was queued. Put the code early, where a notification shows it. In
/// `number-changed.txt`, which goes to the number that an account had before, `{{link}}` must occur, and `{{service}}` may; put
/// the link last, since not every phone can tell where it ends. There are no other variables, no escapes and no comments.
/// Below the text of a code follow the lines for autofill, if the ``MessageContext`` asks for them. A directory of a locale
/// may have one file alone; the other text is then that of the next best locale. A whole message has to fit one SMS: in
/// Korean 90 bytes of CP949, in English 160 units of GSM-7, in any other language 160 units of GSM-7 or 70 of UCS-2. Names
/// that begin with a dot are passed over.
///
/// Beside the folders of locales there may be one of named sets, for those who ask for other words than the rest
/// (``PhoneDomain/MessageWording/template``):
///
/// ```
/// messages/templates/order/en/verification.txt   {{code}} confirms your order {{order}} with {{service}}.
/// messages/templates/order/ko/verification.txt   [{{service}}] 주문 {{order}} 인증번호 {{code}} (타인 노출 금지)
/// ```
///
/// The name is 1 to 16 lower-case letters, digits and hyphens, other than `default`, which means the texts beside it. A set has
/// texts for codes alone, and they may have variables of their own, named by 1 to 20 lower-case letters, digits and underscores,
/// whose values come with each request (``PhoneDomain/MessageWording/substitutions``). Of the set the text is taken that is of
/// the very locale asked for, else of its language, else of the default locale. If there is none a request is refused
/// (``TemplateCatalog``), and a message that was asked for while there was one gets the text of the service's own set. In every
/// text for codes `{{friendly_name}}` is another name of `{{service}}`.
public struct MessageTemplates: Sendable {
    /// Every set of texts for codes, the service's own first and the others by their names.
    public let listings: [MessageTemplateListing]
    /// Whether a message may cost more than one SMS.
    let allowsLongMessages: Bool
    private let verifications: LocalizedTemplates
    private let defaultVerification: MessageTemplate
    private let sets: [TemplateName: TemplateSet]
    private let notices: LocalizedTemplates
    private let defaultNotice: MessageTemplate

    /// Loads and checks the texts.
    ///
    /// - Parameters:
    ///   - directory: a path with a directory for each locale; `nil` for the built-in texts alone.
    ///   - context: what the messages will contain. The length is checked with it, its longest code and two digits of
    ///     minutes. That of a built-in notice is not: where address and name are long it costs more than one SMS, which is
    ///     better than a service that does not start, or somebody who is not told.
    ///   - defaultLocale: the locale for those who ask for none, or for one that has no text. It must have the text of a code;
    ///     if it has no notice, English ones stand in.
    ///   - allowsLongMessages: whether a message may cost more than one SMS, be it by its length or by a character outside
    ///     its alphabet; 1,000 UTF-16 code units are the most even then, and 140 bytes with an Android app hash.
    /// - Throws: the first problem found, in the order of file names.
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
        let (ownNotices, ownVerifications) = (
            own.filter { $0.kind == .numberChange }, own.filter { $0.kind == .verification }
        )
        verifications = LocalizedTemplates(ownVerifications + (try MessageTemplate.builtIn(.verification)))
        notices = LocalizedTemplates(ownNotices + (try MessageTemplate.builtIn(.numberChange)))
        let checked = verifications.all + ownNotices + named.flatMap(\.texts.all)
        for template in checked.sorted(by: { $0.file < $1.file }) {
            try template.checkLength(in: context, allowsLongMessages: allowsLongMessages)
        }
        guard let defaultVerification = verifications[defaultLocale],
            let defaultNotice = notices.nearest(to: defaultLocale) ?? notices["en"]
        else { throw MessageTemplateError(file: directory ?? "built-in", problem: .noDefault(locale: defaultLocale)) }
        self.defaultVerification = defaultVerification
        self.defaultNotice = defaultNotice
        self.allowsLongMessages = allowsLongMessages
        let standard = TemplateSet(name: .standard, texts: verifications, fallback: defaultVerification)
        let all = [standard] + named.sorted { $0.name.description < $1.name.description }
        sets = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        listings = all.map(\.listing)
    }

    /// The set of this name.
    func set(_ name: TemplateName) -> TemplateSet? { sets[name] }

    /// The locales that have a text of their own for codes, in alphabetical order.
    public var locales: [String] {
        verifications.all.map(\.locale).sorted()
    }

    /// The locales whose notices cost more than one SMS, or cannot be written in the alphabet of their language.
    ///
    /// - Parameter context: what the messages will bear.
    public func longNotices(in context: MessageContext) -> [String] {
        notices.all.compactMap { template in
            do throws(MessageTemplateError) {
                try template.checkLength(in: context, allowsLongMessages: false)
                return nil
            } catch {
                return template.locale
            }
        }
    }

    /// The named sets that have no text in the default language, so that who asks for one they lack is refused; in
    /// alphabetical order.
    public var setsWithoutDefault: [TemplateName] {
        listings.filter { !$0.translations.contains(where: \.isDefault) }.map(\.name)
    }

    /// The variables that a set has of its own, in whichever language, in alphabetical order.
    public func ownVariables(of name: TemplateName) -> [String] {
        Set((sets[name]?.texts.all ?? []).flatMap(\.ownVariables)).sorted()
    }

    /// The locale of the text that somebody gets who asks for this one.
    func locale(nearest locale: String?) -> String {
        (locale.flatMap(verifications.nearest) ?? defaultVerification).locale
    }

    /// Fills in the text of a locale.
    ///
    /// - Parameters:
    ///   - code: 4 to 10 ASCII digits.
    ///   - locale: a language tag; without a text for `ko-KR` that for `ko` is taken, and else the default one. Any
    ///     text may be passed, for it is looked up and never becomes a path.
    ///   - minutes: how long the code holds, 1 to 99.
    ///   - context: what the message bears besides its code. If it is not the one that the texts were loaded with, the
    ///     message may be longer than one SMS; it says so itself.
    ///   - wording: what is otherwise in this message; nil for nothing. One that cannot be had, since its set or its text is
    ///     gone or wants other values now, gives way to the service's own set, for the code matters more; the message says
    ///     so itself (``RenderedMessage/fault``).
    /// - Returns: the message, with its cost.
    /// - Throws: an error if the code or the minutes are none; never for the locale, the context or the wording.
    public func render(
        code: String,
        locale: String?,
        minutes: Int,
        context: MessageContext,
        wording: MessageWording? = nil
    ) throws(MessageRenderError) -> RenderedMessage {
        guard 4...10 ~= code.utf8.count, code.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw .malformedCode
        }
        guard 1...99 ~= minutes else { throw .minutesOutOfRange(minutes) }
        let (phrasing, fault) = nearestPhrasing(to: wording, locale: locale, in: context)
        return RenderedMessage(
            body: phrasing.body(code: code, minutes: minutes),
            locale: phrasing.template.locale,
            fault: fault
        )
    }

    /// Fills in the text of a notice that a number was changed.
    ///
    /// - Parameters:
    ///   - secret: what undoes the change: 22 characters of base64url.
    ///   - locale: a language tag, as for the text of a code.
    ///   - context: what the message bears besides its link. If it is not the one that the texts were loaded with, the
    ///     message may be longer than one SMS; it says so itself.
    /// - Returns: the message, with its cost.
    /// - Throws: an error if the secret is none, or the context has no address for it; never for the locale.
    public func render(
        secret: String,
        locale: String?,
        context: MessageContext
    ) throws(MessageRenderError) -> RenderedMessage {
        guard secret.utf8.count == UndoTokens.length, secret.utf8.allSatisfy(Self.isBase64URL) else {
            throw .malformedSecret
        }
        guard let link = context.undoAddress?.link(secret) else { throw .noUndoAddress }
        let template = locale.flatMap(notices.nearest) ?? defaultNotice
        let phrasing = MessagePhrasing(template: template, context: context)
        return RenderedMessage(body: phrasing.body(link: link), locale: template.locale)
    }

    private func nearestPhrasing(
        to wording: MessageWording?,
        locale: String?,
        in context: MessageContext
    ) -> (MessagePhrasing, MessageWordingFault?) {
        let template = locale.flatMap(verifications.nearest) ?? defaultVerification
        guard let wording else { return (MessagePhrasing(template: template, context: context), nil) }
        do throws(MessageWordingFault) {
            let phrasing = try phrasing(of: wording, locale: locale, in: context)
            let missing = phrasing.missingValues
            if !missing.isEmpty { throw .substitutionsMissing(missing) }
            return (phrasing, nil)
        } catch {
            let context = (try? context.worded(as: wording)) ?? context
            return (MessagePhrasing(template: template, context: context, warns: wording.warnsAgainstSharing), error)
        }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
