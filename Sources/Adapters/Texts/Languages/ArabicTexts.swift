import PhoneDomain

/// Modern Standard Arabic, with verbal nouns on buttons and digits as they are typed.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct ArabicTexts: Texts {
    let language = LanguageTag(validated: "ar")
    let englishName = "Arabic"
    var regionNames: RegionNames { .arabic }

    /// A number or a time on a page, with a left-to-right mark before it: after an Arabic letter `010-1234-5678` would be
    /// shown as `5678-1234-010` (Unicode Standard Annex 9, rule W2). The terminal leaves such marks out, so its texts
    /// have none.
    private func leftToRight(_ text: String) -> String { "\u{200E}" + text }
}

// Failures.
extension ArabicTexts {
    var sessionNotFound: String { "سبق تسجيل الخروج من هذا الجهاز." }
    var internalError: String { "حدث خطأ ما. حاول مرة أخرى." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "لا يمكننا إرسال رمز إلى هذا الرقم حاليًا."
        case .channelUnavailable: "لا يمكننا إرسال الرمز بهذه الطريقة. اختر طريقة أخرى."
        case .resendTooSoon(let moment): "أرسلنا إليك رمزًا للتو. يمكنك طلب رمز آخر بعد \(wait(moment))."
        case .maxSendsReached(let moment): "طلبت عددًا كبيرًا من الرموز. حاول مرة أخرى بعد \(wait(moment))."
        case .rateLimited(_, let moment): "عدد المحاولات كبير جدًا. حاول مرة أخرى بعد \(wait(moment))."
        case .challengeRequired: "علينا التأكد من أنك لست روبوتًا. حاول مرة أخرى."
        case .challengeFailed: "تعذّر التأكد من أنك لست روبوتًا. حاول مرة أخرى."
        case .sendDenied: "لا يمكننا إرسال رمز إلى هذا الرقم. استخدم رقمًا آخر."
        // Codes have 4 to 10 digits.
        case .malformedCode(let length): "أدخل الرمز المكوّن من \(length) أرقام."
        case .codeIncorrect(let checked): "الرمز غير صحيح. " + attempts(checked.checksLeft)
        case .codeExpired: "انتهت صلاحية الرمز. اطلب رمزًا جديدًا."
        case .maxChecksReached(let moment): "أدخلت رمزًا غير صحيح عدة مرات. حاول مرة أخرى بعد \(wait(moment))."
        case .verificationNotFound: "اطلب أولًا رمزًا لهذا الرقم."
        case .signupNotFound: "انتهت مدة الجلسة. ابدأ من جديد."
        case .verificationClosed: "لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا."
        case .verificationNotApproved: "لم يتم التحقق من هذا الرقم بعد. أدخل الرمز أولًا."
        case .accountDormant: "لم يُستخدم حساب هذا الرقم منذ فترة طويلة. للمتابعة، تواصل مع فريق الدعم."
        case .consentRequired: "للمتابعة، يجب الموافقة على الشروط."
        case .accountSuspended: "هذا الحساب موقوف. تواصل مع فريق الدعم."
        case .numberTaken: "هذا الرقم مستخدم في حساب آخر."
        case .numberChangeNotFound: "لم يعد التراجع عن هذا التغيير ممكنًا."
        case .invalidMetadata: "البيانات المطلوب حفظها أكثر من اللازم. احذف بعضها."
        case .notSignedIn, .keyInvalid: "تم تسجيل خروجك. سجّل الدخول مرة أخرى."
        case .proofTooOld: "حفاظًا على أمانك، سجّل الدخول مرة أخرى للمتابعة."
        case .unavailable: "الخدمة غير متاحة مؤقتًا. حاول مرة أخرى بعد قليل."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "أدخل رقم هاتفك."
        case .notANumber: "هذا ليس رقم هاتف. أدخل أرقامًا فقط، من دون رقم التحويلة. لبلد آخر، ابدأ بعلامة +."
        case .tooLong: "هذا الرقم أطول من اللازم."
        case .tooShort: "هذا الرقم غير مكتمل."
        case .unknownRegion: "ابدأ الرقم بعلامة + ثم رمز البلد."
        // Without the plus sign, which would be shown at the other end of the digits.
        case .unsupportedCallingCode(let code): "الأرقام التي تبدأ برمز البلد \(code) غير مدعومة."
        case .noSuchNumber: "هذا الرقم غير موجود. تأكد من كتابته بشكل صحيح."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "أرقام 011 ومن 016 إلى 019 خارج الخدمة. استخدم رقمك الذي يبدأ بـ 010."
        case .fixedLine: "هذا رقم هاتف أرضي. استخدم رقم هاتف جوّال."
        case .voip: "هذا رقم هاتف عبر الإنترنت. استخدم رقم هاتف جوّال."
        case .personal: "هذا رقم لتحويل المكالمات. استخدم رقم هاتفك الجوّال."
        case .representative: "هذا رقم شركة. استخدم رقم هاتف جوّال."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "لا يمكن تلقّي الرموز على هذا الرقم. استخدم رقم هاتف جوّال."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "الأرقام من هذا البلد\(region.map { " (\(name(of: $0)))" } ?? "") غير مدعومة."
        guard (1...5).contains(allowed.count) else { return reason + " استخدم رقمًا آخر." }
        return reason + " استخدم رقمًا من: \(allowed.map(name(of:)).joined(separator: "، "))."
    }

