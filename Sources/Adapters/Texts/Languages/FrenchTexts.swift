import PhoneDomain

/// French, with vous. What a colon or a question mark stands apart from is held on its line by a no-break space (`A0`).
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct FrenchTexts: Texts {
    let language = LanguageTag(validated: "fr")
    let englishName = "French"
    var regionNames: RegionNames { .french }
}

// Failures.
extension FrenchTexts {
    var sessionNotFound: String { "La session est déjà fermée sur cet appareil." }
    var internalError: String { "Une erreur s’est produite. Réessayez." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "Envoi impossible à ce numéro pour le moment."
        case .channelUnavailable: "Nous ne pouvons pas envoyer le code de cette façon. Choisissez une autre option."
        case .resendTooSoon(let moment): "Un code vient d’être envoyé. Nouvel envoi possible dans \(wait(moment))."
        case .maxSendsReached(let moment): "Vous avez demandé trop de codes. Réessayez dans \(wait(moment))."
        case .rateLimited(_, let moment): "Trop de demandes. Réessayez dans \(wait(moment))."
        case .challengeRequired: "Nous devons vérifier que vous n’êtes pas un robot. Réessayez."
        case .challengeFailed: "Impossible de confirmer que vous n’êtes pas un robot. Réessayez."
        case .sendDenied: "Nous ne pouvons pas envoyer de code à ce numéro. Utilisez-en un autre."
        case .malformedCode(let length): "Saisissez le code à \(length) chiffres."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Code incorrect. Vous n’avez plus d’essai."
        case .codeIncorrect(let checked) where checked.checksLeft == 1: "Code incorrect. Il vous reste 1 essai."
        case .codeIncorrect(let checked): "Code incorrect. Il vous reste \(checked.checksLeft) essais."
        case .codeExpired: "Votre code a expiré. Demandez-en un nouveau."
        case .maxChecksReached(let moment): "Trop de codes incorrects. Réessayez dans \(wait(moment))."
        case .verificationNotFound: "Demandez d’abord un code pour ce numéro."
        case .signupNotFound: "Votre session a expiré. Recommencez."
        case .verificationClosed: "Ce code n’est plus valable. Demandez-en un nouveau."
        case .verificationNotApproved: "Ce numéro n’est pas encore vérifié. Saisissez d’abord le code."
        case .accountDormant: "Le compte de ce numéro n’a pas servi depuis longtemps. Contactez l’assistance."
        case .consentRequired: "Pour continuer, acceptez les conditions."
        case .accountSuspended: "Ce compte est suspendu. Contactez l’assistance."
        case .numberTaken: "Ce numéro est déjà utilisé par un autre compte."
        case .numberChangeNotFound: "Ce changement ne peut plus être annulé."
        case .invalidMetadata: "Il y a trop de données à enregistrer. Supprimez-en une partie."
        case .notSignedIn, .keyInvalid: "Votre session est fermée. Reconnectez-vous."
        case .proofTooOld: "Par sécurité, reconnectez-vous pour continuer."
        case .unavailable: "Le service est momentanément indisponible. Réessayez dans un instant."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Saisissez votre numéro de téléphone."
        case .notANumber:
            "Numéro non valide. Saisissez-le en chiffres, sans numéro de poste. Pour un autre pays, commencez par +."
        case .tooLong: "Ce numéro comporte trop de chiffres."
        case .tooShort: "Ce numéro est incomplet."
        case .unknownRegion: "Commencez le numéro par + et l’indicatif du pays."
        case .unsupportedCallingCode(let code): "Les numéros commençant par +\(code) ne sont pas acceptés."
        case .noSuchNumber: "Ce numéro n’existe pas. Vérifiez les chiffres."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Les numéros 011 et 016–019 ne sont plus en service. Utilisez votre numéro 010."
        case .fixedLine: "C’est un numéro fixe. Utilisez un numéro de mobile."
        case .voip: "C’est un numéro de téléphonie par Internet. Utilisez un numéro de mobile."
        case .personal: "C’est un numéro de renvoi d’appel. Utilisez votre propre numéro de mobile."
        case .representative: "C’est un numéro d’entreprise. Utilisez un numéro de mobile."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Ce numéro ne peut pas recevoir de code. Utilisez un numéro de mobile."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "Les numéros de ce pays\(region.map { " (\(name(of: $0)))" } ?? "") ne sont pas acceptés."
        guard (1...5).contains(allowed.count) else { return reason + " Utilisez un autre numéro." }
        let label = allowed.count == 1 ? "Pays accepté" : "Pays acceptés"
        return reason + " \(label)\u{A0}: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { [.one: "{{count}} seconde", .other: "{{count}} secondes"] }
    var minutes: PluralForms { [.one: "{{count}} minute", .other: "{{count}} minutes"] }
    var hours: PluralForms { [.one: "{{count}} heure", .other: "{{count}} heures"] }
}

// Prompt.
extension FrenchTexts {
    var phoneLabel: String { "Numéro de téléphone" }
    var codeLabel: String { "Code" }
    func codeQuestion(or channel: Channel?) -> String {
        "Code (r\u{A0}: renvoyer\(channel.map { ", c\u{A0}: " + send(by: $0) } ?? ""), n\u{A0}: autre numéro)\u{A0}:"
    }
    var consentQuestion: String { "D’accord\u{A0}? (y\u{A0}: oui, n\u{A0}: non)" }
    var sendHint: String { "Entrée\u{A0}: recevoir le code" }
    var signUpHint: String { "Entrée\u{A0}: s’inscrire" }
    var connecting: String { "connexion…" }
    var tryAgainHint: String { "Entrée\u{A0}: réessayer" }
    var sending: String { "envoi…" }
    var signingUp: String { "vérification…" }
    var resendHint: String { "r\u{A0}: renvoyer" }
    var newCodeHint: String { "r\u{A0}: nouveau code" }
    var expired: String { "expiré" }
    var otherNumberHint: String { "Échap\u{A0}: changer de numéro" }
    var phoneHint: String { "+ pour un autre pays" }
    func regionHint(_ region: Region) -> String { "région \(region) (--region pour changer)" }
    var cancelHint: String { "Ctrl-C\u{A0}: annuler" }
    var remoteNextStep: String { "La prochaine fois, connectez-vous à ce compte avec le même numéro." }
    var stubLabel: String { "SMS simulé" }
    var canceled: String { "Inscription annulée." }
    var inputEnded: String { "L’entrée s’est terminée trop tôt. Saisissez un numéro de téléphone, puis le code." }
    func localNextSteps(show: String, serve: String) -> [String] { ["Puis\u{A0}: \(show)", "ou\u{A0}:   \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "autre numéro, ou nouveau code dans \(wait)" }
    func resendHint(in wait: String) -> String { "renvoyer dans \(wait)" }
    func newCodeHint(in wait: String) -> String { "nouveau code dans \(wait)" }
    func expiryHint(in wait: String) -> String { "expire dans \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Nous appelons le \(maskedNumber) pour vous donner le code."
        case .whatsapp: "Code envoyé par WhatsApp au \(maskedNumber)."
        case .kakaotalk: "Code envoyé par KakaoTalk au \(maskedNumber)."
        case .sms, .inbound, .sim, nil: "Code envoyé au \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Inscription réussie\u{A0}: \(phoneText) · compte \(account) (nouveau)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Bon retour parmi nous\u{A0}: \(phoneText) · compte \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "Impossible de joindre \(server). Vérifiez qu’il est en marche et que l’adresse est correcte. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) n’est pas un serveur PhoneProof (statut \(status)). Vérifiez l’adresse donnée avec --server."
    }
}

// Report on a number.
extension FrenchTexts {
    var numberInput: String { "Saisie" }
    var numberFormatted: String { "Affichage" }
    var numberIsValid: String { "Valide" }
    var numberKind: String { "Type" }
    var numberRegion: String { "Région" }
    var numberNational: String { "Format national" }
    var numberInternational: String { "Format international" }
    var numberReceivesCode: String { "Reçoit un code" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "mobile"
        case .legacyMobile: "mobile, hors service"
        case .fixedLine: "fixe"
        case .fixedLineOrMobile: "fixe ou mobile"
        case .voip: "téléphonie par Internet"
        case .personal: "renvoi d’appel"
        case .representative: "numéro d’entreprise"
        case .tollFree: "appel gratuit"
        case .premium: "numéro surtaxé"
        case .sharedCost: "coût partagé"
        case .pager: "bipeur"
        case .voicemail: "messagerie vocale"
        case .machine: "machine (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "oui" : "non" }
}

// Pages.
extension FrenchTexts {
    var undoHeading: String { "Votre numéro de téléphone a été modifié" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "Le \(moment), le numéro de téléphone de votre compte, \(number), a été remplacé par un autre."
    }
    func undoAdvice(number: String) -> String {
        "Si c’est bien vous, vous pouvez fermer cette page. Sinon, rétablissez votre numéro\u{A0}: "
            + "votre compte retrouvera le \(number) et tous les appareils seront déconnectés."
    }
    var undoButton: String { "Rétablir mon numéro" }
    func undoDeadline(_ moment: String) -> String { "Vous pouvez rétablir votre numéro jusqu’au \(moment)." }
    var undoneHeading: String { "Votre numéro est rétabli" }
    func undone(number: String) -> String {
        "Votre compte a retrouvé le \(number). Tous les appareils ont été déconnectés. Reconnectez-vous avec ce numéro."
    }
    var undoGoneHeading: String { "Ce lien a expiré" }
    var undoGone: String {
        "Il a déjà servi ou il est trop ancien. Si vous venez d’appuyer sur le bouton, votre numéro est rétabli."
    }
    var undoTakenHeading: String { "Ce changement ne peut pas être annulé" }
    var undoTaken: String { "Un autre compte utilise désormais votre ancien numéro. Contactez l’assistance." }
    var undoUnavailableHeading: String { "Une erreur s’est produite" }
    var undoUnavailable: String { "Patientez un instant, puis rouvrez le lien du message." }

