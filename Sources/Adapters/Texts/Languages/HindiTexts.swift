import PhoneDomain

/// Hindi, in the form with आप and with the English words that services in India use, such as OTP for the code.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct HindiTexts: Texts {
    let language = LanguageTag(validated: "hi")
    let englishName = "Hindi"
    var regionNames: RegionNames { .hindi }
}

// Failures.
extension HindiTexts {
    var sessionNotFound: String { "इस डिवाइस से पहले ही साइन आउट किया जा चुका है।" }
    var internalError: String { "कोई गड़बड़ी हुई। फिर से कोशिश करें।" }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "अभी इस नंबर पर OTP नहीं भेजा जा सकता।"
        case .channelUnavailable: "इस तरीके से OTP नहीं भेजा जा सकता। कोई दूसरा विकल्प चुनें।"
        case .resendTooSoon(let moment): "OTP अभी-अभी भेजा गया है। \(wait(moment)) बाद नया OTP मंगाएं।"
        case .maxSendsReached(let moment): "आपने बहुत बार OTP मंगाया है। \(wait(moment)) बाद फिर से कोशिश करें।"
        case .rateLimited(_, let moment): "बहुत बार कोशिश की गई है। \(wait(moment)) बाद फिर से कोशिश करें।"
        case .challengeRequired: "पहले पक्का करना होगा कि आप रोबोट नहीं हैं। फिर से कोशिश करें।"
        case .challengeFailed: "यह पक्का नहीं हो पाया कि आप रोबोट नहीं हैं। फिर से कोशिश करें।"
        case .sendDenied: "इस नंबर पर OTP नहीं भेजा जा सकता। कोई दूसरा नंबर डालें।"
        case .malformedCode(let length): "\(length) अंकों वाला OTP डालें।"
        case .codeIncorrect(let checked): "OTP गलत है। " + attempts(checked.checksLeft)
        case .codeExpired: "आपके OTP की समयसीमा खत्म हो गई है। नया OTP मंगाएं।"
        case .maxChecksReached(let moment): "कई बार गलत OTP डाला गया है। \(wait(moment)) बाद फिर से कोशिश करें।"
        case .verificationNotFound: "पहले इस नंबर के लिए OTP मंगाएं।"
        case .signupNotFound: "आपका सेशन खत्म हो गया है। फिर से शुरू करें।"
        case .verificationClosed: "यह OTP अब मान्य नहीं है। नया OTP मंगाएं।"
        case .verificationNotApproved: "इस नंबर की पुष्टि अभी नहीं हुई है। पहले OTP डालें।"
        case .accountDormant: "इस नंबर वाला खाता लंबे समय से इस्तेमाल नहीं हुआ है। आगे बढ़ने के लिए सहायता टीम से संपर्क करें।"
        case .consentRequired: "आगे बढ़ने के लिए शर्तें स्वीकार करें।"
        case .accountSuspended: "यह खाता निलंबित है। सहायता टीम से संपर्क करें।"
        case .numberTaken: "यह नंबर पहले से किसी दूसरे खाते में इस्तेमाल हो रहा है।"
        case .numberChangeNotFound: "यह बदलाव अब वापस नहीं लिया जा सकता।"
        case .invalidMetadata: "सेव किया जाने वाला डेटा बहुत ज़्यादा है। कुछ डेटा हटाएं।"
        case .notSignedIn, .keyInvalid: "आप साइन इन नहीं हैं। फिर से साइन इन करें।"
        case .proofTooOld: "आगे बढ़ने के लिए, सुरक्षा की वजह से फिर से साइन इन करें।"
        case .unavailable: "सेवा फ़िलहाल उपलब्ध नहीं है। थोड़ी देर बाद फिर से कोशिश करें।"
        }
    }

    private func attempts(_ left: Int) -> String {
        switch left {
        case 0: "अब और कोशिश नहीं की जा सकती।"
        case 1: "1 कोशिश बाकी है।"
        default: "\(left) कोशिशें बाकी हैं।"
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "अपना मोबाइल नंबर डालें।"
        case .notANumber: "यह फ़ोन नंबर नहीं है। बिना एक्सटेंशन के, सिर्फ़ अंक डालें। दूसरे देश का नंबर + से शुरू करें।"
        case .tooLong: "इस नंबर में अंक ज़्यादा हैं।"
        case .tooShort: "यह नंबर अधूरा है।"
        case .unknownRegion: "नंबर को + और देश के कोड से शुरू करें।"
        case .unsupportedCallingCode(let code): "+\(code) से शुरू होने वाले नंबरों के लिए यह सुविधा उपलब्ध नहीं है।"
        case .noSuchNumber: "यह नंबर मौजूद नहीं है। अंक जांच लें।"
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011 और 016 से 019 वाले नंबर बंद हो चुके हैं। अपना 010 वाला नंबर डालें।"
        case .fixedLine: "यह लैंडलाइन नंबर है। मोबाइल नंबर डालें।"
        case .voip: "यह इंटरनेट फ़ोन का नंबर है। मोबाइल नंबर डालें।"
        case .personal: "यह कॉल फ़ॉरवर्ड करने वाला नंबर है। अपना मोबाइल नंबर डालें।"
        case .representative: "यह कंपनी का नंबर है। मोबाइल नंबर डालें।"
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "इस नंबर पर OTP नहीं आ सकता। मोबाइल नंबर डालें।"
        }
    }

    /// With the country's name in parentheses, where its form does not depend on the sentence.
    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "इस देश\(region.map { " (\(name(of: $0)))" } ?? "") के नंबरों के लिए यह सुविधा उपलब्ध नहीं है।"
        guard (1...5).contains(allowed.count) else { return reason + " कोई दूसरा नंबर डालें।" }
        return reason + " इनमें से किसी देश का नंबर डालें: \(allowed.map(name(of:)).joined(separator: ", "))।"
    }

    /// The forms that come before `बाद`, which are the same for every number.
    var seconds: PluralForms { "{{count}} सेकंड" }
    var minutes: PluralForms { "{{count}} मिनट" }
    var hours: PluralForms { "{{count}} घंटे" }
}

