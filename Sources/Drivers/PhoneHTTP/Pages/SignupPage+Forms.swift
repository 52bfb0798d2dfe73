import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// The fields, buttons and forms of the pages.
extension SignupPage {
    /// Says which browser a form is of, and which number: another tab of the browser may be about another one.
    var token: HTML {
        let number: PhoneNumber? =
            switch content {
            case .code(let verification, _, _), .inbound(let verification, _, _): verification.phoneNumber
            case .codeExpired(let number), .sendingFailed(let number, _), .dormant(let number, _): number
            default: nil
            }
        let field = number.map { "<input type=\"hidden\" name=\"phone_text\" value=\"\($0.e164)\">" as HTML }
        return "<input type=\"hidden\" name=\"form_token\" value=\"\(formToken)\">\(field)"
    }

    /// The script of what only it can do.
    var keyScript: HTML? {
        switch content {
        case .phone, .code, .key: key?.script
        default: nil
        }
    }

    /// Signs in by a key; the script shows it.
    var keyForm: HTML? {
        key.map { key in
            let alert: HTML = "<p class=\"note alert\" role=\"alert\">\(key.refusal(in: texts))</p>\n"
            return """
                \(alert, if: refusesKey)<form method="post" id="key" hidden>
                \(token)<input type="hidden" name="action" value="key">
                \(key.signInFields(in: texts))
                </form>

                """
        }
    }

    var announcement: HTML { "<p class=\"hidden\" id=\"announcement\" role=\"status\"></p>" }

    /// What the script says of a field with nothing in it.
    func missing(_ failure: PhoneFailure) -> String { texts.explanation(of: failure, at: now) }

    /// What a button reads while the response is awaited.
    func busy(_ text: String) -> HTML { "data-busy=\"\(text.prefix(1).uppercased() + text.dropFirst())\"" }

    /// What works during a lock: another number, if the lock is on this one. The script counts down, and offers to try
    /// again when that can succeed.
    func retry(after failure: PhoneFailure) -> HTML {
        let seconds = failure.retryAt.map { self.seconds(until: $0) } ?? 0
        let (isOfNumber, wait) = (failure.isOfNumber, texts.pages.retryWait)
        return """
            <p id="wait">\(texts.explanation(of: failure, at: now))</p>
            <a class="button\(" plain", if: !isOfNumber)" href="\(changeLocation)">\(texts.pages.anotherNumber)</a>
            <div id="retry" data-seconds="\(seconds)" data-wait="\(wait)" data-ready="">
            <a class="button\(" plain", if: isOfNumber)" href="\(location)" hidden>\(texts.pages.tryAgain)</a>
            </div>
            \(announcement)
            """
    }

    var shownCaptcha: Captcha? {
        if case .challenge(let challenge, _) = content, captcha != nil { challenge.captcha } else { nil }
    }

    /// The script sends it as soon as it has solved the challenge. Without one the button appears when the ticket's
    /// time has come (``waitStyle``).
    func challengeForm(_ challenge: Challenge, _ fields: [(name: String, value: String)]) -> HTML {
        let hidden = fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" as HTML }
        let acceptsWork = challenge.captcha.map { $0.outage == .proofOfWork } ?? true
        let waiting = challenge.ticket.map { ticket in
            let parts = texts.pages.challengeWait.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
            return "\(parts[0])<span class=\"left\">\(seconds(until: ticket.startsAt))</span>\(parts.last ?? "")"
                as HTML
        }
        return """
            <p>\(shownCaptcha == nil ? texts.pages.challengeIntroduction : texts.pages.captchaIntroduction)</p>
            <form method="post" id="challenge" data-work="\(acceptsWork ? challenge.work.json(at: now).text : "")">
            \(shownCaptcha.flatMap { captcha?.html(of: $0, in: texts.language, nonce: nonce) })
            \(token)\(hidden.joined())<input type="hidden" name="proof" value="\(challenge.ticket?.text ?? "")">
            <p class="note" id="progress" role="status" data-busy="\(texts.pages.challengeBusy)"></p>
            <noscript><p>\(waiting ?? "\(texts.pages.challengeNeedsScript)")</p></noscript>
            \("<button class=\"later\">\(texts.pages.sendCode)</button>\n", if: challenge.ticket != nil)</form>
            <p><a href="\(changeLocation)">\(texts.pages.changeNumber)</a></p>
            """
    }

    var waitStyle: HTML? {
        guard case .challenge(let challenge, _) = content, let ticket = challenge.ticket else { return nil }
        let seconds = seconds(until: ticket.startsAt)
        // Browsers that cannot count show the number of the beginning.
        return """
            .later { animation: later 0s \(seconds)s both }
            @keyframes later { from { visibility: hidden } to { visibility: visible } }
            @property --left { syntax: "<integer>"; inherits: false; initial-value: 0 }
            @supports (counter-reset: left var(--left)) {
              .left { animation: left \(seconds)s steps(\(max(1, seconds))) both; counter-reset: left var(--left); font-size: 0 }
              .left::after { content: counter(left); font-size: 1rem } }
            @keyframes left { from { --left: \(seconds) } to { --left: 0 } }

            """
    }