    var inboxHeading: String { "Boîte des SMS simulés" }
    var inboxNote: String { "Ces messages n’ont été envoyés à aucun téléphone. Les plus récents sont en premier." }
    var inboxReload: String { "Actualisez la page pour voir les nouveaux messages." }
    var inboxEmpty: String { "Aucun message pour le moment." }
    var inboxCopy: String { "Copier" }
    var inboxCopied: String { "Copié" }
    var inboxFilter: String { "Filtrer par numéro" }
    var inboxClear: String { "Vider" }
    var inboxKey: String { "Appuyez sur C pour copier le code le plus récent." }
    func inboxMessage(to number: String) -> String { "Pour le \(number)" }
    func inboxCall(to number: String) -> String { "Appel au \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "De \(sender), \(status)" + (errorCode.map { ", erreur \($0)" } ?? "")
    }
}

// SMS.
extension FrenchTexts {
    /// Without ç, ê and the typographic apostrophe, which GSM-7 lacks.
    var verificationMessage: String {
        "{{code}} est votre code {{service}}. Il expire dans {{minutes}} min. Ne le partagez pas."
    }
    var numberChangeMessage: String {
        "Votre numéro de téléphone pour {{service}} a été modifié. Si ce n'est pas vous, annulez : {{link}}"
    }
    var sharingWarning: String { "Ne le partagez pas." }
    var sharingWarningMarks: [String] {
        ["ne le partage", "ne partage", "pas partager", "ne le communique", "ne communique", "pas communiquer"]
    }
}

// Pages to sign in.
extension FrenchTexts {
    var errorTitle: String { "Erreur" }
    var startHeading: String { "Connexion par téléphone" }
    var startIntroduction: String { "Ce service vérifie les numéros de téléphone et les utilise pour la connexion." }
    var startDocs: String { "Pour les développeurs\u{A0}: l’API" }
    var signInHeading: String { "Connectez-vous avec votre numéro de téléphone" }
    var signInIntroduction: String { "Nous vous enverrons un code pour vous connecter ou créer votre compte." }
    var sendCode: String { "Recevoir le code" }
    var terms: String { "Conditions d’utilisation" }
    var privacy: String { "Politique de confidentialité" }
    var conjunction: String { " et " }
    func acceptance(of rules: String) -> String { "En continuant, vous acceptez ces conditions\u{A0}: \(rules)." }
    func consent(to rules: String) -> String { "J’accepte ces conditions\u{A0}: \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) recevra votre numéro de téléphone."
            : "\(client) ne recevra pas votre numéro de téléphone."
    }
    var codeHeading: String { "Saisissez le code" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Nous avons envoyé un code par SMS au \(number)."
        case .call: "Nous appelons le \(number) pour vous donner le code."
        case .whatsapp: "Nous avons envoyé un code par WhatsApp au \(number)."
        case .kakaotalk: "Nous avons envoyé un code par KakaoTalk au \(number)."
        case .inbound: "Envoyez-nous un SMS depuis le \(number)."
        }
    }
    var changeNumber: String { "Changer de numéro" }
    var signIn: String { "Se connecter" }
    var resendCode: String { "Renvoyer le code" }
    var resendWait: String { "Renvoyer dans %" }
    var resent: String { "Le code a été renvoyé." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Recevoir un SMS"
        case .call: "Recevoir un appel"
        case .whatsapp: "Recevoir par WhatsApp"
        case .kakaotalk: "Recevoir par KakaoTalk"
        case .inbound: "Envoyer plutôt un SMS"
        }
    }