// Prompt.
extension HindiTexts {
    var phoneLabel: String { "मोबाइल नंबर" }
    var codeLabel: String { "OTP" }
    func codeQuestion(or channel: Channel?) -> String {
        "OTP (r: फिर से भेजें\(channel.map { ", c: " + send(by: $0) } ?? ""), n: नंबर बदलें):"
    }
    var consentQuestion: String { "क्या आप सहमत हैं? (y: हां, n: नहीं)" }
    var sendHint: String { "Enter: OTP भेजें" }
    var signUpHint: String { "Enter: साइन अप करें" }
    var connecting: String { "कनेक्ट हो रहा है…" }
    var tryAgainHint: String { "Enter: फिर से कोशिश करें" }
    var sending: String { "भेजा जा रहा है…" }
    var signingUp: String { "जांच हो रही है…" }
    var resendHint: String { "r: फिर से भेजें" }
    var newCodeHint: String { "r: नया OTP" }
    var expired: String { "समयसीमा खत्म" }
    var otherNumberHint: String { "Esc: नंबर बदलें" }
    var phoneHint: String { "दूसरे देश के लिए + लगाएं" }
    func regionHint(_ region: Region) -> String { "क्षेत्र \(region) (--region से बदलें)" }
    var cancelHint: String { "Ctrl-C: रद्द करें" }
    var remoteNextStep: String { "आगे: इसी नंबर से इस खाते में साइन इन करें।" }
    var stubLabel: String { "टेस्ट SMS" }
    var canceled: String { "साइन अप रद्द कर दिया गया।" }
    var inputEnded: String { "साइन अप पूरा होने से पहले इनपुट खत्म हो गया। पहले मोबाइल नंबर डालें, फिर OTP।" }
    func localNextSteps(show: String, serve: String) -> [String] { ["आगे: \(show)", "या: \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "दूसरा नंबर, या \(wait) बाद नया OTP" }
    func resendHint(in wait: String) -> String { "\(wait) बाद फिर से भेजें" }
    func newCodeHint(in wait: String) -> String { "\(wait) बाद नया OTP" }
    func expiryHint(in wait: String) -> String { "\(wait) में समयसीमा खत्म" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "\(maskedNumber) पर कॉल करके OTP बताया जा रहा है।"
        case .whatsapp: "\(maskedNumber) पर WhatsApp से OTP भेजा गया है।"
        case .kakaotalk: "\(maskedNumber) पर KakaoTalk से OTP भेजा गया है।"
        case .sms, .inbound, .sim, nil: "\(maskedNumber) पर OTP भेजा गया है।"
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "साइन अप हो गया: \(phoneText) · खाता \(account) (नया)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "फिर से स्वागत है: \(phoneText) · खाता \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "\(server) से कनेक्ट नहीं हो पाया। देख लें कि सर्वर चालू है और पता सही है। (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) कोई PhoneProof सर्वर नहीं है (स्टेटस \(status))। --server में दिया गया पता जांच लें।"
    }
}

// Report on a number.
extension HindiTexts {
    var numberInput: String { "इनपुट" }
    var numberFormatted: String { "ऐसे दिखेगा" }
    var numberIsValid: String { "मान्य" }
    var numberKind: String { "प्रकार" }
    var numberRegion: String { "क्षेत्र" }
    var numberNational: String { "देश के अंदर" }
    var numberInternational: String { "अंतरराष्ट्रीय" }
    var numberReceivesCode: String { "OTP आ सकता है" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "मोबाइल"
        case .legacyMobile: "मोबाइल, बंद हो चुका"
        case .fixedLine: "लैंडलाइन"
        case .fixedLineOrMobile: "लैंडलाइन या मोबाइल"
        case .voip: "इंटरनेट फ़ोन"
        case .personal: "कॉल फ़ॉरवर्ड करने वाला नंबर"
        case .representative: "कंपनी का नंबर"
        case .tollFree: "टोल-फ़्री"
        case .premium: "प्रीमियम दर"
        case .sharedCost: "साझा शुल्क"
        case .pager: "पेजर"
        case .voicemail: "वॉइसमेल"
        case .machine: "मशीन"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "हां" : "नहीं" }
}

// Pages.
extension HindiTexts {
    var undoHeading: String { "आपका मोबाइल नंबर बदला गया है" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "\(moment) को आपके खाते का मोबाइल नंबर \(number) से बदलकर कोई दूसरा नंबर कर दिया गया।"
    }
    func undoAdvice(number: String) -> String {
        "अगर यह बदलाव आपने किया है, तो यह पेज बंद कर दें। अगर नहीं, तो पुराना नंबर वापस लाएं। आपका नंबर फिर से \(number) हो जाएगा "
            + "और सभी डिवाइस से साइन आउट हो जाएगा।"
    }
    var undoButton: String { "पुराना नंबर वापस लाएं" }
    func undoDeadline(_ moment: String) -> String { "पुराना नंबर \(moment) तक वापस लाया जा सकता है।" }
    var undoneHeading: String { "आपका नंबर वापस आ गया" }
    func undone(number: String) -> String {
        "आपके खाते का नंबर फिर से \(number) है। सभी डिवाइस से साइन आउट कर दिया गया है। इसी नंबर से फिर से साइन इन करें।"
    }
    var undoGoneHeading: String { "इस लिंक की समयसीमा खत्म हो गई है" }
    var undoGone: String {
        "इसका इस्तेमाल हो चुका है या यह बहुत पुराना है। अगर आपने अभी-अभी बटन दबाया है, तो पुराना नंबर वापस आ चुका है।"
    }
    var undoTakenHeading: String { "यह बदलाव वापस नहीं लिया जा सकता" }
    var undoTaken: String { "आपका पिछला नंबर अब किसी दूसरे खाते में इस्तेमाल हो रहा है। सहायता टीम से संपर्क करें।" }
    var undoUnavailableHeading: String { "कोई गड़बड़ी हुई" }
    var undoUnavailable: String { "थोड़ी देर रुकें, फिर मैसेज में दिया गया लिंक दोबारा खोलें।" }

    var inboxHeading: String { "टेस्ट SMS का इनबॉक्स" }
    var inboxNote: String { "ये मैसेज किसी फ़ोन पर नहीं भेजे गए हैं। सबसे नया मैसेज सबसे ऊपर है।" }
    var inboxReload: String { "नए मैसेज देखने के लिए पेज फिर से लोड करें।" }
    var inboxEmpty: String { "अभी कोई मैसेज नहीं है।" }
    var inboxCopy: String { "कॉपी करें" }
    var inboxCopied: String { "कॉपी हो गया" }
    var inboxFilter: String { "नंबर से फ़िल्टर करें" }
    var inboxClear: String { "सब हटाएं" }
    var inboxKey: String { "सबसे नया OTP कॉपी करने के लिए C दबाएं।" }
    func inboxMessage(to number: String) -> String { "\(number) को मैसेज" }
    func inboxCall(to number: String) -> String { "\(number) को कॉल" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "\(sender) से, \(status)" + (errorCode.map { ", गड़बड़ी \($0)" } ?? "")
    }
}

// SMS.
extension HindiTexts {
    var verificationMessage: String { "OTP {{code}} ({{service}}) शेयर न करें" }
    var numberChangeMessage: String { "{{service}} पर आपका नंबर बदला गया। आपने नहीं बदला? वापस लाएं: {{link}}" }
    /// Another phrase than in ``verificationMessage``, since a letter more would be too long below a text of its length.
    var sharingWarning: String { "गुप्त रखें" }
    var sharingWarningMarks: [String] {
        [
            "शेयर न", "शेयर ना", "साझा न", "न बताएं", "न बताएँ", "ना बताएं", "ना बताएँ", "नहीं बताएं", "न बतायें", " न दें", "गुप्त रखें",
            "गोपनीय रखें", "not share", "n't share", "never share",
        ]
    }
}

// Pages to sign in.
extension HindiTexts {
    var errorTitle: String { "गड़बड़ी" }
    var startHeading: String { "मोबाइल नंबर से साइन इन करें" }
    var startIntroduction: String { "यह सेवा मोबाइल नंबर की पुष्टि करती है और उसी नंबर से साइन इन करने देती है।" }
    var startDocs: String { "डेवलपर के लिए: API" }
    var signInHeading: String { "मोबाइल नंबर से साइन इन करें" }
    var signInIntroduction: String { "साइन इन करने या खाता बनाने के लिए, आपको OTP भेजा जाएगा।" }
    var sendCode: String { "OTP भेजें" }
    var terms: String { "सेवा की शर्तें" }
    var privacy: String { "गोपनीयता नीति" }
    var conjunction: String { " और " }
    /// The rules come last, where the form of their names does not depend on the sentence.
    func acceptance(of rules: String) -> String { "आगे बढ़ने का मतलब है कि आप इनसे सहमत हैं: \(rules)।" }
    func consent(to rules: String) -> String { "मैं इनसे सहमत हूं: \(rules)।" }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        "\(client) को आपका मोबाइल नंबर \(sharesNumber ? "मिलेगा" : "नहीं मिलेगा")।"
    }
    var codeHeading: String { "OTP डालें" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "\(number) पर SMS से OTP भेजा गया है।"
        case .call, .whatsapp, .kakaotalk: sent(to: number, by: channel)
        case .inbound: "\(number) से हमें SMS भेजें।"
        }
    }
    var changeNumber: String { "नंबर बदलें" }
    var signIn: String { "साइन इन करें" }
    var resendCode: String { "OTP फिर से भेजें" }
    var resendWait: String { "% बाद फिर से भेजें" }
    var resent: String { "OTP फिर से भेजा गया।" }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "SMS से पाएं"
        case .call: "कॉल से पाएं"
        case .whatsapp: "WhatsApp से पाएं"
        case .kakaotalk: "KakaoTalk से पाएं"
        case .inbound: "खुद SMS भेजें"
        }
    }

    var inboundHeading: String { "हमें SMS भेजें" }
    var inboundRecipient: String { "इस नंबर पर" }
    var inboundText: String { "मैसेज" }
    var inboundOpen: String { "मैसेज ऐप खोलें" }
    var inboundSent: String { "मैंने भेज दिया" }
    var inboundMissing: String { "आपका SMS अभी नहीं मिला है। इसमें एक मिनट लग सकता है।" }
    var inboundArrived: String { "आपका SMS मिल गया।" }
    func callIntroduction(service: String) -> String { "नमस्ते। \(service) के लिए आपका OTP है:" }
    var callRepetition: String { "एक बार फिर, आपका OTP है:" }
    var resendReady: String { "OTP नहीं मिला?" }
    var noSendsLeft: String { "अभी OTP फिर से नहीं भेजा जा सकता।" }
    var dormantHeading: String { "यह नंबर एक पुराने खाते से जुड़ा है" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "वह खाता लंबे समय से इस्तेमाल नहीं हुआ है और किसी और का हो सकता है। "
            + (hasCode ? "नया खाता बनाने के लिए, OTP फिर से डालें। " : "चाहें तो नया खाता बनाएं। ")
            + "पुराने खाते में साइन इन करने के लिए, सहायता टीम से संपर्क करें।"
    }
    var newAccount: String { "नया खाता बनाएं" }
    var signedInHeading: String { "आपने साइन इन कर लिया है" }
    func signedIn(as maskedNumber: String) -> String { "\(maskedNumber) से साइन इन किया गया है।" }
    var signedInNote: String { "चाहें तो यह पेज बंद कर दें। अगली बार इस ब्राउज़र में OTP की ज़रूरत नहीं होगी।" }
    var signOut: String { "साइन आउट करें" }
    var signOutHeading: String { "क्या साइन आउट करना है?" }
    var signedOutHeading: String { "साइन आउट हो गया" }
    var signedOut: String { "चाहें तो यह पेज बंद कर दें।" }
    var countryLabel: String { "देश" }
    var countrySearch: String { "देश का नाम या कोड खोजें" }
    var countryNone: String { "कोई देश नहीं मिला" }
    var codeExpiredHeading: String { "आपके OTP की समयसीमा खत्म हो गई है" }
    func codeExpired(number: String) -> String {
        "OTP सिर्फ़ कुछ मिनट तक काम करता है। \(number) पर नया OTP भेजा जा सकता है।"
    }
    var newCode: String { "नया OTP भेजें" }
    var sendingFailedHeading: String { "OTP नहीं भेजा जा सका" }
    func sendingFailed(number: String) -> String {
        "OTP \(number) पर नहीं पहुंचा। नंबर जांच लें या थोड़ी देर बाद फिर से कोशिश करें।"
    }
    var challengeHeading: String { "थोड़ा इंतज़ार करें" }
    var challengeIntroduction: String { "हम पक्का कर रहे हैं कि आप रोबोट नहीं हैं। इसमें कुछ सेकंड लगेंगे।" }
    var captchaIntroduction: String { "OTP पाने के लिए, पुष्टि करें कि आप रोबोट नहीं हैं।" }
    var challengeBusy: String { "जांच हो रही है…" }
    var challengeWait: String { "JavaScript बंद है, इसलिए थोड़ा इंतज़ार करें। OTP % सेकंड में भेजा जा सकेगा।" }
    var challengeNeedsScript: String { "आपके ब्राउज़र में JavaScript बंद है। उसे चालू करें, फिर यह पेज दोबारा लोड करें।" }
    var limitHeading: String { "बहुत बार कोशिश की गई" }
    var retryWait: String { "% बाद फिर से कोशिश करें" }
    var offline: String { "इंटरनेट कनेक्शन नहीं है। कनेक्शन जांचें और फिर से कोशिश करें।" }
    var anotherNumber: String { "दूसरा नंबर डालें" }
    var tryAgain: String { "फिर से कोशिश करें" }
    var startAgain: String { "फिर से शुरू करें" }
    var pageExpiredHeading: String { "इस पेज की समयसीमा खत्म हो गई है" }
    var pageExpired: String {
        "यह बहुत देर से खुला था, आपने किसी दूसरे टैब में साइन इन या साइन आउट किया, या आपका ब्राउज़र कुकी ब्लॉक कर रहा है।"
    }
    var pageReplacedHeading: String { "यह पेज पुराना हो गया है" }
    var pageReplaced: String { "आप किसी दूसरे टैब या विंडो में आगे बढ़ चुके हैं। इस पेज से कुछ नहीं भेजा गया।" }
    var pageOfOtherSite: String { "यह फ़ॉर्म किसी दूसरी वेबसाइट से आया था, इसलिए कुछ नहीं किया गया।" }
    var goOn: String { "आगे बढ़ें" }
    var linkInvalidHeading: String { "यह लिंक मान्य नहीं है" }
    var linkInvalid: String {
        "आपको यहां भेजने वाले ऐप के अनुरोध पर भरोसा नहीं किया जा सकता। उसके साथ कोई जानकारी शेयर नहीं की गई।"
    }
    var notFoundHeading: String { "पेज नहीं मिला" }
    var notFound: String { "इस पते पर कोई पेज नहीं है।" }
    var goToStart: String { "शुरुआती पेज पर जाएं" }
    var consoleKey: String { "API कुंजी" }
    var consoleKeyHint: String { "viewer, support या admin स्कोप वाली API कुंजी:" }
    var consoleKeyRefused: String { "यह API कुंजी मान्य नहीं है, रद्द हो चुकी है या कंसोल के लिए नहीं है।" }
    var consoleNotSignedIn: String { "साइन इन पूरा नहीं हुआ। फिर से कोशिश करें।" }
    var consoleProofTooOld: String { "नंबर की पुष्टि इस साइन इन से पहले हुई थी। नए OTP से फिर कोशिश करें।" }
    var consoleRefused: String { "इस नंबर को कंसोल खोलने की अनुमति नहीं है।" }
}