    private func attempts(_ left: Int) -> String {
        if left == 0 { return "لم تتبقَّ أي محاولة." }
        let forms: PluralForms = [
            .one: "محاولة واحدة", .two: "محاولتان", .few: "{{count}} محاولات", .other: "{{count}} محاولة",
        ]
        return "تبقّت \(counted(Int64(left), forms))."
    }

    /// The genitive, as after `بعد`. The singular is written the same after 11 to 99 as after 100.
    var seconds: PluralForms {
        [.one: "ثانية واحدة", .two: "ثانيتين", .few: "{{count}} ثوانٍ", .other: "{{count}} ثانية"]
    }
    var minutes: PluralForms {
        [.one: "دقيقة واحدة", .two: "دقيقتين", .few: "{{count}} دقائق", .other: "{{count}} دقيقة"]
    }
    var hours: PluralForms { [.one: "ساعة واحدة", .two: "ساعتين", .few: "{{count}} ساعات", .other: "{{count}} ساعة"] }
}

// Prompt.
extension ArabicTexts {
    var phoneLabel: String { "رقم الهاتف" }
    var codeLabel: String { "رمز التحقق" }
    func codeQuestion(or channel: Channel?) -> String {
        "رمز التحقق (r: إعادة الإرسال\(channel.map { "، c: " + send(by: $0) } ?? "")، n: تغيير الرقم):"
    }
    var consentQuestion: String { "هل توافق؟ (y: نعم، n: لا)" }
    var sendHint: String { "Enter: إرسال الرمز" }
    var signUpHint: String { "Enter: إنشاء الحساب" }
    var connecting: String { "جارٍ الاتصال…" }
    var tryAgainHint: String { "Enter: إعادة المحاولة" }
    var sending: String { "جارٍ الإرسال…" }
    var signingUp: String { "جارٍ التحقق…" }
    var resendHint: String { "r: إعادة الإرسال" }
    var newCodeHint: String { "r: رمز جديد" }
    var expired: String { "انتهت الصلاحية" }
    var otherNumberHint: String { "Esc: تغيير الرقم" }
    var phoneHint: String { "لبلد آخر، ابدأ بعلامة +" }
    func regionHint(_ region: Region) -> String { "المنطقة \(region) (لتغييرها: --region)" }
    var cancelHint: String { "Ctrl-C: إلغاء" }
    var remoteNextStep: String { "الخطوة التالية: سجّل الدخول إلى هذا الحساب بالرقم نفسه." }
    var stubLabel: String { "رسالة تجريبية" }
    var canceled: String { "تم إلغاء إنشاء الحساب." }
    var inputEnded: String { "انتهى الإدخال قبل اكتمال إنشاء الحساب. أدخل رقم الهاتف ثم الرمز." }
    func localNextSteps(show: String, serve: String) -> [String] { ["التالي: \(show)", "أو:     \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "رقم آخر، أو رمز جديد بعد \(wait)" }
    func resendHint(in wait: String) -> String { "إعادة الإرسال بعد \(wait)" }
    func newCodeHint(in wait: String) -> String { "رمز جديد بعد \(wait)" }
    func expiryHint(in wait: String) -> String { "تنتهي الصلاحية بعد \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "نتصل الآن بالرقم \(maskedNumber) لإبلاغك بالرمز."
        case .whatsapp: "أرسلنا الرمز إلى \(maskedNumber) عبر WhatsApp."
        case .kakaotalk: "أرسلنا الرمز إلى \(maskedNumber) عبر KakaoTalk."
        case .sms, .inbound, .sim, nil: "أرسلنا الرمز إلى \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "تم إنشاء الحساب: \(phoneText) · الحساب \(account) (جديد)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "مرحبًا بعودتك: \(phoneText) · الحساب \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "تعذّر الاتصال بالخادم \(server). تأكد من أنه يعمل وأن العنوان صحيح. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "العنوان \(server) ليس لخادم PhoneProof (الحالة \(status)). تأكد من العنوان المحدد في --server."
    }
}

// Report on a number.
extension ArabicTexts {
    var numberInput: String { "المُدخل" }
    var numberFormatted: String { "كما يظهر" }
    var numberIsValid: String { "صالح" }
    var numberKind: String { "النوع" }
    var numberRegion: String { "المنطقة" }
    var numberNational: String { "الصيغة المحلية" }
    var numberInternational: String { "الصيغة الدولية" }
    var numberReceivesCode: String { "يتلقّى الرموز" }
    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "هاتف جوّال"
        case .legacyMobile: "هاتف جوّال خارج الخدمة"
        case .fixedLine: "هاتف أرضي"
        case .fixedLineOrMobile: "هاتف أرضي أو جوّال"
        case .voip: "هاتف عبر الإنترنت"
        case .personal: "رقم لتحويل المكالمات"
        case .representative: "رقم شركة"
        case .tollFree: "رقم مجاني"
        case .premium: "رقم بتعرفة خاصة"
        case .sharedCost: "رقم بتكلفة مشتركة"
        case .pager: "جهاز نداء"
        case .voicemail: "بريد صوتي"
        case .machine: "جهاز متصل"
        }
    }
    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "نعم" : "لا" }
}

