import PhoneAccounts
import PhoneDomain

/// A text with everything that is filled in besides a code or a secret.
struct MessagePhrasing: Sendable {
    /// The limit where long messages are allowed, in UTF-16 code units: a Korean LMS has room for that many Hangul
    /// syllables (2,000 bytes), and Twilio takes 1,600 characters.
    static let longestUnits = CP949.bytesInLMS / 2

    let template: MessageTemplate
    let context: MessageContext
    /// The values of the template's own variables. A missing one is empty.
    var values: [String: SubstitutionValue] = [:]
    var warns = false

    func body(code: String, minutes: Int) -> String {
        let text = template.text { variable in
            switch variable {
            case .code: code
            case .minutes: String(minutes)
            case .service, .link, .own: value(of: variable)
            }
        }
        return (text + lowerLines(code: code)).joined(separator: "\n")
    }

    func body(link: String) -> String {
        template.text { $0 == .link ? link : value(of: $0) }.joined(separator: "\n")
    }

    var service: ServiceName { context.service(in: template.locale) }

    private func value(of variable: TemplateVariable) -> String {
        switch variable {
        case .service: service.description
        case .own(let name): values[name]?.description ?? ""
        case .code, .minutes, .link: ""
        }
    }

    private func lowerLines(code: String) -> [String] {
        (warns ? [template.warning].compactMap(\.self) : []) + context.autofillLines(code: code)
    }

    var missingValues: [String] { template.ownVariables.filter { values[$0] == nil } }

    /// The first variable (`service`, or one of the template's own) of a Korean message with a character that Korean
    /// carriers lack.
    var unsendableValue: String? {
        guard case .cp949 = template.alphabet else { return nil }
        return template.variables.first { template.alphabet.firstForeign(in: value(of: $0)) != nil }?.name
    }

    /// The error if the longest message does not fit one SMS, or ``longestUnits`` where long messages are allowed.
    func excess(allowsLongMessages: Bool) -> MessageTemplateError.Problem? {
        let length = longestLength
        // Android ignores a longer message, and the app would wait in vain, whatever the price.
        if context.androidAppHash != nil, template.kind == .verification,
            let problem = Self.excess(
                length.bytes,
                limit: AndroidAppHash.bytesInMessage,
                unit: "bytes, with an Android app hash"
            )
        {
            return problem
        }
        if allowsLongMessages {
            return Self.excess(length.units, limit: Self.longestUnits, unit: "UTF-16 units")
        }
        let excessInCP949 = length.cp949Bytes.flatMap {
            Self.excess($0, limit: CP949.bytesInSMS, unit: "bytes of CP949")
        }
        if case .cp949 = template.alphabet, length.cp949Bytes != nil { return excessInCP949 }
        if context.isCountedInCP949, let excessInCP949 { return excessInCP949 }
        let encoding: SMSEncoding = length.septets == nil ? .ucs2 : .gsm7
        return Self.excess(
            length.septets ?? length.units,
            limit: encoding.unitsInSingle,
            unit: "units of \(encoding.rawValue)"
        )
    }

    private static func excess(
        _ length: Int,
        limit: Int,
        unit: @autoclosure () -> String
    ) -> MessageTemplateError.Problem? {
        length <= limit ? nil : "may come to \(length) \(unit()), and the limit is \(limit)"
    }

    /// The length with the longest code, minutes and link.
    private var longestLength: TextLength {
        switch template.kind {
        case .verification:
            return TextLength(of: body(code: String(repeating: "0", count: context.longestCode), minutes: 99))
        // All secrets have one length, and only characters of one unit each. Without an address no notice is sent.
        case .numberChange:
            let secret = String(repeating: "0", count: UndoTokens.length)
            return TextLength(of: body(link: context.undoAddress?.link(secret) ?? ""))
        }
    }
}

extension MessageTemplate {
    /// Makes sure that every message from this template in this context fits one SMS. Its own variables count as
    /// empty: each message is measured with their values (``TemplateRenderer``).
    ///
    /// - Throws: the first character outside the language's alphabet, or the length.
    func checkLength(in context: MessageContext, allowsLongMessages: Bool) throws(MessageTemplateError) {
        if !allowsLongMessages { try checkCharacters(service: context.service(in: locale)) }
        let phrasing = MessagePhrasing(template: self, context: context)
        if let problem = phrasing.excess(allowsLongMessages: allowsLongMessages) {
            throw MessageTemplateError(file: file, problem: problem)
        }
    }

    private func checkCharacters(service: ServiceName) throws(MessageTemplateError) {
        for (index, line) in lines.enumerated() {
            for part in line.parts {
                let problem: MessageTemplateError.Problem? =
                    switch part {
                    case .literal(let text):
                        alphabet.firstForeign(in: text).map {
                            "\(alphabet.rawValue) lacks \($0.nameInError); replace it, or allow long messages"
                        }
                    case .variable(.service):
                        alphabet.firstForeign(in: service.description).map {
                            """
                            \(alphabet.rawValue) lacks \($0.nameInError) of the service's name; give the service a name for this \
                            language, write one in place of {{service}}, or allow long messages
                            """
                        }
                    case .variable: nil
                    }
                if let problem { throw MessageTemplateError(file: file, line: index + 1, problem: problem) }
            }
        }
    }
}

extension MessageTemplates {
    /// The phrasing of a wording. Missing values and the length are not checked.
    func phrasing(
        of wording: MessageWording,
        locale: String?,
        in context: MessageContext
    ) throws(MessageWordingError) -> MessagePhrasing {
        guard let set = sets[wording.template ?? .standard] else { throw .templateUnknown }
        guard let template = set.template(for: locale) else { throw .translationMissing }
        var phrasing = MessagePhrasing(template: template, context: try context.worded(as: wording))
        phrasing.warns = wording.warnsAgainstSharing
        for (name, value) in wording.substitutions.sorted(by: { $0.key < $1.key }) {
            guard TemplateVariable(own: name) != nil, let value = SubstitutionValue(value) else {
                throw .valueRefused(name)
            }
            phrasing.values[name] = value
        }
        return phrasing
    }
}

extension MessageContext {
    /// The context with a wording's own service name, which is the same in every language, and app.
    func worded(as wording: MessageWording) throws(MessageWordingError) -> MessageContext {
        var context = self
        if let name = wording.service {
            guard let name = ServiceName(name) else { throw .valueRefused("service") }
            (context.service, context.localNames) = (name, [:])
        }
        if let hash = wording.appHash {
            guard let hash = AndroidAppHash(hash) else { throw .valueRefused("app_hash") }
            context.androidAppHash = hash
        }
        return context
    }
}
