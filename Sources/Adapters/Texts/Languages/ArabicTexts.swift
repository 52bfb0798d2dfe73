import PhoneDomain

extension Texts {
    /// Modern Standard Arabic, with verbal nouns on buttons and digits as they are typed.
    ///
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    ///
    /// Before a number or a time on a page stands a left-to-right mark (`200E`): after an Arabic letter `010-1234-5678`
    /// would be shown as `5678-1234-010` (Unicode Standard Annex 9, rule W2). The terminal leaves such marks out, so its
    /// texts have none.
    static let arabic = Texts(
        language: LanguageTag(validated: "ar"),
        englishName: "Arabic",
        regionNames: .arabic,
        failures: Failures(
            sessionNotFound: "سبق تسجيل الخروج من هذا الجهاز.",
            internalError: "حدث خطأ ما. حاول مرة أخرى.",
            numberEmpty: "أدخل رقم هاتفك.",
            numberMalformed: "هذا ليس رقم هاتف. أدخل أرقامًا فقط، من دون رقم التحويلة. لبلد آخر، ابدأ بعلامة +.",
            numberTooLong: "هذا الرقم أطول من اللازم.",
            numberTooShort: "هذا الرقم غير مكتمل.",
            numberNeedsCountry: "ابدأ الرقم بعلامة + ثم رمز البلد.",
            // Without the plus sign, which would be shown at the other end of the digits.
            numberUnsupported: "الأرقام التي تبدأ برمز البلد {{code}} غير مدعومة.",
            numberUnknown: "هذا الرقم غير موجود. تأكد من كتابته بشكل صحيح.",
            kindLegacy: "أرقام 011 ومن 016 إلى 019 خارج الخدمة. استخدم رقمك الذي يبدأ بـ 010.",
            kindLandline: "هذا رقم هاتف أرضي. استخدم رقم هاتف جوّال.",
            kindVoip: "هذا رقم هاتف عبر الإنترنت. استخدم رقم هاتف جوّال.",
            kindPersonal: "هذا رقم لتحويل المكالمات. استخدم رقم هاتفك الجوّال.",
            kindCompany: "هذا رقم شركة. استخدم رقم هاتف جوّال.",
            kindOther: "لا يمكن تلقّي الرموز على هذا الرقم. استخدم رقم هاتف جوّال.",
            countryRefused: "الأرقام من هذا البلد غير مدعومة. استخدم رقمًا آخر.",
            countryRefusedByName: "الأرقام من هذا البلد ({{country}}) غير مدعومة. استخدم رقمًا آخر.",
            countriesAccepted: "الأرقام من هذا البلد غير مدعومة. استخدم رقمًا من: {{countries}}.",
            countriesAcceptedByName: "الأرقام من هذا البلد ({{country}}) غير مدعومة. استخدم رقمًا من: {{countries}}.",
            countrySeparator: "، ",
            channelUnavailable: "لا يمكننا إرسال رمز إلى هذا الرقم حاليًا.",
            channelOther: "لا يمكننا إرسال الرمز بهذه الطريقة. اختر طريقة أخرى.",
            resendTooSoon: "أرسلنا إليك رمزًا للتو. يمكنك طلب رمز آخر بعد {{wait}}.",
            tooManyCodes: "طلبت عددًا كبيرًا من الرموز. حاول مرة أخرى بعد {{wait}}.",
            rateLimited: "عدد المحاولات كبير جدًا. حاول مرة أخرى بعد {{wait}}.",
            challengeRequired: "علينا التأكد من أنك لست روبوتًا. حاول مرة أخرى.",
            challengeFailed: "تعذّر التأكد من أنك لست روبوتًا. حاول مرة أخرى.",
            sendDenied: "لا يمكننا إرسال رمز إلى هذا الرقم. استخدم رقمًا آخر.",
            // Codes have 4 to 10 digits.
            codeMalformed: "أدخل الرمز المكوّن من {{length}} أرقام.",
            codeIncorrect: [
                .one: "الرمز غير صحيح. تبقّت محاولة واحدة.",
                .two: "الرمز غير صحيح. تبقّت محاولتان.",
                .few: "الرمز غير صحيح. تبقّت {{count}} محاولات.",
                .other: "الرمز غير صحيح. تبقّت {{count}} محاولة.",
            ],
            codeIncorrectLast: "الرمز غير صحيح. لم تتبقَّ أي محاولة.",
            codeExpired: "انتهت صلاحية الرمز. اطلب رمزًا جديدًا.",
            maxChecksReached: "أدخلت رمزًا غير صحيح عدة مرات. حاول مرة أخرى بعد {{wait}}.",
            codeMissing: "اطلب أولًا رمزًا لهذا الرقم.",
            signupExpired: "انتهت مدة الجلسة. ابدأ من جديد.",
            codeClosed: "لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا.",
            notApproved: "لم يتم التحقق من هذا الرقم بعد. أدخل الرمز أولًا.",
            accountDormant: "لم يُستخدم حساب هذا الرقم منذ فترة طويلة. للمتابعة، تواصل مع فريق الدعم.",
            consentRequired: "للمتابعة، يجب الموافقة على الشروط.",
            accountSuspended: "هذا الحساب موقوف. تواصل مع فريق الدعم.",
            numberTaken: "هذا الرقم مستخدم في حساب آخر.",
            changeGone: "لم يعد التراجع عن هذا التغيير ممكنًا.",
            dataTooBig: "البيانات المطلوب حفظها أكثر من اللازم. احذف بعضها.",
            notSignedIn: "تم تسجيل خروجك. سجّل الدخول مرة أخرى.",
            proofTooOld: "حفاظًا على أمانك، سجّل الدخول مرة أخرى للمتابعة.",
            unavailable: "الخدمة غير متاحة مؤقتًا. حاول مرة أخرى بعد قليل.",
            // The genitive, as after `بعد`. The singular is written the same after 11 to 99 as after 100.
            seconds: [.one: "ثانية واحدة", .two: "ثانيتين", .few: "{{count}} ثوانٍ", .other: "{{count}} ثانية"],
            minutes: [.one: "دقيقة واحدة", .two: "دقيقتين", .few: "{{count}} دقائق", .other: "{{count}} دقيقة"],
            hours: [.one: "ساعة واحدة", .two: "ساعتين", .few: "{{count}} ساعات", .other: "{{count}} ساعة"]
        ),
        prompt: Prompt(
            codeQuestion: "رمز التحقق (r: إعادة الإرسال، n: تغيير الرقم):",
            codeQuestionOrChannel: "رمز التحقق (r: إعادة الإرسال، c: {{send}}، n: تغيير الرقم):",
            consentQuestion: "هل توافق؟ (y: نعم، n: لا)",
            sendHint: "Enter: إرسال الرمز",
            signUpHint: "Enter: إنشاء الحساب",
            connecting: "جارٍ الاتصال…",
            tryAgainHint: "Enter: إعادة المحاولة",
            resendHint: "r: إعادة الإرسال",
            resendWait: "إعادة الإرسال بعد {{wait}}",
            newCodeHint: "r: رمز جديد",
            newCodeWait: "رمز جديد بعد {{wait}}",
            expiryWait: "تنتهي الصلاحية بعد {{wait}}",
            expired: "انتهت الصلاحية",
            otherNumberHint: "Esc: تغيير الرقم",
            anotherNumberWait: "رقم آخر، أو رمز جديد بعد {{wait}}",
            phoneHint: "لبلد آخر، ابدأ بعلامة +",
            regionHint: "المنطقة {{region}} (لتغييرها: --region)",
            cancelHint: "Ctrl-C: إلغاء",
            localNextSteps: ["التالي: {{show}}", "أو:     {{serve}}"],
            remoteNextStep: "الخطوة التالية: سجّل الدخول إلى هذا الحساب بالرقم نفسه.",
            sent: "أرسلنا الرمز إلى {{number}}.",
            sentByCall: "نتصل الآن بالرقم {{number}} لإبلاغك بالرمز.",
            sentByMessenger: "أرسلنا الرمز إلى {{number}} عبر {{channel}}.",
            stubLabel: "رسالة تجريبية",
            signedUp: "تم إنشاء الحساب: {{phone}} · الحساب {{account}} (جديد)",
            welcomeBack: "مرحبًا بعودتك: {{phone}} · الحساب {{account}}",
            canceled: "تم إلغاء إنشاء الحساب.",
            inputEnded: "انتهى الإدخال قبل اكتمال إنشاء الحساب. أدخل رقم الهاتف ثم الرمز.",
            serverUnreachable: "تعذّر الاتصال بالخادم {{server}}. تأكد من أنه يعمل وأن العنوان صحيح. ({{reason}})",
            serverNotUnderstood: """
                العنوان {{server}} ليس لخادم PhoneProof (الحالة {{status}}). تأكد من العنوان المحدد في --server.
                """
        ),
        number: Number(
            input: "المُدخل",
            formatted: "كما يظهر",
            isValid: "صالح",
            kind: "النوع",
            region: "المنطقة",
            national: "الصيغة المحلية",
            international: "الصيغة الدولية",
            receivesCode: "يتلقّى الرموز",
            mobile: "هاتف جوّال",
            legacyMobile: "هاتف جوّال خارج الخدمة",
            fixedLine: "هاتف أرضي",
            fixedLineOrMobile: "هاتف أرضي أو جوّال",
            voip: "هاتف عبر الإنترنت",
            personal: "رقم لتحويل المكالمات",
            representative: "رقم شركة",
            tollFree: "رقم مجاني",
            premium: "رقم بتعرفة خاصة",
            sharedCost: "رقم بتكلفة مشتركة",
            pager: "جهاز نداء",
            voicemail: "بريد صوتي",
            machine: "جهاز متصل",
            yes: "نعم",
            no: "لا"
        ),
        pages: Pages(
            startHeading: "تسجيل الدخول برقم الهاتف",
            startIntroduction: "تتحقق هذه الخدمة من أرقام الهواتف وتتيح تسجيل الدخول بها.",
            startDocs: "للمطوّرين: واجهة API",
            errorTitle: "خطأ",
            signInHeading: "تسجيل الدخول برقم هاتفك",
            signInIntroduction: "سنرسل إليك رمزًا لتسجيل الدخول أو إنشاء حساب.",
            phoneLabel: "رقم الهاتف",
            sendCode: "إرسال الرمز",
            sending: "جارٍ الإرسال…",
            terms: "شروط الخدمة",
            privacy: "سياسة الخصوصية",
            conjunction: " و",
            acceptance: "بالمتابعة، فإنك توافق على {{rules}}.",
            consent: "أوافق على {{rules}}.",
            sharesNumber: "سنشارك رقم هاتفك مع {{client}}.",
            keepsNumber: "لن نشارك رقم هاتفك مع {{client}}.",
            codeHeading: "أدخل الرمز",
            codeLabel: "رمز التحقق",
            codeSentBySms: "أرسلنا الرمز في رسالة نصية إلى \u{200E}{{number}}.",
            codeSentByCall: "نتصل الآن بالرقم \u{200E}{{number}} لإبلاغك بالرمز.",
            codeSentByMessenger: "أرسلنا الرمز إلى \u{200E}{{number}} عبر {{channel}}.",
            codeSentInbound: "أرسل إلينا رسالة نصية من \u{200E}{{number}}.",
            changeNumber: "تغيير الرقم",
            signIn: "تسجيل الدخول",
            signingUp: "جارٍ التحقق…",
            resendCode: "إعادة إرسال الرمز",
            resendWait: "إعادة الإرسال بعد %",
            resent: "تمت إعادة الإرسال.",
            resendReady: "لم يصلك الرمز؟",
            sendBySms: "تلقّي رسالة نصية",
            sendByCall: "تلقّي مكالمة هاتفية",
            sendByMessenger: "استخدام {{channel}}",
            sendInbound: "سأرسل رسالة بنفسي",
            noSendsLeft: "لا يمكننا إعادة إرسال الرمز حاليًا.",
            inboundHeading: "أرسل إلينا رسالة نصية",
            inboundRecipient: "إلى",
            inboundText: "الرسالة",
            inboundOpen: "فتح تطبيق الرسائل",
            inboundSent: "لقد أرسلتها",
            inboundMissing: "لم تصلنا رسالتك بعد. قد يستغرق ذلك دقيقة.",
            inboundArrived: "وصلتنا رسالتك.",
            dormantHeading: "هذا الرقم مرتبط بحساب قديم",
            dormantIntroduction: """
                لم يُستخدم الحساب منذ فترة طويلة، وقد يكون لشخص آخر. يمكنك إنشاء حساب جديد. لتسجيل الدخول إلى الحساب \
                القديم، تواصل مع فريق الدعم.
                """,
            dormantWithCode: """
                لم يُستخدم الحساب منذ فترة طويلة، وقد يكون لشخص آخر. لإنشاء حساب جديد، أدخل الرمز مرة أخرى. لتسجيل \
                الدخول إلى الحساب القديم، تواصل مع فريق الدعم.
                """,
            newAccount: "إنشاء حساب جديد",
            signedInHeading: "تم تسجيل الدخول",
            signedInAs: "أنت مسجّل الدخول بالرقم \u{200E}{{number}}.",
            signedInNote: "يمكنك إغلاق هذه الصفحة. في المرة القادمة لن تحتاج إلى رمز في هذا المتصفح.",
            signOut: "تسجيل الخروج",
            signOutHeading: "هل تريد تسجيل الخروج؟",
            signedOutHeading: "تم تسجيل الخروج",
            signedOut: "يمكنك إغلاق هذه الصفحة.",
            countryLabel: "البلد",
            countrySearch: "ابحث باسم البلد أو رمزه",
            countryNone: "لم يتم العثور على أي بلد",
            codeExpiredHeading: "انتهت صلاحية الرمز",
            codeExpiredFor: "الرموز صالحة لبضع دقائق فقط. يمكننا إرسال رمز جديد إلى \u{200E}{{number}}.",
            newCode: "إرسال رمز جديد",
            sendingFailedHeading: "تعذّر إرسال الرمز",
            sendingFailed: "لم يصل الرمز إلى \u{200E}{{number}}. تأكد من الرقم، أو حاول مرة أخرى بعد قليل.",
            challengeHeading: "لحظة من فضلك",
            challengeIntroduction: "نتأكد من أنك لست روبوتًا. يستغرق ذلك بضع ثوانٍ.",
            captchaIntroduction: "أكّد أنك لست روبوتًا للحصول على الرمز.",
            challengeBusy: "جارٍ التحقق…",
            // The seconds come last, where their noun does not depend on the number.
            challengeWait: "يُرجى الانتظار لأن JavaScript معطّل. الثواني المتبقية حتى يمكنك إرسال الرمز: %",
            challengeNeedsScript: "متصفحك لا يشغّل JavaScript. فعّله، ثم أعد تحميل هذه الصفحة.",
            limitHeading: "محاولات كثيرة جدًا",
            retryWait: "حاول مرة أخرى بعد %",
            anotherNumber: "استخدام رقم آخر",
            tryAgain: "إعادة المحاولة",
            startAgain: "البدء من جديد",
            pageExpiredHeading: "انتهت صلاحية هذه الصفحة",
            pageExpired: """
                بقيت مفتوحة مدة طويلة، أو سجّلت الدخول أو الخروج في علامة تبويب أخرى، أو أن متصفحك يحظر ملفات تعريف \
                الارتباط.
                """,
            pageReplacedHeading: "هذه الصفحة قديمة",
            pageReplaced: "لقد تابعت في علامة تبويب أو نافذة أخرى. لم يُرسل أي شيء من هذه الصفحة.",
            pageOfOtherSite: "جاء هذا النموذج من موقع آخر، لذلك لم يُنفَّذ أي إجراء.",
            goOn: "متابعة",
            linkInvalidHeading: "هذا الرابط غير صالح",
            linkInvalid: "أرسل التطبيق الذي نقلك إلى هنا طلبًا لا يمكن الوثوق به. لم نشارك معه أي شيء.",
            offline: "لا يوجد اتصال بالإنترنت. تأكد من الاتصال وحاول مرة أخرى.",
            notFoundHeading: "الصفحة غير موجودة",
            notFound: "لا توجد صفحة على هذا العنوان.",
            goToStart: "إلى صفحة البداية"
        ),
        console: Console(
            key: "مفتاح API",
            keyHint: "مفتاح بصلاحية viewer أو support أو admin:",
            keyRefused: "هذا المفتاح غير صالح أو تم إلغاؤه أو ليس مخصصًا لوحدة التحكم.",
            notSignedIn: "لم يكتمل تسجيل الدخول. حاول مرة أخرى.",
            proofTooOld: "تم التحقق من الرقم قبل بدء تسجيل الدخول هذا. حاول مرة أخرى برمز جديد.",
            refused: "لا يمكن استخدام وحدة التحكم بهذا الرقم."
        ),
        devices: Devices(
            heading: "تسجيل الدخول على جهاز",
            introduction: "أدخل الرمز الذي يظهر على جهازك أنت.",
            code: "الرمز على الجهاز",
            unknown: "لا يوجد جهاز في انتظار هذا الرمز. تحقق من الأحرف أو اطلب رمزًا جديدًا من جهازك.",
            question: "هل هذا أنت؟",
            request: "يطلب {{client}} من جهاز آخر تسجيل الدخول إلى حسابك.",
            place: "عنوان IP",
            program: "البرنامج",
            warning: """
                تابع فقط إذا بدأت تسجيل الدخول هذا بنفسك للتو وكان جهازك يعرض هذا الرمز. إذا أرسل إليك شخص ما هذا \
                الرمز أو رابطًا، فهذا احتيال: اختر «لا».
                """,
            approve: "نعم، سجّل الدخول",
            refuse: "لا",
            doneHeading: "تم تسجيل الدخول على جهازك",
            done: "يمكنك إغلاق هذه الصفحة والعودة إلى جهازك.",
            refusedHeading: "تم الرفض",
            refused: "لم يتم تسجيل دخول أي شخص. إذا أرسل إليك شخص ما هذا الرمز فلا ترد عليه."
        ),
        passkeys: Passkeys(
            signIn: "تسجيل الدخول بمفتاح مرور",
            refused: "لا يعمل مفتاح المرور هذا هنا. سجّل الدخول برقم هاتفك.",
            offerHeading: "سجّل الدخول بدون رمز في المرة القادمة",
            offer: """
                باستخدام مفتاح مرور، يمكنك تسجيل الدخول ببصمة إصبعك أو وجهك أو قفل الشاشة. ويظل بإمكانك استخدام رقم \
                هاتفك أيضًا.
                """,
            create: "إنشاء مفتاح مرور",
            skip: "ليس الآن",
            failed: "لم يتم إنشاء مفتاح المرور. يمكنك المحاولة مرة أخرى.",
            heading: "مفاتيح المرور",
            none: "ليس لديك مفاتيح مرور بعد.",
            used: "آخر استخدام: \u{200E}{{moment}}",
            name: "الاسم",
            rename: "إعادة التسمية",
            remove: "إزالة",
            ask: "تغيّر رقم هاتفك، أو لم يُستخدم مفتاح المرور هذا منذ مدة طويلة. هل ما زال مفتاحك؟",
            keep: "نعم، إنه مفتاحي"
        ),
        undo: Undo(
            heading: "تم تغيير رقم هاتفك",
            offer: "في \u{200E}{{moment}}، تم تغيير رقم الهاتف في حسابك من \u{200E}{{number}} إلى رقم آخر.",
            advice: """
                إذا كنت أنت من غيّره، فيمكنك إغلاق هذه الصفحة. وإلا، فاستعِد رقمك السابق. عندها سيعود رقم حسابك إلى \
                \u{200E}{{number}}، وسيتم تسجيل الخروج من جميع الأجهزة.
                """,
            button: "استعادة الرقم السابق",
            deadline: "يمكنك استعادة رقمك حتى \u{200E}{{moment}}.",
            undoneHeading: "تمت استعادة رقمك",
            undone: """
                عاد رقم حسابك إلى \u{200E}{{number}}، وتم تسجيل الخروج من جميع الأجهزة. سجّل الدخول مرة أخرى بهذا \
                الرقم.
                """,
            goneHeading: "انتهت صلاحية هذا الرابط",
            gone: "سبق استخدامه أو مضى عليه وقت طويل. إذا ضغطت على الزر للتو، فقد تمت استعادة رقمك.",
            takenHeading: "لا يمكن التراجع عن هذا التغيير",
            taken: "رقمك السابق مستخدم الآن في حساب آخر. تواصل مع فريق الدعم.",
            unavailableHeading: "حدث خطأ ما",
            unavailable: "انتظر قليلًا، ثم افتح الرابط الموجود في الرسالة مرة أخرى."
        ),
        inbox: Inbox(
            heading: "الرسائل التجريبية",
            note: "لم تُرسل هذه الرسائل إلى أي هاتف. الأحدث أولًا.",
            reload: "أعد تحميل الصفحة لرؤية الرسائل الجديدة.",
            empty: "لا توجد رسائل بعد.",
            copy: "نسخ",
            copied: "تم النسخ",
            filter: "تصفية حسب الرقم",
            clear: "حذف الكل",
            key: "اضغط على C لنسخ أحدث رمز.",
            message: "إلى \u{200E}{{number}}",
            call: "مكالمة إلى \u{200E}{{number}}",
            delivery: "من \u{200E}{{sender}}، الحالة {{status}}",
            failedDelivery: "من \u{200E}{{sender}}، الحالة {{status}}، خطأ {{code}}"
        ),
        call: Call(
            introduction: "مرحبًا. رمز التحقق الخاص بك في {{service}} هو:",
            repetition: "مرة أخرى، رمز التحقق هو:"
        ),
        messages: Messages(
            verification: "{{code}} هو رمز {{service}}. لا تشاركه",
            numberChange: "تم تغيير رقمك في {{service}}. لم تغيّره أنت؟ استعده: {{link}}",
            sharingWarning: "لا تشاركه",
            sharingWarningMarks: [
                "لا تشارك", "لا تُشارك", "عدم مشارك", "لا تطلع", "لا تُطلع", "لا ترسل", "لا تخبر", "لا تفصح", "لا تعط",
            ]
        )
    )
}