// Pages.
extension ArabicTexts {
    var undoHeading: String { "تم تغيير رقم هاتفك" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "في \(leftToRight(moment))، تم تغيير رقم الهاتف في حسابك من \(leftToRight(number)) إلى رقم آخر."
    }
    func undoAdvice(number: String) -> String {
        "إذا كنت أنت من غيّره، فيمكنك إغلاق هذه الصفحة. وإلا، فاستعِد رقمك السابق. عندها سيعود رقم حسابك إلى \(leftToRight(number))، "
            + "وسيتم تسجيل الخروج من جميع الأجهزة."
    }
    var undoButton: String { "استعادة الرقم السابق" }
    func undoDeadline(_ moment: String) -> String { "يمكنك استعادة رقمك حتى \(leftToRight(moment))." }
    var undoneHeading: String { "تمت استعادة رقمك" }
    func undone(number: String) -> String {
        "عاد رقم حسابك إلى \(leftToRight(number))، وتم تسجيل الخروج من جميع الأجهزة. سجّل الدخول مرة أخرى بهذا الرقم."
    }
    var undoGoneHeading: String { "انتهت صلاحية هذا الرابط" }
    var undoGone: String { "سبق استخدامه أو مضى عليه وقت طويل. إذا ضغطت على الزر للتو، فقد تمت استعادة رقمك." }
    var undoTakenHeading: String { "لا يمكن التراجع عن هذا التغيير" }
    var undoTaken: String { "رقمك السابق مستخدم الآن في حساب آخر. تواصل مع فريق الدعم." }
    var undoUnavailableHeading: String { "حدث خطأ ما" }
    var undoUnavailable: String { "انتظر قليلًا، ثم افتح الرابط الموجود في الرسالة مرة أخرى." }
    var inboxHeading: String { "الرسائل التجريبية" }
    var inboxNote: String { "لم تُرسل هذه الرسائل إلى أي هاتف. الأحدث أولًا." }
    var inboxReload: String { "أعد تحميل الصفحة لرؤية الرسائل الجديدة." }
    var inboxEmpty: String { "لا توجد رسائل بعد." }
    var inboxCopy: String { "نسخ" }
    var inboxCopied: String { "تم النسخ" }
    var inboxFilter: String { "تصفية حسب الرقم" }
    var inboxClear: String { "حذف الكل" }
    var inboxKey: String { "اضغط على C لنسخ أحدث رمز." }
    func inboxMessage(to number: String) -> String { "إلى \(leftToRight(number))" }
    func inboxCall(to number: String) -> String { "مكالمة إلى \(leftToRight(number))" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "من \(leftToRight(sender))، الحالة \(status)" + (errorCode.map { "، خطأ \($0)" } ?? "")
    }
}

