import PhoneDomain

/// German, with the formal address.
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct GermanTexts: Texts {
    let language = LanguageTag(validated: "de")
    let englishName = "German"
    var regionNames: RegionNames { .german }
}

// Failures.
extension GermanTexts {
    var sessionNotFound: String { "Dieses Gerät ist bereits abgemeldet." }
    var internalError: String { "Etwas ist schiefgelaufen. Versuchen Sie es erneut." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty:
            "An diese Nummer können wir gerade keinen Code senden."
        case .channelUnavailable: "Auf diesem Weg können wir keinen Code senden. Wählen Sie einen anderen."
        case .resendTooSoon(let moment): "Ein Code ist unterwegs. Sie können ihn in \(wait(moment)) erneut anfordern."
        case .maxSendsReached(let moment): "Zu viele Codes angefordert. Versuchen Sie es in \(wait(moment)) erneut."
        case .rateLimited(_, let moment): "Zu viele Anfragen. Versuchen Sie es in \(wait(moment)) erneut."
        case .challengeRequired: "Wir müssen prüfen, ob Sie ein Mensch sind. Versuchen Sie es erneut."
        case .challengeFailed: "Wir konnten nicht bestätigen, dass Sie ein Mensch sind. Versuchen Sie es erneut."
        case .sendDenied: "An diese Nummer können wir keinen Code senden. Verwenden Sie eine andere."
        case .malformedCode(let length): "Geben Sie den \(length)-stelligen Code ein."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Falscher Code. Sie haben keine Versuche mehr."
        case .codeIncorrect(let checked) where checked.checksLeft == 1: "Falscher Code. Sie haben noch 1 Versuch."
        case .codeIncorrect(let checked): "Falscher Code. Sie haben noch \(checked.checksLeft) Versuche."
        case .codeExpired: "Ihr Code ist abgelaufen. Fordern Sie einen neuen an."
        case .maxChecksReached(let moment): "Zu viele falsche Codes. Versuchen Sie es in \(wait(moment)) erneut."
        case .verificationNotFound: "Fordern Sie zuerst einen Code für diese Nummer an."
        case .signupNotFound: "Ihre Sitzung ist abgelaufen. Beginnen Sie von vorn."
        case .verificationClosed: "Dieser Code ist nicht mehr gültig. Fordern Sie einen neuen an."
        case .verificationNotApproved: "Diese Nummer ist noch nicht bestätigt. Geben Sie zuerst den Code ein."
        case .accountDormant: "Das Konto mit dieser Nummer wurde lange nicht genutzt. Wenden Sie sich an den Support."
        case .consentRequired: "Akzeptieren Sie die Bedingungen, um fortzufahren."
        case .accountSuspended: "Dieses Konto ist gesperrt. Wenden Sie sich an den Support."
        case .numberTaken: "Diese Nummer wird bereits von einem anderen Konto verwendet."
        case .numberChangeNotFound: "Diese Änderung lässt sich nicht mehr rückgängig machen."
        case .invalidMetadata: "Das sind zu viele Daten zum Speichern. Entfernen Sie einen Teil davon."
        case .notSignedIn, .keyInvalid: "Sie sind abgemeldet. Melden Sie sich wieder an."
        case .proofTooOld: "Melden Sie sich zu Ihrer Sicherheit erneut an, um fortzufahren."
        case .unavailable: "Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Geben Sie Ihre Telefonnummer ein."
        case .notANumber:
            "Das ist keine Telefonnummer. Geben Sie nur Ziffern ein, ohne Durchwahl. Auslandsnummern beginnen mit +."
        case .tooLong: "Diese Nummer hat zu viele Ziffern."
        case .tooShort: "Diese Nummer ist unvollständig."
        case .unknownRegion: "Beginnen Sie die Nummer mit + und der Landesvorwahl."
        case .unsupportedCallingCode(let code): "Nummern, die mit +\(code) beginnen, werden nicht unterstützt."
        case .noSuchNumber: "Diese Nummer gibt es nicht. Prüfen Sie die Ziffern."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Nummern mit 011 und 016–019 sind nicht mehr in Betrieb. Verwenden Sie Ihre 010-Nummer."
        case .fixedLine: "Das ist eine Festnetznummer. Verwenden Sie eine Handynummer."
        case .voip: "Das ist eine Nummer für Internettelefonie. Verwenden Sie eine Handynummer."
        case .personal: "Das ist eine Weiterleitungsnummer. Verwenden Sie Ihre eigene Handynummer."
        case .representative: "Das ist eine Firmennummer. Verwenden Sie eine Handynummer."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Diese Nummer kann keine Codes empfangen. Verwenden Sie eine Handynummer."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "Nummern aus diesem Land\(region.map { " (\(name(of: $0)))" } ?? "") werden nicht unterstützt."
        guard (1...5).contains(allowed.count) else { return reason + " Verwenden Sie eine andere." }
        return reason + " Unterstützt: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { [.one: "{{count}} Sekunde", .other: "{{count}} Sekunden"] }
    var minutes: PluralForms { [.one: "{{count}} Minute", .other: "{{count}} Minuten"] }
    var hours: PluralForms { [.one: "{{count}} Stunde", .other: "{{count}} Stunden"] }
}

// Prompt.
extension GermanTexts {
    var phoneLabel: String { "Telefonnummer" }
    var codeLabel: String { "Code" }
    func codeQuestion(or channel: Channel?) -> String {
        "Code (r: erneut senden\(channel.map { ", c: " + send(by: $0) } ?? ""), n: Nummer ändern):"
    }
    var consentQuestion: String { "Einverstanden? (y: ja, n: nein)" }
    var sendHint: String { "Enter: Code senden" }
    var signUpHint: String { "Enter: registrieren" }
    var connecting: String { "wird verbunden …" }
    var tryAgainHint: String { "Enter: erneut versuchen" }
    var sending: String { "wird gesendet …" }
    var signingUp: String { "wird geprüft …" }
    var resendHint: String { "r: erneut senden" }
    var newCodeHint: String { "r: neuer Code" }
    var expired: String { "abgelaufen" }
    var otherNumberHint: String { "Esc: Nummer ändern" }
    var phoneHint: String { "+ für andere Länder" }
    func regionHint(_ region: Region) -> String { "Region \(region) (ändern: --region)" }
    var cancelHint: String { "Strg-C: abbrechen" }
    var remoteNextStep: String { "Nächster Schritt: Melden Sie sich mit derselben Nummer bei diesem Konto an." }
    var stubLabel: String { "SMS-Stub" }
    var canceled: String { "Registrierung abgebrochen." }
    var inputEnded: String { "Die Eingabe endete zu früh. Geben Sie eine Telefonnummer ein, danach den Code." }

