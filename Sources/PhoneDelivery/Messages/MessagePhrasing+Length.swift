import PhoneDomain

extension MessagePhrasing {
    /// What a message may come to where long ones are allowed, in UTF-16 code units: a Korean LMS holds that many Hangul
    /// syllables (2,000 bytes), and Twilio takes 1,600 characters.
    static let longestUnits = CP949.bytesInLMS / 2

    private static let longestMinutes = "99"
    /// All secrets have one length, and only characters of one unit each.
    private static let secret = String(repeating: "0", count: UndoTokens.length)

    /// By how much the longest message is too long; nil if it costs one SMS, or is within ``longestUnits`` where long messages
    /// are allowed.
    func excess(allowsLongMessages: Bool) -> MessageTemplateError.Problem? {
        let length = length(
            code: String(repeating: "0", count: context.longestCode),
            minutes: Self.longestMinutes,
            // No notice goes out where there is no address, so none is too long.
            link: context.undoAddress?.link(Self.secret) ?? ""
        )
        // Android ignores a longer message, and the app would wait in vain: no cost makes up for that.
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
        if case .cp949 = template.alphabet, let bytes = length.cp949Bytes {
            return Self.excess(bytes, limit: CP949.bytesInSMS, unit: "bytes of CP949")
        }
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
        length <= limit ? nil : .tooLong(length, limit: limit, unit: unit())
    }
}

extension MessageTemplate {
    /// Makes sure that whatever is rendered from this template in this context costs one SMS. Its own variables are taken for
    /// empty: each message is measured with their values (``TemplateCatalog``).
    ///
    /// - Parameters:
    ///   - context: what the messages will bear besides their code or their secret.
    ///   - allowsLongMessages: whether they may cost more, up to ``MessagePhrasing/longestUnits``.
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
            for part in line {
                let problem: MessageTemplateError.Problem? =
                    switch part {
                    case .literal(let text):
                        alphabet.firstForeign(in: text).map { .foreignCharacter($0, alphabet: alphabet.name) }
                    case .variable(.service):
                        alphabet.firstForeign(in: service.description)
                            .map { .foreignCharacterInServiceName($0, alphabet: alphabet.name) }
                    case .variable:
                        nil
                    }
                if let problem { throw MessageTemplateError(file: file, line: index + 1, problem: problem) }
            }
        }
    }
}