// SMS.
extension ArabicTexts {
    var verificationMessage: String { "{{code}} هو رمز {{service}}. لا تشاركه" }
    var numberChangeMessage: String { "تم تغيير رقمك في {{service}}. لم تغيّره أنت؟ استعده: {{link}}" }
    var sharingWarning: String { "لا تشاركه" }
    var sharingWarningMarks: [String] {
        ["لا تشارك", "لا تُشارك", "عدم مشارك", "لا تطلع", "لا تُطلع", "لا ترسل", "لا تخبر", "لا تفصح", "لا تعط"]
    }
}

// Pages to sign in.
extension ArabicTexts {
    var errorTitle: String { "خطأ" }
    var startHeading: String { "تسجيل الدخول برقم الهاتف" }
    var startIntroduction: String { "تتحقق هذه الخدمة من أرقام الهواتف وتتيح تسجيل الدخول بها." }
    var startDocs: String { "للمطوّرين: واجهة API" }
    var signInHeading: String { "تسجيل الدخول برقم هاتفك" }
    var signInIntroduction: String { "سنرسل إليك رمزًا لتسجيل الدخول أو إنشاء حساب." }
    var sendCode: String { "إرسال الرمز" }
    var terms: String { "شروط الخدمة" }
    var privacy: String { "سياسة الخصوصية" }
    var conjunction: String { " و" }
    func acceptance(of rules: String) -> String { "بالمتابعة، فإنك توافق على \(rules)." }
    func consent(to rules: String) -> String { "أوافق على \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        "\(sharesNumber ? "سنشارك" : "لن نشارك") رقم هاتفك مع \(client)."
    }
    var codeHeading: String { "أدخل الرمز" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "أرسلنا الرمز في رسالة نصية إلى \(leftToRight(number))."
        case .call, .whatsapp, .kakaotalk: sent(to: leftToRight(number), by: channel)
        case .inbound: "أرسل إلينا رسالة نصية من \(leftToRight(number))."
        }
    }
    var changeNumber: String { "تغيير الرقم" }
    var signIn: String { "تسجيل الدخول" }
    var resendCode: String { "إعادة إرسال الرمز" }
    var resendWait: String { "إعادة الإرسال بعد %" }
    var resent: String { "تمت إعادة الإرسال." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "تلقّي رسالة نصية"
        case .call: "تلقّي مكالمة هاتفية"
        case .whatsapp: "استخدام WhatsApp"
        case .kakaotalk: "استخدام KakaoTalk"
        case .inbound: "سأرسل رسالة بنفسي"
        }
    }
    var inboundHeading: String { "أرسل إلينا رسالة نصية" }
    var inboundRecipient: String { "إلى" }
    var inboundText: String { "الرسالة" }
    var inboundOpen: String { "فتح تطبيق الرسائل" }
    var inboundSent: String { "لقد أرسلتها" }
    var inboundMissing: String { "لم تصلنا رسالتك بعد. قد يستغرق ذلك دقيقة." }
    var inboundArrived: String { "وصلتنا رسالتك." }
    func callIntroduction(service: String) -> String { "مرحبًا. رمز التحقق الخاص بك في \(service) هو:" }
    var callRepetition: String { "مرة أخرى، رمز التحقق هو:" }
    var resendReady: String { "لم يصلك الرمز؟" }
    var noSendsLeft: String { "لا يمكننا إعادة إرسال الرمز حاليًا." }
    var dormantHeading: String { "هذا الرقم مرتبط بحساب قديم" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "لم يُستخدم الحساب منذ فترة طويلة، وقد يكون لشخص آخر. "
            + (hasCode ? "لإنشاء حساب جديد، أدخل الرمز مرة أخرى. " : "يمكنك إنشاء حساب جديد. ")
            + "لتسجيل الدخول إلى الحساب القديم، تواصل مع فريق الدعم."
    }
    var newAccount: String { "إنشاء حساب جديد" }
    var signedInHeading: String { "تم تسجيل الدخول" }
    func signedIn(as maskedNumber: String) -> String { "أنت مسجّل الدخول بالرقم \(leftToRight(maskedNumber))." }
    var signedInNote: String { "يمكنك إغلاق هذه الصفحة. في المرة القادمة لن تحتاج إلى رمز في هذا المتصفح." }
    var signOut: String { "تسجيل الخروج" }
    var signOutHeading: String { "هل تريد تسجيل الخروج؟" }
    var signedOutHeading: String { "تم تسجيل الخروج" }
    var signedOut: String { "يمكنك إغلاق هذه الصفحة." }
    var countryLabel: String { "البلد" }
    var countrySearch: String { "ابحث باسم البلد أو رمزه" }
    var countryNone: String { "لم يتم العثور على أي بلد" }
    var codeExpiredHeading: String { "انتهت صلاحية الرمز" }
    func codeExpired(number: String) -> String {
        "الرموز صالحة لبضع دقائق فقط. يمكننا إرسال رمز جديد إلى \(leftToRight(number))."
    }
    var newCode: String { "إرسال رمز جديد" }
    var sendingFailedHeading: String { "تعذّر إرسال الرمز" }
    func sendingFailed(number: String) -> String {
        "لم يصل الرمز إلى \(leftToRight(number)). تأكد من الرقم، أو حاول مرة أخرى بعد قليل."
    }
    var challengeHeading: String { "لحظة من فضلك" }
    var challengeIntroduction: String { "نتأكد من أنك لست روبوتًا. يستغرق ذلك بضع ثوانٍ." }
    var captchaIntroduction: String { "أكّد أنك لست روبوتًا للحصول على الرمز." }
    var challengeBusy: String { "جارٍ التحقق…" }
    /// The seconds come last, where their noun does not depend on the number.
    var challengeWait: String { "يُرجى الانتظار لأن JavaScript معطّل. الثواني المتبقية حتى يمكنك إرسال الرمز: %" }
    var challengeNeedsScript: String { "متصفحك لا يشغّل JavaScript. فعّله، ثم أعد تحميل هذه الصفحة." }
    var limitHeading: String { "محاولات كثيرة جدًا" }
    var retryWait: String { "حاول مرة أخرى بعد %" }
    var offline: String { "لا يوجد اتصال بالإنترنت. تأكد من الاتصال وحاول مرة أخرى." }
    var anotherNumber: String { "استخدام رقم آخر" }
    var tryAgain: String { "إعادة المحاولة" }
    var startAgain: String { "البدء من جديد" }
    var pageExpiredHeading: String { "انتهت صلاحية هذه الصفحة" }
    var pageExpired: String {
        "بقيت مفتوحة مدة طويلة، أو سجّلت الدخول أو الخروج في علامة تبويب أخرى، أو أن متصفحك يحظر ملفات تعريف الارتباط."
    }
    var pageReplacedHeading: String { "هذه الصفحة قديمة" }
    var pageReplaced: String { "لقد تابعت في علامة تبويب أو نافذة أخرى. لم يُرسل أي شيء من هذه الصفحة." }
    var pageOfOtherSite: String { "جاء هذا النموذج من موقع آخر، لذلك لم يُنفَّذ أي إجراء." }
    var goOn: String { "متابعة" }
    var linkInvalidHeading: String { "هذا الرابط غير صالح" }
    var linkInvalid: String { "أرسل التطبيق الذي نقلك إلى هنا طلبًا لا يمكن الوثوق به. لم نشارك معه أي شيء." }
    var notFoundHeading: String { "الصفحة غير موجودة" }
    var notFound: String { "لا توجد صفحة على هذا العنوان." }
    var goToStart: String { "إلى صفحة البداية" }
    var consoleKey: String { "مفتاح API" }
    var consoleKeyHint: String { "مفتاح بصلاحية viewer أو support أو admin:" }
    var consoleKeyRefused: String { "هذا المفتاح غير صالح أو تم إلغاؤه أو ليس مخصصًا لوحدة التحكم." }
    var consoleNotSignedIn: String { "لم يكتمل تسجيل الدخول. حاول مرة أخرى." }
    var consoleProofTooOld: String { "تم التحقق من الرقم قبل بدء تسجيل الدخول هذا. حاول مرة أخرى برمز جديد." }
    var consoleRefused: String { "لا يمكن استخدام وحدة التحكم بهذا الرقم." }
}

