import PhoneDomain
import PhoneNumbers

extension Texts {
    /// German, with the formal address.
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let german = Texts(
        language: LanguageTag(validated: "de"),
        englishName: "German",
        regionNames: .german,
        failures: Failures(
            sessionNotFound: "Dieses Gerät ist bereits abgemeldet.",
            internalError: "Etwas ist schiefgelaufen. Versuchen Sie es erneut.",
            numberEmpty: "Geben Sie Ihre Telefonnummer ein.",
            numberMalformed: """
                Das ist keine Telefonnummer. Geben Sie nur Ziffern ein, ohne Durchwahl. Auslandsnummern beginnen mit +.
                """,
            numberTooLong: "Diese Nummer hat zu viele Ziffern.",
            numberTooShort: "Diese Nummer ist unvollständig.",
            numberNeedsCountry: "Beginnen Sie die Nummer mit + und der Landesvorwahl.",
            numberUnsupported: "Nummern, die mit +{{code}} beginnen, werden nicht unterstützt.",
            numberUnknown: "Diese Nummer gibt es nicht. Prüfen Sie die Ziffern.",
            kindLegacy: "Nummern mit 011 und 016–019 sind nicht mehr in Betrieb. Verwenden Sie Ihre 010-Nummer.",
            kindLandline: "Das ist eine Festnetznummer. Verwenden Sie eine Handynummer.",
            kindVoip: "Das ist eine Nummer für Internettelefonie. Verwenden Sie eine Handynummer.",
            kindPersonal: "Das ist eine Weiterleitungsnummer. Verwenden Sie Ihre eigene Handynummer.",
            kindCompany: "Das ist eine Firmennummer. Verwenden Sie eine Handynummer.",
            kindOther: "Diese Nummer kann keine Codes empfangen. Verwenden Sie eine Handynummer.",
            countryRefused: "Nummern aus diesem Land werden nicht unterstützt. Verwenden Sie eine andere.",
            countryRefusedByName: """
                Nummern aus diesem Land ({{country}}) werden nicht unterstützt. Verwenden Sie eine andere.
                """,
            countriesAccepted: "Nummern aus diesem Land werden nicht unterstützt. Unterstützt: {{countries}}.",
            countriesAcceptedByName: """
                Nummern aus diesem Land ({{country}}) werden nicht unterstützt. Unterstützt: {{countries}}.
                """,
            countrySeparator: ", ",
            channelUnavailable: "An diese Nummer können wir gerade keinen Code senden.",
            channelOther: "Auf diesem Weg können wir keinen Code senden. Wählen Sie einen anderen.",
            resendTooSoon: "Ein Code ist unterwegs. Sie können ihn in {{wait}} erneut anfordern.",
            tooManyCodes: "Zu viele Codes angefordert. Versuchen Sie es in {{wait}} erneut.",
            rateLimited: "Zu viele Anfragen. Versuchen Sie es in {{wait}} erneut.",
            challengeRequired: "Wir müssen prüfen, ob Sie ein Mensch sind. Versuchen Sie es erneut.",
            challengeFailed: "Wir konnten nicht bestätigen, dass Sie ein Mensch sind. Versuchen Sie es erneut.",
            sendDenied: "An diese Nummer können wir keinen Code senden. Verwenden Sie eine andere.",
            codeMalformed: "Geben Sie den {{length}}-stelligen Code ein.",
            codeIncorrect: [
                .one: "Falscher Code. Sie haben noch 1 Versuch.",
                .other: "Falscher Code. Sie haben noch {{count}} Versuche.",
            ],
            codeIncorrectLast: "Falscher Code. Sie haben keine Versuche mehr.",
            codeExpired: "Ihr Code ist abgelaufen. Fordern Sie einen neuen an.",
            maxChecksReached: "Zu viele falsche Codes. Versuchen Sie es in {{wait}} erneut.",
            codeMissing: "Fordern Sie zuerst einen Code für diese Nummer an.",
            signupExpired: "Ihre Sitzung ist abgelaufen. Beginnen Sie von vorn.",
            codeClosed: "Dieser Code ist nicht mehr gültig. Fordern Sie einen neuen an.",
            notApproved: "Diese Nummer ist noch nicht bestätigt. Geben Sie zuerst den Code ein.",
            accountDormant: "Das Konto mit dieser Nummer wurde lange nicht genutzt. Wenden Sie sich an den Support.",
            consentRequired: "Akzeptieren Sie die Bedingungen, um fortzufahren.",
            accountSuspended: "Dieses Konto ist gesperrt. Wenden Sie sich an den Support.",
            numberTaken: "Diese Nummer wird bereits von einem anderen Konto verwendet.",
            changeGone: "Diese Änderung lässt sich nicht mehr rückgängig machen.",
            dataTooBig: "Das sind zu viele Daten zum Speichern. Entfernen Sie einen Teil davon.",
            notSignedIn: "Sie sind abgemeldet. Melden Sie sich wieder an.",
            proofTooOld: "Melden Sie sich zu Ihrer Sicherheit erneut an, um fortzufahren.",
            unavailable: "Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal.",
            seconds: [.one: "{{count}} Sekunde", .other: "{{count}} Sekunden"],
            minutes: [.one: "{{count}} Minute", .other: "{{count}} Minuten"],
            hours: [.one: "{{count}} Stunde", .other: "{{count}} Stunden"]
        ),
        prompt: Prompt(
            codeQuestion: "Code (r: erneut senden, n: Nummer ändern):",
            codeQuestionOrChannel: "Code (r: erneut senden, c: {{send}}, n: Nummer ändern):",
            consentQuestion: "Einverstanden? (y: ja, n: nein)",
            sendHint: "Enter: Code senden",
            signUpHint: "Enter: registrieren",
            connecting: "wird verbunden …",
            tryAgainHint: "Enter: erneut versuchen",
            resendHint: "r: erneut senden",
            resendWait: "erneut senden in {{wait}}",
            newCodeHint: "r: neuer Code",
            newCodeWait: "neuer Code in {{wait}}",
            expiryWait: "läuft in {{wait}} ab",
            expired: "abgelaufen",
            otherNumberHint: "Esc: Nummer ändern",
            anotherNumberWait: "andere Nummer oder neuer Code in {{wait}}",
            phoneHint: "+ für andere Länder",
            regionHint: "Region {{region}} (ändern: --region)",
            cancelHint: "Strg-C: abbrechen",
            localNextSteps: ["Weiter: {{show}}", "oder:   {{serve}}"],
            remoteNextStep: "Nächster Schritt: Melden Sie sich mit derselben Nummer bei diesem Konto an.",
            sent: "Code an {{number}} gesendet.",
            sentByCall: "Wir rufen {{number}} an und sagen Ihnen den Code.",
            sentByMessenger: "Code per {{channel}} an {{number}} gesendet.",
            stubLabel: "SMS-Stub",
            signedUp: "Registriert: {{phone}} · Konto {{account}} (neu)",
            welcomeBack: "Willkommen zurück: {{phone}} · Konto {{account}}",
            canceled: "Registrierung abgebrochen.",
            inputEnded: "Die Eingabe endete zu früh. Geben Sie eine Telefonnummer ein, danach den Code.",
            serverUnreachable: """
                {{server}} ist nicht erreichbar. Prüfen Sie, ob der Server läuft und die Adresse stimmt. ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} ist kein PhoneProof-Server (Status {{status}}). Prüfen Sie die Adresse hinter --server.
                """
        ),
        number: Number(
            input: "Eingabe",
            formatted: "Anzeige",
            isValid: "Gültig",
            kind: "Art",
            region: "Region",
            national: "National",
            international: "International",
            receivesCode: "Empfängt Codes",
            mobile: "Mobilfunk",
            legacyMobile: "Mobilfunk, außer Betrieb",
            fixedLine: "Festnetz",
            fixedLineOrMobile: "Festnetz oder Mobilfunk",
            voip: "Internettelefonie",
            personal: "Weiterleitungsnummer",
            representative: "Firmennummer",
            tollFree: "gebührenfrei",
            premium: "Mehrwertdienst",
            sharedCost: "geteilte Kosten",
            pager: "Pager",
            voicemail: "Mailbox",
            machine: "Maschine (M2M)",
            yes: "ja",
            no: "nein"
        ),
        pages: Pages(
            startHeading: "Anmelden per Telefon",
            startIntroduction: "Mit diesem Dienst bestätigen Sie Ihre Telefonnummer und melden sich damit an.",
            startDocs: "Für Entwickler: die API",
            errorTitle: "Fehler",
            signInHeading: "Mit Telefonnummer anmelden",
            signInIntroduction: "Sie erhalten einen Code, um sich anzumelden oder ein Konto zu erstellen.",
            phoneLabel: "Telefonnummer",
            sendCode: "Code senden",
            sending: "wird gesendet …",
            terms: "Nutzungsbedingungen",
            privacy: "Datenschutzerklärung",
            // With the article of the second name; that of the first is in the sentence.
            conjunction: " und die ",
            acceptance: "Wenn Sie fortfahren, akzeptieren Sie die {{rules}}.",
            consent: "Ich akzeptiere die {{rules}}.",
            sharesNumber: "{{client}} erhält Ihre Telefonnummer.",
            keepsNumber: "{{client}} erhält Ihre Telefonnummer nicht.",
            codeHeading: "Code eingeben",
            codeLabel: "Code",
            codeSentBySms: "Wir haben einen Code per SMS an {{number}} gesendet.",
            codeSentByCall: "Wir rufen {{number}} an und sagen Ihnen den Code.",
            codeSentByMessenger: "Wir haben einen Code per {{channel}} an {{number}} gesendet.",
            codeSentInbound: "Senden Sie uns eine SMS von der Nummer {{number}}.",
            changeNumber: "Nummer ändern",
            signIn: "Anmelden",
            signingUp: "wird geprüft …",
            resendCode: "Code erneut senden",
            resendWait: "Erneut senden in %",
            resent: "Erneut gesendet.",
            resendReady: "Keinen Code erhalten?",
            sendBySms: "Per SMS erhalten",
            sendByCall: "Per Anruf erhalten",
            sendByMessenger: "Per {{channel}} erhalten",
            sendInbound: "Selbst eine SMS senden",
            noSendsLeft: "Wir können den Code gerade nicht erneut senden.",
            inboundHeading: "Senden Sie uns eine SMS",
            inboundRecipient: "An",
            inboundText: "Nachricht",
            inboundOpen: "Nachrichten-App öffnen",
            inboundSent: "Ich habe sie gesendet",
            inboundMissing: "Ihre SMS ist noch nicht angekommen. Das kann eine Minute dauern.",
            inboundArrived: "Ihre SMS ist angekommen.",
            dormantHeading: "Zu dieser Nummer gibt es ein altes Konto",
            dormantIntroduction: """
                Das Konto wurde lange nicht genutzt und gehört vielleicht jemand anderem. Sie können ein neues \
                erstellen. Um sich beim alten Konto anzumelden, wenden Sie sich an den Support.
                """,
            dormantWithCode: """
                Das Konto wurde lange nicht genutzt und gehört vielleicht jemand anderem. Für ein neues Konto geben \
                Sie den Code erneut ein. Um sich beim alten Konto anzumelden, wenden Sie sich an den Support.
                """,
            newAccount: "Neues Konto erstellen",
            signedInHeading: "Sie sind angemeldet",
            signedInAs: "Angemeldet mit der Nummer {{number}}.",
            signedInNote: "Sie können diese Seite schließen. In diesem Browser brauchen Sie künftig keinen Code.",
            signOut: "Abmelden",
            signOutHeading: "Möchten Sie sich abmelden?",
            signedOutHeading: "Sie sind abgemeldet",
            signedOut: "Sie können diese Seite schließen.",
            countryLabel: "Land",
            countrySearch: "Name oder Vorwahl suchen",
            countryNone: "Kein Land gefunden",
            codeExpiredHeading: "Ihr Code ist abgelaufen",
            codeExpiredFor: "Codes gelten nur wenige Minuten. Wir können einen neuen an {{number}} senden.",
            newCode: "Neuen Code senden",
            sendingFailedHeading: "Der Code konnte nicht gesendet werden",
            sendingFailed: """
                Ihr Code ist unter {{number}} nicht angekommen. Prüfen Sie die Nummer oder versuchen Sie es gleich \
                noch einmal.
                """,
            challengeHeading: "Einen Moment bitte",
            challengeIntroduction: "Wir prüfen, ob Sie ein Mensch sind. Das dauert ein paar Sekunden.",
            captchaIntroduction: "Bestätigen Sie, dass Sie ein Mensch sind, um Ihren Code zu erhalten.",
            challengeBusy: "Wird geprüft …",
            challengeWait: "Ohne JavaScript müssen Sie kurz warten. In % s können Sie den Code senden.",
            challengeNeedsScript: "Schalten Sie JavaScript im Browser ein und laden Sie diese Seite neu.",
            limitHeading: "Zu viele Versuche",
            retryWait: "Neuer Versuch möglich in %",
            anotherNumber: "Andere Nummer verwenden",
            tryAgain: "Erneut versuchen",
            startAgain: "Von vorn beginnen",
            pageExpiredHeading: "Diese Seite ist abgelaufen",
            pageExpired: """
                Mögliche Gründe: zu lange geöffnet, An- oder Abmeldung in einem anderen Tab, blockierte Cookies.
                """,
            pageReplacedHeading: "Diese Seite ist nicht mehr aktuell",
            pageReplaced: "Sie sind in einem anderen Tab oder Fenster schon weiter. Hier wurde nichts gesendet.",
            pageOfOtherSite: "Dieses Formular kam von einer anderen Website. Deshalb wurde nichts ausgeführt.",
            goOn: "Weiter",
            linkInvalidHeading: "Dieser Link ist ungültig",
            linkInvalid: """
                Die Anfrage der App, von der Sie kommen, ist nicht vertrauenswürdig. Es wurden keine Daten \
                weitergegeben.
                """,
            offline: "Sie sind offline. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
            notFoundHeading: "Seite nicht gefunden",
            notFound: "Unter dieser Adresse gibt es keine Seite.",
            goToStart: "Zur Startseite"
        ),
        console: Console(
            key: "API-Schlüssel",
            keyHint: "Ein Schlüssel mit dem Scope viewer, support oder admin:",
            keyRefused: "Dieser Schlüssel ist ungültig, wurde widerrufen oder ist nicht für die Konsole bestimmt.",
            notSignedIn: "Die Anmeldung wurde nicht abgeschlossen. Versuchen Sie es erneut.",
            proofTooOld: """
                Die Nummer wurde schon vor dieser Anmeldung bestätigt. Versuchen Sie es mit einem neuen Code.
                """,
            refused: "Diese Nummer hat keinen Zugang zur Konsole."
        ),
        devices: Devices(
            heading: "Auf einem Gerät anmelden",
            introduction: "Geben Sie den Code ein, den Ihr eigenes Gerät anzeigt.",
            code: "Code auf dem Gerät",
            unknown: """
                Zu diesem Code wartet kein Gerät. Prüfen Sie die Buchstaben oder lassen Sie das Gerät einen neuen Code \
                anzeigen.
                """,
            question: "Sind Sie das?",
            request: "{{client}} auf einem anderen Gerät möchte mit Ihrem Konto angemeldet werden.",
            place: "IP-Adresse",
            program: "Programm",
            warning: """
                Fahren Sie nur fort, wenn Sie diese Anmeldung gerade selbst begonnen haben und Ihr Gerät diesen Code \
                anzeigt. Hat Ihnen jemand den Code oder einen Link geschickt, ist es Betrug: Wählen Sie „Nein“.
                """,
            approve: "Ja, anmelden",
            refuse: "Nein",
            doneHeading: "Ihr Gerät ist angemeldet",
            done: "Sie können diese Seite schließen und zu Ihrem Gerät zurückkehren.",
            refusedHeading: "Abgelehnt",
            refused: "Niemand wurde angemeldet. Hat Ihnen jemand den Code geschickt, antworten Sie nicht."
        ),
        passkeys: Passkeys(
            signIn: "Mit Passkey anmelden",
            refused: "Dieser Passkey funktioniert hier nicht. Melden Sie sich mit Ihrer Telefonnummer an.",
            offerHeading: "Beim nächsten Mal ohne Code anmelden",
            offer: """
                Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Bildschirmsperre an. Ihre \
                Telefonnummer funktioniert weiterhin.
                """,
            create: "Passkey erstellen",
            skip: "Nicht jetzt",
            failed: "Der Passkey wurde nicht erstellt. Sie können es erneut versuchen.",
            heading: "Passkeys",
            none: "Sie haben noch keine Passkeys.",
            used: "Zuletzt verwendet: {{moment}}",
            name: "Name",
            rename: "Umbenennen",
            remove: "Entfernen",
            ask: """
                Ihre Telefonnummer hat sich geändert, oder dieser Passkey wurde lange nicht verwendet. Gehört er noch \
                Ihnen?
                """,
            keep: "Er gehört mir"
        ),
        undo: Undo(
            heading: "Ihre Telefonnummer wurde geändert",
            offer: "Am {{moment}} wurde die Telefonnummer Ihres Kontos von {{number}} in eine andere geändert.",
            advice: """
                Wenn Sie das waren, können Sie diese Seite schließen. Wenn nicht, machen Sie die Änderung rückgängig. \
                Ihre Nummer ist dann wieder {{number}}, und alle Geräte werden abgemeldet.
                """,
            button: "Rückgängig machen",
            deadline: "Das ist bis {{moment}} möglich.",
            undoneHeading: "Ihre Nummer ist wiederhergestellt",
            undone: """
                Ihr Konto hat wieder die Nummer {{number}}. Melden Sie sich damit wieder an, da alle Geräte abgemeldet \
                wurden.
                """,
            goneHeading: "Dieser Link ist abgelaufen",
            gone: """
                Er wurde bereits verwendet oder ist zu alt. Wenn Sie gerade auf „Rückgängig machen“ geklickt haben, \
                wurde die Änderung rückgängig gemacht.
                """,
            takenHeading: "Die Änderung lässt sich nicht rückgängig machen",
            taken: "Ihre frühere Nummer gehört jetzt zu einem anderen Konto. Wenden Sie sich an den Support.",
            unavailableHeading: "Etwas ist schiefgelaufen",
            unavailable: "Warten Sie kurz und öffnen Sie den Link aus der Nachricht noch einmal."
        ),
        inbox: Inbox(
            heading: "Posteingang des SMS-Stubs",
            note: "Diese Nachrichten wurden an kein Telefon gesendet. Die neuesten stehen oben.",
            reload: "Laden Sie die Seite neu, um neue Nachrichten zu sehen.",
            empty: "Noch keine Nachrichten.",
            copy: "Kopieren",
            copied: "Kopiert",
            filter: "Nummer suchen",
            clear: "Leeren",
            key: "Mit der Taste C kopieren Sie den neuesten Code.",
            message: "An {{number}}",
            call: "Anruf an {{number}}",
            delivery: "Von {{sender}}, {{status}}",
            failedDelivery: "Von {{sender}}, {{status}}, Fehler {{code}}"
        ),
        call: Call(
            introduction: "Guten Tag. Ihr Code für {{service}} lautet:",
            repetition: "Noch einmal, Ihr Code lautet:"
        ),
        // In the letters of GSM-7, which has the umlauts and ß.
        messages: Messages(
            verification: """
                {{code}} ist Ihr Code für {{service}}. Er ist {{minutes}} Min. gültig. Bitte nicht weitergeben.
                """,
            numberChange: """
                Ihre Handynummer bei {{service}} wurde geändert. Das waren nicht Sie? Rückgängig machen: {{link}}
                """,
            sharingWarning: "Bitte nicht weitergeben.",
            sharingWarningMarks: [
                "nicht weiter", "niemals weiter", "nicht teilen", "nicht mit anderen", "nicht an dritte", "niemand",
                "geheim",
            ]
        )
    )
}