    func localNextSteps(show: String, serve: String) -> [String] { ["Weiter: \(show)", "oder:   \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "andere Nummer oder neuer Code in \(wait)" }
    func resendHint(in wait: String) -> String { "erneut senden in \(wait)" }
    func newCodeHint(in wait: String) -> String { "neuer Code in \(wait)" }
    func expiryHint(in wait: String) -> String { "läuft in \(wait) ab" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Wir rufen \(maskedNumber) an und sagen Ihnen den Code."
        case .whatsapp: "Code per WhatsApp an \(maskedNumber) gesendet."
        case .kakaotalk: "Code per KakaoTalk an \(maskedNumber) gesendet."
        case .sms, .inbound, .sim, nil: "Code an \(maskedNumber) gesendet."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Registriert: \(phoneText) · Konto \(account) (neu)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Willkommen zurück: \(phoneText) · Konto \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "\(server) ist nicht erreichbar. Prüfen Sie, ob der Server läuft und die Adresse stimmt. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) ist kein PhoneProof-Server (Status \(status)). Prüfen Sie die Adresse hinter --server."
    }
}

// Report on a number.
extension GermanTexts {
    var numberInput: String { "Eingabe" }
    var numberFormatted: String { "Anzeige" }
    var numberIsValid: String { "Gültig" }
    var numberKind: String { "Art" }
    var numberRegion: String { "Region" }
    var numberNational: String { "National" }
    var numberInternational: String { "International" }
    var numberReceivesCode: String { "Empfängt Codes" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "Mobilfunk"
        case .legacyMobile: "Mobilfunk, außer Betrieb"
        case .fixedLine: "Festnetz"
        case .fixedLineOrMobile: "Festnetz oder Mobilfunk"
        case .voip: "Internettelefonie"
        case .personal: "Weiterleitungsnummer"
        case .representative: "Firmennummer"
        case .tollFree: "gebührenfrei"
        case .premium: "Mehrwertdienst"
        case .sharedCost: "geteilte Kosten"
        case .pager: "Pager"
        case .voicemail: "Mailbox"
        case .machine: "Maschine (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "ja" : "nein" }
}

// Pages.
extension GermanTexts {
    var undoHeading: String { "Ihre Telefonnummer wurde geändert" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "Am \(moment) wurde die Telefonnummer Ihres Kontos von \(number) in eine andere geändert."
    }
    func undoAdvice(number: String) -> String {
        "Wenn Sie das waren, können Sie diese Seite schließen. Wenn nicht, machen Sie die Änderung rückgängig. "
            + "Ihre Nummer ist dann wieder \(number), und alle Geräte werden abgemeldet."
    }
    var undoButton: String { "Rückgängig machen" }
    func undoDeadline(_ moment: String) -> String { "Das ist bis \(moment) möglich." }
    var undoneHeading: String { "Ihre Nummer ist wiederhergestellt" }
    func undone(number: String) -> String {
        "Ihr Konto hat wieder die Nummer \(number). Melden Sie sich damit wieder an, da alle Geräte abgemeldet wurden."
    }
    var undoGoneHeading: String { "Dieser Link ist abgelaufen" }
    var undoGone: String {
        "Er wurde bereits verwendet oder ist zu alt. Wenn Sie gerade auf „\(undoButton)“ geklickt haben, "
            + "wurde die Änderung rückgängig gemacht."
    }
    var undoTakenHeading: String { "Die Änderung lässt sich nicht rückgängig machen" }
    var undoTaken: String { "Ihre frühere Nummer gehört jetzt zu einem anderen Konto. Wenden Sie sich an den Support." }
    var undoUnavailableHeading: String { "Etwas ist schiefgelaufen" }
    var undoUnavailable: String { "Warten Sie kurz und öffnen Sie den Link aus der Nachricht noch einmal." }

    var inboxHeading: String { "Posteingang des SMS-Stubs" }
    var inboxNote: String { "Diese Nachrichten wurden an kein Telefon gesendet. Die neuesten stehen oben." }
    var inboxReload: String { "Laden Sie die Seite neu, um neue Nachrichten zu sehen." }
    var inboxEmpty: String { "Noch keine Nachrichten." }
    var inboxCopy: String { "Kopieren" }
    var inboxCopied: String { "Kopiert" }
    var inboxFilter: String { "Nummer suchen" }
    var inboxClear: String { "Leeren" }
    var inboxKey: String { "Mit der Taste C kopieren Sie den neuesten Code." }
    func inboxMessage(to number: String) -> String { "An \(number)" }
    func inboxCall(to number: String) -> String { "Anruf an \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "Von \(sender), \(status)" + (errorCode.map { ", Fehler \($0)" } ?? "")
    }
}

// SMS, in the letters of GSM-7, which has the umlauts and ß.
extension GermanTexts {
    var verificationMessage: String {
        "{{code}} ist Ihr Code für {{service}}. Er ist {{minutes}} Min. gültig. Bitte nicht weitergeben."
    }
    var numberChangeMessage: String {
        "Ihre Handynummer bei {{service}} wurde geändert. Das waren nicht Sie? Rückgängig machen: {{link}}"
    }
    var sharingWarning: String { "Bitte nicht weitergeben." }
    var sharingWarningMarks: [String] {
        ["nicht weiter", "niemals weiter", "nicht teilen", "nicht mit anderen", "nicht an dritte", "niemand", "geheim"]
    }
}

// Pages to sign in.
extension GermanTexts {
    var errorTitle: String { "Fehler" }
    var startHeading: String { "Anmelden per Telefon" }
    var startIntroduction: String { "Mit diesem Dienst bestätigen Sie Ihre Telefonnummer und melden sich damit an." }
    var startDocs: String { "Für Entwickler: die API" }
    var signInHeading: String { "Mit Telefonnummer anmelden" }
    var signInIntroduction: String { "Sie erhalten einen Code, um sich anzumelden oder ein Konto zu erstellen." }
    var sendCode: String { "Code senden" }
    var terms: String { "Nutzungsbedingungen" }
    var privacy: String { "Datenschutzerklärung" }
    /// With the article of the second name; that of the first is in the sentence.
    var conjunction: String { " und die " }
    func acceptance(of rules: String) -> String { "Wenn Sie fortfahren, akzeptieren Sie die \(rules)." }
    func consent(to rules: String) -> String { "Ich akzeptiere die \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        "\(client) erhält Ihre Telefonnummer\(sharesNumber ? "" : " nicht")."
    }
    var codeHeading: String { "Code eingeben" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Wir haben einen Code per SMS an \(number) gesendet."
        case .call: "Wir rufen \(number) an und sagen Ihnen den Code."
        case .whatsapp: "Wir haben einen Code per WhatsApp an \(number) gesendet."
        case .kakaotalk: "Wir haben einen Code per KakaoTalk an \(number) gesendet."
        case .inbound: "Senden Sie uns eine SMS von der Nummer \(number)."
        }
    }
    var changeNumber: String { "Nummer ändern" }
    var signIn: String { "Anmelden" }
    var resendCode: String { "Code erneut senden" }
    var resendWait: String { "Erneut senden in %" }
    var resent: String { "Erneut gesendet." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Per SMS erhalten"
        case .call: "Per Anruf erhalten"
        case .whatsapp: "Per WhatsApp erhalten"
        case .kakaotalk: "Per KakaoTalk erhalten"
        case .inbound: "Selbst eine SMS senden"
        }
    }

    var inboundHeading: String { "Senden Sie uns eine SMS" }
    var inboundRecipient: String { "An" }
    var inboundText: String { "Nachricht" }
    var inboundOpen: String { "Nachrichten-App öffnen" }
    var inboundSent: String { "Ich habe sie gesendet" }
    var inboundMissing: String { "Ihre SMS ist noch nicht angekommen. Das kann eine Minute dauern." }
    var inboundArrived: String { "Ihre SMS ist angekommen." }

    func callIntroduction(service: String) -> String { "Guten Tag. Ihr Code für \(service) lautet:" }
    var callRepetition: String { "Noch einmal, Ihr Code lautet:" }
    var resendReady: String { "Keinen Code erhalten?" }
    var noSendsLeft: String { "Wir können den Code gerade nicht erneut senden." }
    var dormantHeading: String { "Zu dieser Nummer gibt es ein altes Konto" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "Das Konto wurde lange nicht genutzt und gehört vielleicht jemand anderem. "
            + (hasCode ? "Für ein neues Konto geben Sie den Code erneut ein. " : "Sie können ein neues erstellen. ")
            + "Um sich beim alten Konto anzumelden, wenden Sie sich an den Support."
    }
    var newAccount: String { "Neues Konto erstellen" }
    var signedInHeading: String { "Sie sind angemeldet" }
    func signedIn(as maskedNumber: String) -> String { "Angemeldet mit der Nummer \(maskedNumber)." }
    var signedInNote: String { "Sie können diese Seite schließen. In diesem Browser brauchen Sie künftig keinen Code." }
    var signOut: String { "Abmelden" }
    var signOutHeading: String { "Möchten Sie sich abmelden?" }
    var signedOutHeading: String { "Sie sind abgemeldet" }
    var signedOut: String { "Sie können diese Seite schließen." }
    var countryLabel: String { "Land" }
    var countrySearch: String { "Name oder Vorwahl suchen" }
    var countryNone: String { "Kein Land gefunden" }
    var codeExpiredHeading: String { "Ihr Code ist abgelaufen" }
    func codeExpired(number: String) -> String {
        "Codes gelten nur wenige Minuten. Wir können einen neuen an \(number) senden."
    }
    var newCode: String { "Neuen Code senden" }
    var sendingFailedHeading: String { "Der Code konnte nicht gesendet werden" }
    func sendingFailed(number: String) -> String {
        "Ihr Code ist unter \(number) nicht angekommen. Prüfen Sie die Nummer oder versuchen Sie es gleich noch einmal."
    }
    var challengeHeading: String { "Einen Moment bitte" }
    var challengeIntroduction: String { "Wir prüfen, ob Sie ein Mensch sind. Das dauert ein paar Sekunden." }
    var captchaIntroduction: String { "Bestätigen Sie, dass Sie ein Mensch sind, um Ihren Code zu erhalten." }
    var challengeBusy: String { "Wird geprüft …" }
    var challengeWait: String { "Ohne JavaScript müssen Sie kurz warten. In % s können Sie den Code senden." }
    var challengeNeedsScript: String { "Schalten Sie JavaScript im Browser ein und laden Sie diese Seite neu." }
    var limitHeading: String { "Zu viele Versuche" }
    var retryWait: String { "Neuer Versuch möglich in %" }
    var offline: String { "Sie sind offline. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut." }
    var anotherNumber: String { "Andere Nummer verwenden" }
    var tryAgain: String { "Erneut versuchen" }
    var startAgain: String { "Von vorn beginnen" }
    var pageExpiredHeading: String { "Diese Seite ist abgelaufen" }
    var pageExpired: String {
        "Mögliche Gründe: zu lange geöffnet, An- oder Abmeldung in einem anderen Tab, blockierte Cookies."
    }
    var pageReplacedHeading: String { "Diese Seite ist nicht mehr aktuell" }
    var pageReplaced: String { "Sie sind in einem anderen Tab oder Fenster schon weiter. Hier wurde nichts gesendet." }
    var pageOfOtherSite: String { "Dieses Formular kam von einer anderen Website. Deshalb wurde nichts ausgeführt." }
    var goOn: String { "Weiter" }
    var linkInvalidHeading: String { "Dieser Link ist ungültig" }
    var linkInvalid: String {
        "Die Anfrage der App, von der Sie kommen, ist nicht vertrauenswürdig. Es wurden keine Daten weitergegeben."
    }
    var notFoundHeading: String { "Seite nicht gefunden" }
    var notFound: String { "Unter dieser Adresse gibt es keine Seite." }
    var goToStart: String { "Zur Startseite" }
    var consoleKey: String { "API-Schlüssel" }
    var consoleKeyHint: String { "Ein Schlüssel mit dem Scope viewer, support oder admin:" }
    var consoleKeyRefused: String {
        "Dieser Schlüssel ist ungültig, wurde widerrufen oder ist nicht für die Konsole bestimmt."
    }
    var consoleNotSignedIn: String { "Die Anmeldung wurde nicht abgeschlossen. Versuchen Sie es erneut." }
    var consoleProofTooOld: String {
        "Die Nummer wurde schon vor dieser Anmeldung bestätigt. Versuchen Sie es mit einem neuen Code."
    }
    var consoleRefused: String { "Diese Nummer hat keinen Zugang zur Konsole." }
}

// Pages for devices without a browser.
extension GermanTexts {
    var deviceHeading: String { "Auf einem Gerät anmelden" }
    var deviceIntroduction: String { "Geben Sie den Code ein, den Ihr eigenes Gerät anzeigt." }
    var deviceCode: String { "Code auf dem Gerät" }
    var deviceUnknown: String {
        "Zu diesem Code wartet kein Gerät. Prüfen Sie die Buchstaben oder lassen Sie das Gerät einen neuen Code anzeigen."
    }
    var deviceQuestion: String { "Sind Sie das?" }
    var devicePlace: String { "IP-Adresse" }
    var deviceProgram: String { "Programm" }
    var deviceWarning: String {
        "Fahren Sie nur fort, wenn Sie diese Anmeldung gerade selbst begonnen haben und Ihr Gerät diesen Code anzeigt. Hat Ihnen jemand den Code oder einen Link geschickt, ist es Betrug: Wählen Sie „Nein“."
    }
    var deviceApprove: String { "Ja, anmelden" }
    var deviceRefuse: String { "Nein" }
    var deviceDoneHeading: String { "Ihr Gerät ist angemeldet" }
    var deviceDone: String { "Sie können diese Seite schließen und zu Ihrem Gerät zurückkehren." }
    var deviceRefusedHeading: String { "Abgelehnt" }
    var deviceRefused: String { "Niemand wurde angemeldet. Hat Ihnen jemand den Code geschickt, antworten Sie nicht." }
    func deviceRequest(client: String) -> String {
        "\(client) auf einem anderen Gerät möchte mit Ihrem Konto angemeldet werden."
    }
}

// Passkeys.
extension GermanTexts {
    var passkeySignIn: String { "Mit Passkey anmelden" }
    var passkeyRefused: String { "Dieser Passkey funktioniert hier nicht. Melden Sie sich mit Ihrer Telefonnummer an." }
    var passkeyOfferHeading: String { "Beim nächsten Mal ohne Code anmelden" }
    var passkeyOffer: String {
        "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Bildschirmsperre an. Ihre Telefonnummer funktioniert weiterhin."
    }
    var passkeyCreate: String { "Passkey erstellen" }
    var passkeySkip: String { "Nicht jetzt" }
    var passkeyFailed: String { "Der Passkey wurde nicht erstellt. Sie können es erneut versuchen." }
    var passkeysHeading: String { "Passkeys" }
    var passkeysNone: String { "Sie haben noch keine Passkeys." }
    func passkeyUsed(_ moment: String) -> String { "Zuletzt verwendet: \(moment)" }
    var passkeyName: String { "Name" }
    var passkeyRename: String { "Umbenennen" }
    var passkeyRemove: String { "Entfernen" }
    var passkeyAsk: String {
        "Ihre Telefonnummer hat sich geändert, oder dieser Passkey wurde lange nicht verwendet. Gehört er noch Ihnen?"
    }
    var passkeyKeep: String { "Er gehört mir" }
}