// Pages for devices without a browser.
extension ArabicTexts {
    var deviceHeading: String { "تسجيل الدخول على جهاز" }
    var deviceIntroduction: String { "أدخل الرمز الذي يظهر على جهازك أنت." }
    var deviceCode: String { "الرمز على الجهاز" }
    var deviceUnknown: String { "لا يوجد جهاز في انتظار هذا الرمز. تحقق من الأحرف أو اطلب رمزًا جديدًا من جهازك." }
    var deviceQuestion: String { "هل هذا أنت؟" }
    var devicePlace: String { "عنوان IP" }
    var deviceProgram: String { "البرنامج" }
    var deviceWarning: String {
        "تابع فقط إذا بدأت تسجيل الدخول هذا بنفسك للتو وكان جهازك يعرض هذا الرمز. إذا أرسل إليك شخص ما هذا الرمز أو رابطًا، فهذا احتيال: اختر «لا»."
    }
    var deviceApprove: String { "نعم، سجّل الدخول" }
    var deviceRefuse: String { "لا" }
    var deviceDoneHeading: String { "تم تسجيل الدخول على جهازك" }
    var deviceDone: String { "يمكنك إغلاق هذه الصفحة والعودة إلى جهازك." }
    var deviceRefusedHeading: String { "تم الرفض" }
    var deviceRefused: String { "لم يتم تسجيل دخول أي شخص. إذا أرسل إليك شخص ما هذا الرمز فلا ترد عليه." }
    func deviceRequest(client: String) -> String { "يطلب \(client) من جهاز آخر تسجيل الدخول إلى حسابك." }
}

