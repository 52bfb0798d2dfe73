public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// Every text that a person reads, in one language: prompts, error messages, pages and SMS.
///
/// A language is one file that fills the groups, and an entry in ``Languages/builtIn``. No text has a default, so one
/// that is missing does not compile. Texts are plain: pages escape them. They are in a class so that nobody copies some
/// 250 of them.
public final class Texts: Sendable {
    public let language: LanguageTag
    /// The language's name for operators, in English: `Korean`.
    public let englishName: String
    private let makeRegionNames: @Sendable () -> RegionNames
    /// Names of messengers that the language writes in its own way: `카카오톡`.
    let messengers: [Channel: String]

    public let failures: Failures
    public let prompt: Prompt
    public let number: Number
    public let pages: Pages
    public let console: Console
    public let devices: Devices
    public let passkeys: Passkeys
    public let undo: Undo
    public let inbox: Inbox
    public let call: Call
    public let messages: Messages

    /// - Parameter regionNames: made when the first of them is asked for.
    init(
        language: LanguageTag,
        englishName: String,
        regionNames: @autoclosure @escaping @Sendable () -> RegionNames,
        messengers: [Channel: String] = [:],
        failures: Failures,
        prompt: Prompt,
        number: Number,
        pages: Pages,
        console: Console,
        devices: Devices,
        passkeys: Passkeys,
        undo: Undo,
        inbox: Inbox,
        call: Call,
        messages: Messages
    ) {
        (self.language, self.englishName, self.messengers) = (language, englishName, messengers)
        makeRegionNames = regionNames
        (self.failures, self.prompt, self.number, self.pages) = (failures, prompt, number, pages)
        (self.console, self.devices, self.passkeys, self.undo) = (console, devices, passkeys, undo)
        (self.inbox, self.call, self.messages) = (inbox, call, messages)
    }

    var regionNames: RegionNames { makeRegionNames() }
    /// All regions that have a name, in alphabetical order.
    public var regions: [(region: Region, name: String)] { regionNames.all }
    /// The code of a region that has none.
    public func name(of region: Region) -> String { regionNames.name(of: region) }
}

extension String {
    /// The text with values for its variables, such as `{{number}}`; one without a value stays as it is. It is read
    /// once, so what looks like a variable in a value is none.
    public func filled(_ values: KeyValuePairs<String, String>) -> String {
        // An array's slices are searched several times as fast as a string's.
        let text = Array(utf8)
        var (filled, rest) = ("", text[...])
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            let name = text[start...].dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
            var next = start + 1
            var value: String?
            if text[start...].starts(with: "{{".utf8) {
                value = values.first { name.elementsEqual($0.key.utf8) }?.value
            }
            if value != nil { next = min(name.endIndex + 2, text.endIndex) }
            filled += String(decoding: rest[..<start], as: UTF8.self)
            filled += value ?? "{"
            rest = rest[next...]
        }
        return filled + String(decoding: rest, as: UTF8.self)
    }
}