    var inboundHeading: String { "Envoyez-nous un SMS" }
    var inboundRecipient: String { "Destinataire" }
    var inboundText: String { "Message" }
    var inboundOpen: String { "Ouvrir l’appli SMS" }
    var inboundSent: String { "C’est envoyé" }
    var inboundMissing: String { "Nous n’avons pas encore reçu votre SMS. Cela peut prendre une minute." }
    var inboundArrived: String { "Nous avons reçu votre SMS." }
    func callIntroduction(service: String) -> String { "Bonjour. Votre code pour \(service) est :" }
    var callRepetition: String { "Je répète, votre code est :" }
    var resendReady: String { "Vous n’avez pas reçu le code\u{A0}?" }
    var noSendsLeft: String { "Nous ne pouvons pas renvoyer le code pour le moment." }
    var dormantHeading: String { "Ce numéro est associé à un ancien compte" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "Ce compte n’a pas servi depuis longtemps et appartient peut-être à quelqu’un d’autre. "
            + (hasCode ? "Saisissez à nouveau le code pour créer un compte. " : "Vous pouvez en créer un autre. ")
            + "Pour vous connecter à l’ancien compte, contactez l’assistance."
    }
    var newAccount: String { "Créer un nouveau compte" }
    var signedInHeading: String { "Connexion réussie" }
    func signedIn(as maskedNumber: String) -> String { "Votre session est ouverte avec le \(maskedNumber)." }
    var signedInNote: String {
        "Vous pouvez fermer cette page. La prochaine fois, ce navigateur ne vous demandera pas de code."
    }
    var signOut: String { "Se déconnecter" }
    var signOutHeading: String { "Se déconnecter\u{A0}?" }
    var signedOutHeading: String { "Déconnexion réussie" }
    var signedOut: String { "Vous pouvez fermer cette page." }
    var countryLabel: String { "Pays" }
    var countrySearch: String { "Nom ou indicatif du pays" }
    var countryNone: String { "Aucun pays trouvé" }
    var codeExpiredHeading: String { "Votre code a expiré" }
    func codeExpired(number: String) -> String {
        "Les codes ne sont valables que quelques minutes. Nous pouvons en envoyer un nouveau au \(number)."
    }
    var newCode: String { "Recevoir un nouveau code" }
    var sendingFailedHeading: String { "Le code n’a pas pu être envoyé" }
    func sendingFailed(number: String) -> String {
        "Votre code n’est pas parvenu au \(number). Vérifiez le numéro ou réessayez dans un instant."
    }
    var challengeHeading: String { "Un instant" }
    var challengeIntroduction: String { "Nous vérifions que vous n’êtes pas un robot. Cela prend quelques secondes." }
    var captchaIntroduction: String { "Confirmez que vous n’êtes pas un robot pour recevoir le code." }
    var challengeBusy: String { "Vérification…" }
    var challengeWait: String { "Sans JavaScript, il faut patienter. Vous pourrez demander le code dans %\u{A0}s." }
    var challengeNeedsScript: String { "Activez JavaScript dans votre navigateur, puis actualisez cette page." }
    var limitHeading: String { "Trop de tentatives" }
    var retryWait: String { "Réessayez dans %" }
    var offline: String { "Vous êtes hors connexion. Vérifiez votre accès à Internet et réessayez." }
    var anotherNumber: String { "Utiliser un autre numéro" }
    var tryAgain: String { "Réessayer" }
    var startAgain: String { "Recommencer" }
    var pageExpiredHeading: String { "Cette page a expiré" }
    var pageExpired: String {
        "Elle est restée ouverte trop longtemps, vous avez ouvert ou fermé une session dans un autre onglet, "
            + "ou votre navigateur bloque les cookies."
    }
    var pageReplacedHeading: String { "Cette page n’est plus à jour" }
    var pageReplaced: String {
        "Vous avez continué dans un autre onglet ou une autre fenêtre. Rien n’a été envoyé d’ici."
    }
    var pageOfOtherSite: String { "Ce formulaire provenait d’un autre site web\u{A0}: rien n’a été fait." }
    var goOn: String { "Continuer" }
    var linkInvalidHeading: String { "Ce lien n’est pas valide" }
    var linkInvalid: String { "L’application d’où vous venez a fait une demande non fiable. Elle n’a rien reçu." }
    var notFoundHeading: String { "Page introuvable" }
    var notFound: String { "Il n’y a aucune page à cette adresse." }
    var goToStart: String { "Aller à l’accueil" }
    var consoleKey: String { "Clé d’API" }
    var consoleKeyHint: String { "Une clé de portée viewer, support ou admin\u{A0}:" }
    var consoleKeyRefused: String { "Cette clé est invalide ou révoquée, ou ne donne pas accès à la console." }
    var consoleNotSignedIn: String { "La connexion n’a pas abouti. Réessayez." }
    var consoleProofTooOld: String {
        "Ce numéro a été vérifié avant le début de cette connexion. Réessayez avec un nouveau code."
    }
    var consoleRefused: String { "Ce numéro ne donne pas accès à la console." }
}

// Pages for devices without a browser.
extension FrenchTexts {
    var deviceHeading: String { "Connexion sur un appareil" }
    var deviceIntroduction: String { "Saisissez le code affiché sur votre propre appareil." }
    var deviceCode: String { "Code sur l’appareil" }
    var deviceUnknown: String {
        "Aucun appareil n’attend avec ce code. Vérifiez les lettres ou affichez un nouveau code sur l’appareil."
    }
    var deviceQuestion: String { "Est-ce bien vous\u{A0}?" }
    var devicePlace: String { "Adresse IP" }
    var deviceProgram: String { "Programme" }
    var deviceWarning: String {
        "Continuez uniquement si vous venez de lancer cette connexion vous-même et si votre appareil affiche ce code. Si quelqu’un vous a envoyé le code ou un lien, c’est une arnaque\u{A0}: choisissez «\u{A0}Non\u{A0}»."
    }
    var deviceApprove: String { "Oui, se connecter" }
    var deviceRefuse: String { "Non" }
    var deviceDoneHeading: String { "Connexion réussie sur votre appareil" }
    var deviceDone: String { "Vous pouvez fermer cette page et revenir à votre appareil." }
    var deviceRefusedHeading: String { "Refusé" }
    var deviceRefused: String {
        "Aucune connexion n’a eu lieu. Si quelqu’un vous a envoyé le code, ne lui répondez pas."
    }
    func deviceRequest(client: String) -> String {
        "\(client), sur un autre appareil, demande à se connecter à votre compte."
    }
}

// Passkeys.
extension FrenchTexts {
    var passkeySignIn: String { "Se connecter avec une clé d’accès" }
    var passkeyRefused: String {
        "Cette clé d’accès ne fonctionne pas ici. Connectez-vous avec votre numéro de téléphone."
    }
    var passkeyOfferHeading: String { "La prochaine fois, connectez-vous sans code" }
    var passkeyOffer: String {
        "Avec une clé d’accès, vous vous connectez avec votre empreinte, votre visage ou le verrouillage de l’écran. Votre numéro de téléphone reste utilisable."
    }
    var passkeyCreate: String { "Créer une clé d’accès" }
    var passkeySkip: String { "Plus tard" }
    var passkeyFailed: String { "La clé d’accès n’a pas été créée. Vous pouvez réessayer." }
    var passkeysHeading: String { "Clés d’accès" }
    var passkeysNone: String { "Vous n’avez pas encore de clé d’accès." }
    func passkeyUsed(_ moment: String) -> String { "Dernière utilisation\u{A0}: \(moment)" }
    var passkeyName: String { "Nom" }
    var passkeyRename: String { "Renommer" }
    var passkeyRemove: String { "Supprimer" }
    var passkeyAsk: String {
        "Votre numéro de téléphone a changé, ou cette clé d’accès n’a pas servi depuis longtemps. Est-elle toujours à vous\u{A0}?"
    }
    var passkeyKeep: String { "Elle est à moi" }
}
