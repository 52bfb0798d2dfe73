import PhoneDomain

extension MessageTemplate {
    /// What a message may come to where long ones are allowed, in UTF-16 code units: a Korean LMS holds that many Hangul
    /// syllables (2,000 bytes), and Twilio takes 1,600 characters.
    static let longestUnits = CP949.bytesInLMS / 2

    private static let longestCode = "0000000000"
    private static let longestMinutes = 99
    /// All secrets have one length, and only characters of one unit each.
    private static let secret = String(repeating: "0", count: UndoTokens.length)

    /// Makes sure that whatever is rendered from this template in this context costs one SMS.
    ///
    /// - Parameters:
    ///   - context: what the messages will bear besides their code or their secret.
    ///   - allowsLongMessages: whether they may cost more, up to ``longestUnits``.
    /// - Throws: the first character outside the language's alphabet, or the length.
    func checkLength(in context: MessageContext, allowsLongMessages: Bool) throws(MessageTemplateError) {
        let longest = longestBody(in: context)
        // Android ignores a longer message, and the app would wait in vain: no cost makes up for that.
        if context.androidAppHash != nil, kind == .verification {
            try check(longest.utf8.count, limit: AndroidAppHash.bytesInMessage, unit: "bytes, with an Android app hash")
        }
        if allowsLongMessages {
            try check(longest.utf16.count, limit: Self.longestUnits, unit: "UTF-16 units")
            return
        }

        let alphabet = MessageAlphabet(locale: locale)
        try checkCharacters(of: alphabet, service: context.service(in: locale))
        if case .cp949 = alphabet, let bytes = CP949.byteCount(of: longest) {
            try check(bytes, limit: CP949.bytesInSMS, unit: "bytes of CP949")
        } else {
            let count = SegmentCount(of: longest)
            try check(count.units, limit: count.encoding.unitsInSingle, unit: "units of \(count.encoding.rawValue)")
        }
    }

    private func longestBody(in context: MessageContext) -> String {
        switch kind {
        case .verification: body(code: Self.longestCode, minutes: Self.longestMinutes, in: context)
        case .numberChange:
            // No message goes out where there is no address, so none is too long.
            body(link: context.undoAddress?.link(Self.secret) ?? "", in: context)
        }
    }

    private func check(_ length: Int, limit: Int, unit: String) throws(MessageTemplateError) {
        guard length <= limit else {
            throw MessageTemplateError(file: file, problem: .tooLong(length, limit: limit, unit: unit))
        }
    }

    private func checkCharacters(of alphabet: MessageAlphabet, service: ServiceName) throws(MessageTemplateError) {
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