// Pages for devices without a browser.
extension HindiTexts {
    var deviceHeading: String { "किसी डिवाइस पर साइन इन करें" }
    var deviceIntroduction: String { "वह कोड डालें जो आपके अपने डिवाइस पर दिख रहा है।" }
    var deviceCode: String { "डिवाइस पर दिख रहा कोड" }
    var deviceUnknown: String {
        "इस कोड के साथ कोई डिवाइस इंतज़ार नहीं कर रहा है। अक्षर जांचें या डिवाइस पर नया कोड लें।"
    }
    var deviceQuestion: String { "क्या यह आप हैं?" }
    var devicePlace: String { "IP पता" }
    var deviceProgram: String { "प्रोग्राम" }
    var deviceWarning: String {
        "तभी आगे बढ़ें जब आपने अभी खुद यह शुरू किया हो और आपके डिवाइस पर यही कोड दिख रहा हो। अगर किसी ने आपको यह कोड या कोई लिंक भेजा है, तो यह धोखा है: “नहीं” चुनें।"
    }
    var deviceApprove: String { "हां, साइन इन करें" }
    var deviceRefuse: String { "नहीं" }
    var deviceDoneHeading: String { "आपके डिवाइस पर साइन इन हो गया" }
    var deviceDone: String { "आप यह पेज बंद करके अपने डिवाइस पर लौट सकते हैं।" }
    var deviceRefusedHeading: String { "मना कर दिया गया" }
    var deviceRefused: String { "किसी का साइन इन नहीं हुआ। अगर किसी ने आपको कोड भेजा है, तो उसे जवाब न दें।" }
    func deviceRequest(client: String) -> String { "किसी दूसरे डिवाइस पर \(client) आपके खाते में साइन इन करने का अनुरोध कर रहा है।" }
}

