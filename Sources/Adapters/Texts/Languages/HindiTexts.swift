import PhoneDomain

extension Texts {
    /// Hindi, in the form with आप and with the English words that services in India use, such as OTP for the code.
    ///
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let hindi = Texts(
        language: LanguageTag(validated: "hi"),
        englishName: "Hindi",
        regionNames: .hindi,
        failures: Failures(
            sessionNotFound: "इस डिवाइस से पहले ही साइन आउट किया जा चुका है।",
            internalError: "कोई गड़बड़ी हुई। फिर से कोशिश करें।",
            numberEmpty: "अपना मोबाइल नंबर डालें।",
            numberMalformed: """
                यह फ़ोन नंबर नहीं है। बिना एक्सटेंशन के, सिर्फ़ अंक डालें। दूसरे देश का नंबर + से शुरू करें।
                """,
            numberTooLong: "इस नंबर में अंक ज़्यादा हैं।",
            numberTooShort: "यह नंबर अधूरा है।",
            numberNeedsCountry: "नंबर को + और देश के कोड से शुरू करें।",
            numberUnsupported: "+{{code}} से शुरू होने वाले नंबरों के लिए यह सुविधा उपलब्ध नहीं है।",
            numberUnknown: "यह नंबर मौजूद नहीं है। अंक जांच लें।",
            kindLegacy: "011 और 016 से 019 वाले नंबर बंद हो चुके हैं। अपना 010 वाला नंबर डालें।",
            kindLandline: "यह लैंडलाइन नंबर है। मोबाइल नंबर डालें।",
            kindVoip: "यह इंटरनेट फ़ोन का नंबर है। मोबाइल नंबर डालें।",
            kindPersonal: "यह कॉल फ़ॉरवर्ड करने वाला नंबर है। अपना मोबाइल नंबर डालें।",
            kindCompany: "यह कंपनी का नंबर है। मोबाइल नंबर डालें।",
            kindOther: "इस नंबर पर OTP नहीं आ सकता। मोबाइल नंबर डालें।",
            // With the country's name in parentheses, where its form does not depend on the sentence.
            countryRefused: "इस देश के नंबरों के लिए यह सुविधा उपलब्ध नहीं है। कोई दूसरा नंबर डालें।",
            countryRefusedByName: """
                इस देश ({{country}}) के नंबरों के लिए यह सुविधा उपलब्ध नहीं है। कोई दूसरा नंबर डालें।
                """,
            countriesAccepted: """
                इस देश के नंबरों के लिए यह सुविधा उपलब्ध नहीं है। इनमें से किसी देश का नंबर डालें: {{countries}}।
                """,
            countriesAcceptedByName: """
                इस देश ({{country}}) के नंबरों के लिए यह सुविधा उपलब्ध नहीं है। इनमें से किसी देश का नंबर डालें: \
                {{countries}}।
                """,
            countrySeparator: ", ",
            channelUnavailable: "अभी इस नंबर पर OTP नहीं भेजा जा सकता।",
            channelOther: "इस तरीके से OTP नहीं भेजा जा सकता। कोई दूसरा विकल्प चुनें।",
            resendTooSoon: "OTP अभी-अभी भेजा गया है। {{wait}} बाद नया OTP मंगाएं।",
            tooManyCodes: "आपने बहुत बार OTP मंगाया है। {{wait}} बाद फिर से कोशिश करें।",
            rateLimited: "बहुत बार कोशिश की गई है। {{wait}} बाद फिर से कोशिश करें।",
            challengeRequired: "पहले पक्का करना होगा कि आप रोबोट नहीं हैं। फिर से कोशिश करें।",
            challengeFailed: "यह पक्का नहीं हो पाया कि आप रोबोट नहीं हैं। फिर से कोशिश करें।",
            sendDenied: "इस नंबर पर OTP नहीं भेजा जा सकता। कोई दूसरा नंबर डालें।",
            codeMalformed: "{{length}} अंकों वाला OTP डालें।",
            codeIncorrect: [.one: "OTP गलत है। 1 कोशिश बाकी है।", .other: "OTP गलत है। {{count}} कोशिशें बाकी हैं।"],
            codeIncorrectLast: "OTP गलत है। अब और कोशिश नहीं की जा सकती।",
            codeExpired: "आपके OTP की समयसीमा खत्म हो गई है। नया OTP मंगाएं।",
            maxChecksReached: "कई बार गलत OTP डाला गया है। {{wait}} बाद फिर से कोशिश करें।",
            codeMissing: "पहले इस नंबर के लिए OTP मंगाएं।",
            signupExpired: "आपका सेशन खत्म हो गया है। फिर से शुरू करें।",
            codeClosed: "यह OTP अब मान्य नहीं है। नया OTP मंगाएं।",
            notApproved: "इस नंबर की पुष्टि अभी नहीं हुई है। पहले OTP डालें।",
            accountDormant: """
                इस नंबर वाला खाता लंबे समय से इस्तेमाल नहीं हुआ है। आगे बढ़ने के लिए सहायता टीम से संपर्क करें।
                """,
            consentRequired: "आगे बढ़ने के लिए शर्तें स्वीकार करें।",
            accountSuspended: "यह खाता निलंबित है। सहायता टीम से संपर्क करें।",
            numberTaken: "यह नंबर पहले से किसी दूसरे खाते में इस्तेमाल हो रहा है।",
            changeGone: "यह बदलाव अब वापस नहीं लिया जा सकता।",
            dataTooBig: "सेव किया जाने वाला डेटा बहुत ज़्यादा है। कुछ डेटा हटाएं।",
            notSignedIn: "आप साइन इन नहीं हैं। फिर से साइन इन करें।",
            proofTooOld: "आगे बढ़ने के लिए, सुरक्षा की वजह से फिर से साइन इन करें।",
            unavailable: "सेवा फ़िलहाल उपलब्ध नहीं है। थोड़ी देर बाद फिर से कोशिश करें।",
            // The forms that come before `बाद`, which are the same for every number.
            seconds: "{{count}} सेकंड",
            minutes: "{{count}} मिनट",
            hours: "{{count}} घंटे"
        ),
        prompt: Prompt(
            codeQuestion: "OTP (r: फिर से भेजें, n: नंबर बदलें):",
            codeQuestionOrChannel: "OTP (r: फिर से भेजें, c: {{send}}, n: नंबर बदलें):",
            consentQuestion: "क्या आप सहमत हैं? (y: हां, n: नहीं)",
            sendHint: "Enter: OTP भेजें",
            signUpHint: "Enter: साइन अप करें",
            connecting: "कनेक्ट हो रहा है…",
            tryAgainHint: "Enter: फिर से कोशिश करें",
            resendHint: "r: फिर से भेजें",
            resendWait: "{{wait}} बाद फिर से भेजें",
            newCodeHint: "r: नया OTP",
            newCodeWait: "{{wait}} बाद नया OTP",
            expiryWait: "{{wait}} में समयसीमा खत्म",
            expired: "समयसीमा खत्म",
            otherNumberHint: "Esc: नंबर बदलें",
            anotherNumberWait: "दूसरा नंबर, या {{wait}} बाद नया OTP",
            phoneHint: "दूसरे देश के लिए + लगाएं",
            regionHint: "क्षेत्र {{region}} (--region से बदलें)",
            cancelHint: "Ctrl-C: रद्द करें",
            localNextSteps: ["आगे: {{show}}", "या: {{serve}}"],
            remoteNextStep: "आगे: इसी नंबर से इस खाते में साइन इन करें।",
            sent: "{{number}} पर OTP भेजा गया है।",
            sentByCall: "{{number}} पर कॉल करके OTP बताया जा रहा है।",
            sentByMessenger: "{{number}} पर {{channel}} से OTP भेजा गया है।",
            stubLabel: "टेस्ट SMS",
            signedUp: "साइन अप हो गया: {{phone}} · खाता {{account}} (नया)",
            welcomeBack: "फिर से स्वागत है: {{phone}} · खाता {{account}}",
            canceled: "साइन अप रद्द कर दिया गया।",
            inputEnded: "साइन अप पूरा होने से पहले इनपुट खत्म हो गया। पहले मोबाइल नंबर डालें, फिर OTP।",
            serverUnreachable: """
                {{server}} से कनेक्ट नहीं हो पाया। देख लें कि सर्वर चालू है और पता सही है। ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} कोई PhoneProof सर्वर नहीं है (स्टेटस {{status}})। --server में दिया गया पता जांच लें।
                """
        ),
        number: Number(
            input: "इनपुट",
            formatted: "ऐसे दिखेगा",
            isValid: "मान्य",
            kind: "प्रकार",
            region: "क्षेत्र",
            national: "देश के अंदर",
            international: "अंतरराष्ट्रीय",
            receivesCode: "OTP आ सकता है",
            mobile: "मोबाइल",
            legacyMobile: "मोबाइल, बंद हो चुका",
            fixedLine: "लैंडलाइन",
            fixedLineOrMobile: "लैंडलाइन या मोबाइल",
            voip: "इंटरनेट फ़ोन",
            personal: "कॉल फ़ॉरवर्ड करने वाला नंबर",
            representative: "कंपनी का नंबर",
            tollFree: "टोल-फ़्री",
            premium: "प्रीमियम दर",
            sharedCost: "साझा शुल्क",
            pager: "पेजर",
            voicemail: "वॉइसमेल",
            machine: "मशीन",
            yes: "हां",
            no: "नहीं"
        ),
        pages: Pages(
            startHeading: "मोबाइल नंबर से साइन इन करें",
            startIntroduction: "यह सेवा मोबाइल नंबर की पुष्टि करती है और उसी नंबर से साइन इन करने देती है।",
            startDocs: "डेवलपर के लिए: API",
            errorTitle: "गड़बड़ी",
            signInHeading: "मोबाइल नंबर से साइन इन करें",
            signInIntroduction: "साइन इन करने या खाता बनाने के लिए, आपको OTP भेजा जाएगा।",
            phoneLabel: "मोबाइल नंबर",
            sendCode: "OTP भेजें",
            sending: "भेजा जा रहा है…",
            terms: "सेवा की शर्तें",
            privacy: "गोपनीयता नीति",
            conjunction: " और ",
            // The rules come last, where the form of their names does not depend on the sentence.
            acceptance: "आगे बढ़ने का मतलब है कि आप इनसे सहमत हैं: {{rules}}।",
            consent: "मैं इनसे सहमत हूं: {{rules}}।",
            sharesNumber: "{{client}} को आपका मोबाइल नंबर मिलेगा।",
            keepsNumber: "{{client}} को आपका मोबाइल नंबर नहीं मिलेगा।",
            codeHeading: "OTP डालें",
            codeLabel: "OTP",
            codeSentBySms: "{{number}} पर SMS से OTP भेजा गया है।",
            codeSentByCall: "{{number}} पर कॉल करके OTP बताया जा रहा है।",
            codeSentByMessenger: "{{number}} पर {{channel}} से OTP भेजा गया है।",
            codeSentInbound: "{{number}} से हमें SMS भेजें।",
            changeNumber: "नंबर बदलें",
            signIn: "साइन इन करें",
            signingUp: "जांच हो रही है…",
            resendCode: "OTP फिर से भेजें",
            resendWait: "% बाद फिर से भेजें",
            resent: "OTP फिर से भेजा गया।",
            resendReady: "OTP नहीं मिला?",
            sendBySms: "SMS से पाएं",
            sendByCall: "कॉल से पाएं",
            sendByMessenger: "{{channel}} से पाएं",
            sendInbound: "खुद SMS भेजें",
            noSendsLeft: "अभी OTP फिर से नहीं भेजा जा सकता।",
            inboundHeading: "हमें SMS भेजें",
            inboundRecipient: "इस नंबर पर",
            inboundText: "मैसेज",
            inboundOpen: "मैसेज ऐप खोलें",
            inboundSent: "मैंने भेज दिया",
            inboundMissing: "आपका SMS अभी नहीं मिला है। इसमें एक मिनट लग सकता है।",
            inboundArrived: "आपका SMS मिल गया।",
            dormantHeading: "यह नंबर एक पुराने खाते से जुड़ा है",
            dormantIntroduction: """
                वह खाता लंबे समय से इस्तेमाल नहीं हुआ है और किसी और का हो सकता है। चाहें तो नया खाता बनाएं। पुराने \
                खाते में साइन इन करने के लिए, सहायता टीम से संपर्क करें।
                """,
            dormantWithCode: """
                वह खाता लंबे समय से इस्तेमाल नहीं हुआ है और किसी और का हो सकता है। नया खाता बनाने के लिए, OTP फिर से \
                डालें। पुराने खाते में साइन इन करने के लिए, सहायता टीम से संपर्क करें।
                """,
            newAccount: "नया खाता बनाएं",
            signedInHeading: "आपने साइन इन कर लिया है",
            signedInAs: "{{number}} से साइन इन किया गया है।",
            signedInNote: "चाहें तो यह पेज बंद कर दें। अगली बार इस ब्राउज़र में OTP की ज़रूरत नहीं होगी।",
            signOut: "साइन आउट करें",
            signOutHeading: "क्या साइन आउट करना है?",
            signedOutHeading: "साइन आउट हो गया",
            signedOut: "चाहें तो यह पेज बंद कर दें।",
            countryLabel: "देश",
            countrySearch: "देश का नाम या कोड खोजें",
            countryNone: "कोई देश नहीं मिला",
            codeExpiredHeading: "आपके OTP की समयसीमा खत्म हो गई है",
            codeExpiredFor: "OTP सिर्फ़ कुछ मिनट तक काम करता है। {{number}} पर नया OTP भेजा जा सकता है।",
            newCode: "नया OTP भेजें",
            sendingFailedHeading: "OTP नहीं भेजा जा सका",
            sendingFailed: "OTP {{number}} पर नहीं पहुंचा। नंबर जांच लें या थोड़ी देर बाद फिर से कोशिश करें।",
            challengeHeading: "थोड़ा इंतज़ार करें",
            challengeIntroduction: "हम पक्का कर रहे हैं कि आप रोबोट नहीं हैं। इसमें कुछ सेकंड लगेंगे।",
            captchaIntroduction: "OTP पाने के लिए, पुष्टि करें कि आप रोबोट नहीं हैं।",
            challengeBusy: "जांच हो रही है…",
            challengeWait: "JavaScript बंद है, इसलिए थोड़ा इंतज़ार करें। OTP % सेकंड में भेजा जा सकेगा।",
            challengeNeedsScript: "आपके ब्राउज़र में JavaScript बंद है। उसे चालू करें, फिर यह पेज दोबारा लोड करें।",
            limitHeading: "बहुत बार कोशिश की गई",
            retryWait: "% बाद फिर से कोशिश करें",
            anotherNumber: "दूसरा नंबर डालें",
            tryAgain: "फिर से कोशिश करें",
            startAgain: "फिर से शुरू करें",
            pageExpiredHeading: "इस पेज की समयसीमा खत्म हो गई है",
            pageExpired: """
                यह बहुत देर से खुला था, आपने किसी दूसरे टैब में साइन इन या साइन आउट किया, या आपका ब्राउज़र कुकी ब्लॉक \
                कर रहा है।
                """,
            pageReplacedHeading: "यह पेज पुराना हो गया है",
            pageReplaced: "आप किसी दूसरे टैब या विंडो में आगे बढ़ चुके हैं। इस पेज से कुछ नहीं भेजा गया।",
            pageOfOtherSite: "यह फ़ॉर्म किसी दूसरी वेबसाइट से आया था, इसलिए कुछ नहीं किया गया।",
            goOn: "आगे बढ़ें",
            linkInvalidHeading: "यह लिंक मान्य नहीं है",
            linkInvalid: """
                आपको यहां भेजने वाले ऐप के अनुरोध पर भरोसा नहीं किया जा सकता। उसके साथ कोई जानकारी शेयर नहीं की गई।
                """,
            offline: "इंटरनेट कनेक्शन नहीं है। कनेक्शन जांचें और फिर से कोशिश करें।",
            notFoundHeading: "पेज नहीं मिला",
            notFound: "इस पते पर कोई पेज नहीं है।",
            goToStart: "शुरुआती पेज पर जाएं"
        ),
        console: Console(
            key: "API कुंजी",
            keyHint: "viewer, support या admin स्कोप वाली API कुंजी:",
            keyRefused: "यह API कुंजी मान्य नहीं है, रद्द हो चुकी है या कंसोल के लिए नहीं है।",
            notSignedIn: "साइन इन पूरा नहीं हुआ। फिर से कोशिश करें।",
            proofTooOld: "नंबर की पुष्टि इस साइन इन से पहले हुई थी। नए OTP से फिर कोशिश करें।",
            refused: "इस नंबर को कंसोल खोलने की अनुमति नहीं है।"
        ),
        devices: Devices(
            heading: "किसी डिवाइस पर साइन इन करें",
            introduction: "वह कोड डालें जो आपके अपने डिवाइस पर दिख रहा है।",
            code: "डिवाइस पर दिख रहा कोड",
            unknown: "इस कोड के साथ कोई डिवाइस इंतज़ार नहीं कर रहा है। अक्षर जांचें या डिवाइस पर नया कोड लें।",
            question: "क्या यह आप हैं?",
            request: "किसी दूसरे डिवाइस पर {{client}} आपके खाते में साइन इन करने का अनुरोध कर रहा है।",
            place: "IP पता",
            program: "प्रोग्राम",
            warning: """
                तभी आगे बढ़ें जब आपने अभी खुद यह शुरू किया हो और आपके डिवाइस पर यही कोड दिख रहा हो। अगर किसी ने आपको \
                यह कोड या कोई लिंक भेजा है, तो यह धोखा है: “नहीं” चुनें।
                """,
            approve: "हां, साइन इन करें",
            refuse: "नहीं",
            doneHeading: "आपके डिवाइस पर साइन इन हो गया",
            done: "आप यह पेज बंद करके अपने डिवाइस पर लौट सकते हैं।",
            refusedHeading: "मना कर दिया गया",
            refused: "किसी का साइन इन नहीं हुआ। अगर किसी ने आपको कोड भेजा है, तो उसे जवाब न दें।"
        ),
        passkeys: Passkeys(
            signIn: "पासकी से साइन इन करें",
            refused: "यह पासकी यहां काम नहीं करती। अपने मोबाइल नंबर से साइन इन करें।",
            offerHeading: "अगली बार बिना OTP के साइन इन करें",
            offer: """
                पासकी से आप फ़िंगरप्रिंट, चेहरे या स्क्रीन लॉक से साइन इन करते हैं। आपका मोबाइल नंबर भी काम करता रहेगा।
                """,
            create: "पासकी बनाएं",
            skip: "अभी नहीं",
            failed: "पासकी नहीं बनी। आप फिर से कोशिश कर सकते हैं।",
            heading: "पासकी",
            none: "अभी आपके पास कोई पासकी नहीं है।",
            used: "पिछली बार इस्तेमाल: {{moment}}",
            name: "नाम",
            rename: "नाम बदलें",
            remove: "हटाएं",
            ask: "आपका मोबाइल नंबर बदल गया है या यह पासकी लंबे समय से इस्तेमाल नहीं हुई है। क्या यह अब भी आपकी है?",
            keep: "हां, मेरी है"
        ),
        undo: Undo(
            heading: "आपका मोबाइल नंबर बदला गया है",
            offer: "{{moment}} को आपके खाते का मोबाइल नंबर {{number}} से बदलकर कोई दूसरा नंबर कर दिया गया।",
            advice: """
                अगर यह बदलाव आपने किया है, तो यह पेज बंद कर दें। अगर नहीं, तो पुराना नंबर वापस लाएं। आपका नंबर फिर से \
                {{number}} हो जाएगा और सभी डिवाइस से साइन आउट हो जाएगा।
                """,
            button: "पुराना नंबर वापस लाएं",
            deadline: "पुराना नंबर {{moment}} तक वापस लाया जा सकता है।",
            undoneHeading: "आपका नंबर वापस आ गया",
            undone: """
                आपके खाते का नंबर फिर से {{number}} है। सभी डिवाइस से साइन आउट कर दिया गया है। इसी नंबर से फिर से साइन \
                इन करें।
                """,
            goneHeading: "इस लिंक की समयसीमा खत्म हो गई है",
            gone: """
                इसका इस्तेमाल हो चुका है या यह बहुत पुराना है। अगर आपने अभी-अभी बटन दबाया है, तो पुराना नंबर वापस आ \
                चुका है।
                """,
            takenHeading: "यह बदलाव वापस नहीं लिया जा सकता",
            taken: "आपका पिछला नंबर अब किसी दूसरे खाते में इस्तेमाल हो रहा है। सहायता टीम से संपर्क करें।",
            unavailableHeading: "कोई गड़बड़ी हुई",
            unavailable: "थोड़ी देर रुकें, फिर मैसेज में दिया गया लिंक दोबारा खोलें।"
        ),
        inbox: Inbox(
            heading: "टेस्ट SMS का इनबॉक्स",
            note: "ये मैसेज किसी फ़ोन पर नहीं भेजे गए हैं। सबसे नया मैसेज सबसे ऊपर है।",
            reload: "नए मैसेज देखने के लिए पेज फिर से लोड करें।",
            empty: "अभी कोई मैसेज नहीं है।",
            copy: "कॉपी करें",
            copied: "कॉपी हो गया",
            filter: "नंबर से फ़िल्टर करें",
            clear: "सब हटाएं",
            key: "सबसे नया OTP कॉपी करने के लिए C दबाएं।",
            message: "{{number}} को मैसेज",
            call: "{{number}} को कॉल",
            delivery: "{{sender}} से, {{status}}",
            failedDelivery: "{{sender}} से, {{status}}, गड़बड़ी {{code}}"
        ),
        call: Call(
            introduction: "नमस्ते। {{service}} के लिए आपका OTP है:",
            repetition: "एक बार फिर, आपका OTP है:"
        ),
        messages: Messages(
            verification: "OTP {{code}} ({{service}}) शेयर न करें",
            numberChange: "{{service}} पर आपका नंबर बदला गया। आपने नहीं बदला? वापस लाएं: {{link}}",
            // Another phrase than in `verification`, since a letter more would be too long below a text of its length.
            sharingWarning: "गुप्त रखें",
            sharingWarningMarks: [
                "शेयर न", "शेयर ना", "साझा न", "न बताएं", "न बताएँ", "ना बताएं", "ना बताएँ", "नहीं बताएं", "न बतायें",
                " न दें", "गुप्त रखें", "गोपनीय रखें", "not share", "n't share", "never share",
            ]
        )
    )
}