// What depends on more than the language.
extension Texts {
    /// What only a program could do about it is no text for a person.
    public func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func waiting(_ text: String, until moment: Timestamp) -> String {
            text.filled(["wait": self.text(Wait(until: moment, from: now))])
        }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered): offered.isEmpty ? failures.channelUnavailable : failures.channelOther
        case .resendTooSoon(let moment): waiting(failures.resendTooSoon, until: moment)
        case .maxSendsReached(let moment): waiting(failures.tooManyCodes, until: moment)
        case .rateLimited(_, let moment): waiting(failures.rateLimited, until: moment)
        case .challengeRequired: failures.challengeRequired
        case .challengeFailed: failures.challengeFailed
        case .sendDenied: failures.sendDenied
        case .malformedCode(let length): failures.codeMalformed.filled(["length": "\(length)"])
        case .codeIncorrect(let checked) where checked.checksLeft == 0: failures.codeIncorrectLast
        case .codeIncorrect(let checked): counted(Int64(checked.checksLeft), failures.codeIncorrect)
        case .codeExpired: failures.codeExpired
        case .maxChecksReached(let moment): waiting(failures.maxChecksReached, until: moment)
        case .verificationNotFound: failures.codeMissing
        case .signupNotFound: failures.signupExpired
        case .verificationClosed: failures.codeClosed
        case .verificationNotApproved: failures.notApproved
        case .accountDormant: failures.accountDormant
        case .consentRequired: failures.consentRequired
        case .accountSuspended: failures.accountSuspended
        case .numberTaken: failures.numberTaken
        case .numberChangeNotFound: failures.changeGone
        case .invalidMetadata: failures.dataTooBig
        case .notSignedIn, .keyInvalid: failures.notSignedIn
        case .proofTooOld: failures.proofTooOld
        case .unavailable: failures.unavailable
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: failures.numberEmpty
        case .notANumber: failures.numberMalformed
        case .tooLong: failures.numberTooLong
        case .tooShort: failures.numberTooShort
        case .unknownRegion: failures.numberNeedsCountry
        case .unsupportedCallingCode(let code): failures.numberUnsupported.filled(["code": code])
        case .noSuchNumber: failures.numberUnknown
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: failures.kindLegacy
        case .fixedLine: failures.kindLandline
        case .voip: failures.kindVoip
        case .personal: failures.kindPersonal
        case .representative: failures.kindCompany
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            failures.kindOther
        }
    }

    /// Names what is accepted where that is a short list.
    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let country = region.map(name(of:)) ?? ""
        guard (1...5).contains(allowed.count) else {
            return region == nil ? failures.countryRefused : failures.countryRefusedByName.filled(["country": country])
        }
        let forms = region == nil ? failures.countriesAccepted : failures.countriesAcceptedByName
        let countries = allowed.map(name(of:)).joined(separator: failures.countrySeparator)
        return forms.form(for: Int64(allowed.count), in: language).filled(["country": country, "countries": countries])
    }

    /// The question for a code, in the prompt by lines.
    ///
    /// - Parameter channel: by which the code can be sent as well.
    public func codeQuestion(or channel: Channel?) -> String {
        guard let channel else { return prompt.codeQuestion }
        return prompt.codeQuestionOrChannel.filled(["send": send(by: channel)])
    }

    /// What the prompt says when a code is on its way.
    ///
    /// - Parameter channel: nil if it is not known.
    public func sent(to maskedNumber: String, by channel: Channel?) -> String {
        let text =
            switch channel {
            case .call: prompt.sentByCall
            case let channel? where channel.isMessenger: prompt.sentByMessenger
            default: prompt.sent
            }
        return text.filled(["number": maskedNumber, "channel": channel.map(name(of:)) ?? ""])
    }

    /// What a page says when a code is on its way.
    public func codeSent(to number: String, by channel: Channel) -> String {
        let text =
            switch channel {
            case .call: pages.codeSentByCall
            case .inbound: pages.codeSentInbound
            default: channel.isMessenger ? pages.codeSentByMessenger : pages.codeSentBySms
            }
        return text.filled(["number": number, "channel": name(of: channel)])
    }

    /// The button that sends the code by another channel.
    public func send(by channel: Channel) -> String {
        switch channel {
        case .call: pages.sendByCall
        case .inbound: pages.sendInbound
        default:
            channel.isMessenger
                ? pages.sendByMessenger.filled(["channel": name(of: channel)]) : pages.sendBySms
        }
    }

    public func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        (sharesNumber ? pages.sharesNumber : pages.keepsNumber).filled(["client": client])
    }

    public func dormantIntroduction(hasCode: Bool) -> String {
        hasCode ? pages.dormantWithCode : pages.dormantIntroduction
    }

    /// - Parameter status: one of Twilio's, such as `delivered`.
    public func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        guard let errorCode else { return inbox.delivery.filled(["sender": sender, "status": status]) }
        return inbox.failedDelivery.filled(["sender": sender, "status": status, "code": "\(errorCode)"])
    }

    public func yesOrNo(_ isTrue: Bool) -> String { isTrue ? number.yes : number.no }

    public func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: number.mobile
        case .legacyMobile: number.legacyMobile
        case .fixedLine: number.fixedLine
        case .fixedLineOrMobile: number.fixedLineOrMobile
        case .voip: number.voip
        case .personal: number.personal
        case .representative: number.representative
        case .tollFree: number.tollFree
        case .premium: number.premium
        case .sharedCost: number.sharedCost
        case .pager: number.pager
        case .voicemail: number.voicemail
        case .machine: number.machine
        }
    }

    /// The name of a messenger: the operator's, its own, or how the language writes that.
    private func name(of channel: Channel) -> String {
        Languages.name(of: channel) ?? messengers[channel] ?? channel.displayName
    }
}

/// A wait in the unit that a person would use, rounded up, so that nobody comes back too early.
enum Wait {
    case seconds(Int64), minutes(Int64), hours(Int64)

    init(until moment: Timestamp, from now: Timestamp) {
        let seconds = max(1, (moment - now).wholeSecondsRoundedUp)
        self =
            switch seconds {
            case ...90: .seconds(seconds)
            case ...5400: .minutes((seconds + 59) / 60)
            default: .hours((seconds + 3599) / 3600)
            }
    }
}