// Passkeys.
extension HindiTexts {
    var passkeySignIn: String { "पासकी से साइन इन करें" }
    var passkeyRefused: String { "यह पासकी यहां काम नहीं करती। अपने मोबाइल नंबर से साइन इन करें।" }
    var passkeyOfferHeading: String { "अगली बार बिना OTP के साइन इन करें" }
    var passkeyOffer: String {
        "पासकी से आप फ़िंगरप्रिंट, चेहरे या स्क्रीन लॉक से साइन इन करते हैं। आपका मोबाइल नंबर भी काम करता रहेगा।"
    }
    var passkeyCreate: String { "पासकी बनाएं" }
    var passkeySkip: String { "अभी नहीं" }
    var passkeyFailed: String { "पासकी नहीं बनी। आप फिर से कोशिश कर सकते हैं।" }
    var passkeysHeading: String { "पासकी" }
    var passkeysNone: String { "अभी आपके पास कोई पासकी नहीं है।" }
    func passkeyUsed(_ moment: String) -> String { "पिछली बार इस्तेमाल: \(moment)" }
    var passkeyName: String { "नाम" }
    var passkeyRename: String { "नाम बदलें" }
    var passkeyRemove: String { "हटाएं" }
    var passkeyAsk: String {
        "आपका मोबाइल नंबर बदल गया है या यह पासकी लंबे समय से इस्तेमाल नहीं हुई है। क्या यह अब भी आपकी है?"
    }
    var passkeyKeep: String { "हां, मेरी है" }
}