// Passkeys.
extension ArabicTexts {
    var passkeySignIn: String { "تسجيل الدخول بمفتاح مرور" }
    var passkeyRefused: String { "لا يعمل مفتاح المرور هذا هنا. سجّل الدخول برقم هاتفك." }
    var passkeyOfferHeading: String { "سجّل الدخول بدون رمز في المرة القادمة" }
    var passkeyOffer: String {
        "باستخدام مفتاح مرور، يمكنك تسجيل الدخول ببصمة إصبعك أو وجهك أو قفل الشاشة. ويظل بإمكانك استخدام رقم هاتفك أيضًا."
    }
    var passkeyCreate: String { "إنشاء مفتاح مرور" }
    var passkeySkip: String { "ليس الآن" }
    var passkeyFailed: String { "لم يتم إنشاء مفتاح المرور. يمكنك المحاولة مرة أخرى." }
    var passkeysHeading: String { "مفاتيح المرور" }
    var passkeysNone: String { "ليس لديك مفاتيح مرور بعد." }
    func passkeyUsed(_ moment: String) -> String { "آخر استخدام: \(leftToRight(moment))" }
    var passkeyName: String { "الاسم" }
    var passkeyRename: String { "إعادة التسمية" }
    var passkeyRemove: String { "إزالة" }
    var passkeyAsk: String { "تغيّر رقم هاتفك، أو لم يُستخدم مفتاح المرور هذا منذ مدة طويلة. هل ما زال مفتاحك؟" }
    var passkeyKeep: String { "نعم، إنه مفتاحي" }
}