    /// What the person sends, and where to; the link opens a message with both in it.
    func instruction(_ instruction: InboundInstruction) -> HTML {
        let link = "sms:\(instruction.recipient)?body=\(instruction.text.percentEncoded)"
        return """
            <dl class="instruction">
            <dt>\(texts.pages.inboundRecipient)</dt><dd dir="ltr">\((try? PhoneNumber(e164: instruction.recipient))?.internationalFormat ?? instruction.recipient)</dd>
            <dt>\(texts.pages.inboundText)</dt><dd dir="ltr">\(instruction.text)</dd>
            </dl>
            <a class="button" href="\(link)">\(texts.pages.inboundOpen)</a>
            """
    }

    func otherChannels(_ channels: [Channel]) -> HTML? {
        guard !channels.isEmpty else { return nil }
        return """
            <form method="post">
            \(token)<input type="hidden" name="action" value="resend">
            \(others(channels))</form>
            """
    }

    func others(_ channels: [Channel]) -> HTML {
        "\("<div class=\"others\">\(channels.map(button).joined())</div>\n", if: !channels.isEmpty)"
    }

    func newCodeForm(_ introduction: HTML, others channels: [Channel] = []) -> HTML {
        """
        <p>\(introduction)
        <a href="\(changeLocation)">\(texts.pages.changeNumber)</a></p>
        <form method="post">
        \(token)<input type="hidden" name="action" value="resend">
        <button \(busy(texts.pages.sending))>\(texts.pages.newCode)</button>
        \(others(channels))</form>
        \(announcement)
        """
    }

    func choice(of region: Region, in countries: [Country]) -> HTML {
        let order = Dictionary(texts.regions.enumerated().map { ($1.region, $0) }) { first, _ in first }
        let sorted = countries.sorted { (order[$0.region] ?? .max) < (order[$1.region] ?? .max) }
        let options = sorted.map { country -> HTML in
            let (code, name) = ("+" + country.callingCode, texts.name(of: country.region))
            // A mark (U+200E) keeps the plus sign before its digits.
            let mark = texts.language.isRightToLeft ? "\u{200E}" : ""
            return
                "<option value=\"\(country.region.description)\" data-code=\"\(code)\" data-name=\"\(name)\"\(" selected", if: country.region == region)>\(name) \(mark)\(code)</option>"
        }
        return """
            <label for="region">\(texts.pages.countryLabel)</label>
            <select id="region" name="region" autocomplete="country" data-search="\(texts.pages.countrySearch)" data-none="\(texts.pages.countryNone)">
            \(options.joined(separator: "\n"))
            </select>

            """
    }

    /// - Parameter length: that of the code, if it is sent off as soon as it is complete.
    func codeField(_ length: Int?) -> HTML {
        let known: HTML? = length.map { "data-length=\"\($0)\"" }
        let request = length.map { missing(.malformedCode(length: $0)) } ?? texts.pages.codeHeading
        return """
            <label for="code">\(texts.pages.codeLabel)</label>
            <div class="code"><input id="code" name="code_text" inputmode="numeric" autocomplete="one-time-code" \(known) data-missing="\(request)" required autofocus dir="ltr" \(fieldState)></div>
            \(note)
            """
    }

    /// A sentence with a number, which stands for `{{number}}`.
    func whole(_ number: PhoneNumber, in sentence: String) -> HTML {
        HTML(sentence, with: number.nationalFormat)
    }

    /// What would not succeed is not offered.
    func resendForm(_ verification: Verification, others: [Channel]) -> HTML {
        let line =
            (isOfResend ? alert : nil)
            ?? "<p class=\"small\" id=\"wait\"\(" data-resent", if: isResent)>\(resendLine(verification))</p>"
        if verification.sendsLeft == 0 { return line }
        return """
            <form method="post" id="resend" data-seconds="\(seconds(until: verification.nextSendAt))" data-wait="\(texts.pages.resendWait)" data-ready="\(texts.pages.resendReady)">
            \(token)<input type="hidden" name="action" value="resend">
            \(line)
            <button class="plain" \(busy(texts.pages.sending))>\(texts.pages.resendCode)</button>
            \(self.others(others.filter { $0 != .inbound }))</form>
            \(otherChannels(others.filter { $0 == .inbound }))
            """
    }

    /// Sends the same code by another channel.
    func button(by channel: Channel) -> HTML {
        "<button name=\"channel\" value=\"\(channel.rawValue)\" \(busy(texts.pages.sending))>\(texts.send(by: channel))</button>"
    }

    private func seconds(until moment: Timestamp) -> Int { max(0, Int((moment - now).wholeSecondsRoundedUp)) }

    private func resendLine(_ verification: Verification) -> String {
        if verification.sendsLeft == 0 { return texts.pages.noSendsLeft }
        return isResent ? texts.pages.resent : texts.pages.resendReady
    }
}

extension PhoneFailure {
    /// Whether another number may work at once.
    fileprivate var isOfNumber: Bool {
        switch self {
        case .rateLimited(let policies, _): policies.allSatisfy { $0.name.contains("number-") }
        default: true
        }
    }
}
