import PhoneDomain

extension Texts {
    /// French, with vous. What a colon or a question mark stands apart from is held on its line by a no-break space
    /// (`A0`).
    ///
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let french = Texts(
        language: LanguageTag(validated: "fr"),
        englishName: "French",
        regionNames: .french,
        failures: Failures(
            sessionNotFound: "La session est déjà fermée sur cet appareil.",
            internalError: "Une erreur s’est produite. Réessayez.",
            numberEmpty: "Saisissez votre numéro de téléphone.",
            numberMalformed: """
                Numéro non valide. Saisissez-le en chiffres, sans numéro de poste. Pour un autre pays, commencez par +.
                """,
            numberTooLong: "Ce numéro comporte trop de chiffres.",
            numberTooShort: "Ce numéro est incomplet.",
            numberNeedsCountry: "Commencez le numéro par + et l’indicatif du pays.",
            numberUnsupported: "Les numéros commençant par +{{code}} ne sont pas acceptés.",
            numberUnknown: "Ce numéro n’existe pas. Vérifiez les chiffres.",
            kindLegacy: "Les numéros 011 et 016–019 ne sont plus en service. Utilisez votre numéro 010.",
            kindLandline: "C’est un numéro fixe. Utilisez un numéro de mobile.",
            kindVoip: "C’est un numéro de téléphonie par Internet. Utilisez un numéro de mobile.",
            kindPersonal: "C’est un numéro de renvoi d’appel. Utilisez votre propre numéro de mobile.",
            kindCompany: "C’est un numéro d’entreprise. Utilisez un numéro de mobile.",
            kindOther: "Ce numéro ne peut pas recevoir de code. Utilisez un numéro de mobile.",
            countryRefused: "Les numéros de ce pays ne sont pas acceptés. Utilisez un autre numéro.",
            countryRefusedByName: """
                Les numéros de ce pays ({{country}}) ne sont pas acceptés. Utilisez un autre numéro.
                """,
            countriesAccepted: [
                .one: "Les numéros de ce pays ne sont pas acceptés. Pays accepté\u{A0}: {{countries}}.",
                .other: "Les numéros de ce pays ne sont pas acceptés. Pays acceptés\u{A0}: {{countries}}.",
            ],
            countriesAcceptedByName: [
                .one: "Les numéros de ce pays ({{country}}) ne sont pas acceptés. Pays accepté\u{A0}: {{countries}}.",
                .other:
                    "Les numéros de ce pays ({{country}}) ne sont pas acceptés. Pays acceptés\u{A0}: {{countries}}.",
            ],
            countrySeparator: ", ",
            channelUnavailable: "Envoi impossible à ce numéro pour le moment.",
            channelOther: "Nous ne pouvons pas envoyer le code de cette façon. Choisissez une autre option.",
            resendTooSoon: "Un code vient d’être envoyé. Nouvel envoi possible dans {{wait}}.",
            tooManyCodes: "Vous avez demandé trop de codes. Réessayez dans {{wait}}.",
            rateLimited: "Trop de demandes. Réessayez dans {{wait}}.",
            challengeRequired: "Nous devons vérifier que vous n’êtes pas un robot. Réessayez.",
            challengeFailed: "Impossible de confirmer que vous n’êtes pas un robot. Réessayez.",
            sendDenied: "Nous ne pouvons pas envoyer de code à ce numéro. Utilisez-en un autre.",
            codeMalformed: "Saisissez le code à {{length}} chiffres.",
            codeIncorrect: [
                .one: "Code incorrect. Il vous reste 1 essai.",
                .other: "Code incorrect. Il vous reste {{count}} essais.",
            ],
            codeIncorrectLast: "Code incorrect. Vous n’avez plus d’essai.",
            codeExpired: "Votre code a expiré. Demandez-en un nouveau.",
            maxChecksReached: "Trop de codes incorrects. Réessayez dans {{wait}}.",
            codeMissing: "Demandez d’abord un code pour ce numéro.",
            signupExpired: "Votre session a expiré. Recommencez.",
            codeClosed: "Ce code n’est plus valable. Demandez-en un nouveau.",
            notApproved: "Ce numéro n’est pas encore vérifié. Saisissez d’abord le code.",
            accountDormant: "Le compte de ce numéro n’a pas servi depuis longtemps. Contactez l’assistance.",
            consentRequired: "Pour continuer, acceptez les conditions.",
            accountSuspended: "Ce compte est suspendu. Contactez l’assistance.",
            numberTaken: "Ce numéro est déjà utilisé par un autre compte.",
            changeGone: "Ce changement ne peut plus être annulé.",
            dataTooBig: "Il y a trop de données à enregistrer. Supprimez-en une partie.",
            notSignedIn: "Votre session est fermée. Reconnectez-vous.",
            proofTooOld: "Par sécurité, reconnectez-vous pour continuer.",
            unavailable: "Le service est momentanément indisponible. Réessayez dans un instant.",
            seconds: [.one: "{{count}} seconde", .other: "{{count}} secondes"],
            minutes: [.one: "{{count}} minute", .other: "{{count}} minutes"],
            hours: [.one: "{{count}} heure", .other: "{{count}} heures"]
        ),
        prompt: Prompt(
            codeQuestion: "Code (r\u{A0}: renvoyer, n\u{A0}: autre numéro)\u{A0}:",
            codeQuestionOrChannel: "Code (r\u{A0}: renvoyer, c\u{A0}: {{send}}, n\u{A0}: autre numéro)\u{A0}:",
            consentQuestion: "D’accord\u{A0}? (y\u{A0}: oui, n\u{A0}: non)",
            sendHint: "Entrée\u{A0}: recevoir le code",
            signUpHint: "Entrée\u{A0}: s’inscrire",
            connecting: "connexion…",
            tryAgainHint: "Entrée\u{A0}: réessayer",
            resendHint: "r\u{A0}: renvoyer",
            resendWait: "renvoyer dans {{wait}}",
            newCodeHint: "r\u{A0}: nouveau code",
            newCodeWait: "nouveau code dans {{wait}}",
            expiryWait: "expire dans {{wait}}",
            expired: "expiré",
            otherNumberHint: "Échap\u{A0}: changer de numéro",
            anotherNumberWait: "autre numéro, ou nouveau code dans {{wait}}",
            phoneHint: "+ pour un autre pays",
            regionHint: "région {{region}} (--region pour changer)",
            cancelHint: "Ctrl-C\u{A0}: annuler",
            localNextSteps: ["Puis\u{A0}: {{show}}", "ou\u{A0}:   {{serve}}"],
            remoteNextStep: "La prochaine fois, connectez-vous à ce compte avec le même numéro.",
            sent: "Code envoyé au {{number}}.",
            sentByCall: "Nous appelons le {{number}} pour vous donner le code.",
            sentByMessenger: "Code envoyé par {{channel}} au {{number}}.",
            stubLabel: "SMS simulé",
            signedUp: "Inscription réussie\u{A0}: {{phone}} · compte {{account}} (nouveau)",
            welcomeBack: "Bon retour parmi nous\u{A0}: {{phone}} · compte {{account}}",
            canceled: "Inscription annulée.",
            inputEnded: "L’entrée s’est terminée trop tôt. Saisissez un numéro de téléphone, puis le code.",
            serverUnreachable: """
                Impossible de joindre {{server}}. Vérifiez qu’il est en marche et que l’adresse est correcte. \
                ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} n’est pas un serveur PhoneProof (statut {{status}}). Vérifiez l’adresse donnée avec \
                --server.
                """
        ),
        number: Number(
            input: "Saisie",
            formatted: "Affichage",
            isValid: "Valide",
            kind: "Type",
            region: "Région",
            national: "Format national",
            international: "Format international",
            receivesCode: "Reçoit un code",
            mobile: "mobile",
            legacyMobile: "mobile, hors service",
            fixedLine: "fixe",
            fixedLineOrMobile: "fixe ou mobile",
            voip: "téléphonie par Internet",
            personal: "renvoi d’appel",
            representative: "numéro d’entreprise",
            tollFree: "appel gratuit",
            premium: "numéro surtaxé",
            sharedCost: "coût partagé",
            pager: "bipeur",
            voicemail: "messagerie vocale",
            machine: "machine (M2M)",
            yes: "oui",
            no: "non"
        ),
        pages: Pages(
            startHeading: "Connexion par téléphone",
            startIntroduction: "Ce service vérifie les numéros de téléphone et les utilise pour la connexion.",
            startDocs: "Pour les développeurs\u{A0}: l’API",
            errorTitle: "Erreur",
            signInHeading: "Connectez-vous avec votre numéro de téléphone",
            signInIntroduction: "Nous vous enverrons un code pour vous connecter ou créer votre compte.",
            phoneLabel: "Numéro de téléphone",
            sendCode: "Recevoir le code",
            sending: "envoi…",
            terms: "Conditions d’utilisation",
            privacy: "Politique de confidentialité",
            conjunction: " et ",
            acceptance: "En continuant, vous acceptez ces conditions\u{A0}: {{rules}}.",
            consent: "J’accepte ces conditions\u{A0}: {{rules}}.",
            sharesNumber: "{{client}} recevra votre numéro de téléphone.",
            keepsNumber: "{{client}} ne recevra pas votre numéro de téléphone.",
            codeHeading: "Saisissez le code",
            codeLabel: "Code",
            codeSentBySms: "Nous avons envoyé un code par SMS au {{number}}.",
            codeSentByCall: "Nous appelons le {{number}} pour vous donner le code.",
            codeSentByMessenger: "Nous avons envoyé un code par {{channel}} au {{number}}.",
            codeSentInbound: "Envoyez-nous un SMS depuis le {{number}}.",
            changeNumber: "Changer de numéro",
            signIn: "Se connecter",
            signingUp: "vérification…",
            resendCode: "Renvoyer le code",
            resendWait: "Renvoyer dans %",
            resent: "Le code a été renvoyé.",
            resendReady: "Vous n’avez pas reçu le code\u{A0}?",
            sendBySms: "Recevoir un SMS",
            sendByCall: "Recevoir un appel",
            sendByMessenger: "Recevoir par {{channel}}",
            sendInbound: "Envoyer plutôt un SMS",
            noSendsLeft: "Nous ne pouvons pas renvoyer le code pour le moment.",
            inboundHeading: "Envoyez-nous un SMS",
            inboundRecipient: "Destinataire",
            inboundText: "Message",
            inboundOpen: "Ouvrir l’appli SMS",
            inboundSent: "C’est envoyé",
            inboundMissing: "Nous n’avons pas encore reçu votre SMS. Cela peut prendre une minute.",
            inboundArrived: "Nous avons reçu votre SMS.",
            dormantHeading: "Ce numéro est associé à un ancien compte",
            dormantIntroduction: """
                Ce compte n’a pas servi depuis longtemps et appartient peut-être à quelqu’un d’autre. Vous pouvez en \
                créer un autre. Pour vous connecter à l’ancien compte, contactez l’assistance.
                """,
            dormantWithCode: """
                Ce compte n’a pas servi depuis longtemps et appartient peut-être à quelqu’un d’autre. Saisissez à \
                nouveau le code pour créer un compte. Pour vous connecter à l’ancien compte, contactez l’assistance.
                """,
            newAccount: "Créer un nouveau compte",
            signedInHeading: "Connexion réussie",
            signedInAs: "Votre session est ouverte avec le {{number}}.",
            signedInNote: """
                Vous pouvez fermer cette page. La prochaine fois, ce navigateur ne vous demandera pas de code.
                """,
            signOut: "Se déconnecter",
            signOutHeading: "Se déconnecter\u{A0}?",
            signedOutHeading: "Déconnexion réussie",
            signedOut: "Vous pouvez fermer cette page.",
            countryLabel: "Pays",
            countrySearch: "Nom ou indicatif du pays",
            countryNone: "Aucun pays trouvé",
            codeExpiredHeading: "Votre code a expiré",
            codeExpiredFor: """
                Les codes ne sont valables que quelques minutes. Nous pouvons en envoyer un nouveau au {{number}}.
                """,
            newCode: "Recevoir un nouveau code",
            sendingFailedHeading: "Le code n’a pas pu être envoyé",
            sendingFailed: """
                Votre code n’est pas parvenu au {{number}}. Vérifiez le numéro ou réessayez dans un instant.
                """,
            challengeHeading: "Un instant",
            challengeIntroduction: "Nous vérifions que vous n’êtes pas un robot. Cela prend quelques secondes.",
            captchaIntroduction: "Confirmez que vous n’êtes pas un robot pour recevoir le code.",
            challengeBusy: "Vérification…",
            challengeWait: "Sans JavaScript, il faut patienter. Vous pourrez demander le code dans %\u{A0}s.",
            challengeNeedsScript: "Activez JavaScript dans votre navigateur, puis actualisez cette page.",
            limitHeading: "Trop de tentatives",
            retryWait: "Réessayez dans %",
            anotherNumber: "Utiliser un autre numéro",
            tryAgain: "Réessayer",
            startAgain: "Recommencer",
            pageExpiredHeading: "Cette page a expiré",
            pageExpired: """
                Elle est restée ouverte trop longtemps, vous avez ouvert ou fermé une session dans un autre onglet, ou \
                votre navigateur bloque les cookies.
                """,
            pageReplacedHeading: "Cette page n’est plus à jour",
            pageReplaced: "Vous avez continué dans un autre onglet ou une autre fenêtre. Rien n’a été envoyé d’ici.",
            pageOfOtherSite: "Ce formulaire provenait d’un autre site web\u{A0}: rien n’a été fait.",
            goOn: "Continuer",
            linkInvalidHeading: "Ce lien n’est pas valide",
            linkInvalid: "L’application d’où vous venez a fait une demande non fiable. Elle n’a rien reçu.",
            offline: "Vous êtes hors connexion. Vérifiez votre accès à Internet et réessayez.",
            notFoundHeading: "Page introuvable",
            notFound: "Il n’y a aucune page à cette adresse.",
            goToStart: "Aller à l’accueil"
        ),
        console: Console(
            key: "Clé d’API",
            keyHint: "Une clé de portée viewer, support ou admin\u{A0}:",
            keyRefused: "Cette clé est invalide ou révoquée, ou ne donne pas accès à la console.",
            notSignedIn: "La connexion n’a pas abouti. Réessayez.",
            proofTooOld: "Ce numéro a été vérifié avant le début de cette connexion. Réessayez avec un nouveau code.",
            refused: "Ce numéro ne donne pas accès à la console."
        ),
        devices: Devices(
            heading: "Connexion sur un appareil",
            introduction: "Saisissez le code affiché sur votre propre appareil.",
            code: "Code sur l’appareil",
            unknown: """
                Aucun appareil n’attend avec ce code. Vérifiez les lettres ou affichez un nouveau code sur l’appareil.
                """,
            question: "Est-ce bien vous\u{A0}?",
            request: "{{client}}, sur un autre appareil, demande à se connecter à votre compte.",
            place: "Adresse IP",
            program: "Programme",
            warning: """
                Continuez uniquement si vous venez de lancer cette connexion vous-même et si votre appareil affiche ce \
                code. Si quelqu’un vous a envoyé le code ou un lien, c’est une arnaque\u{A0}: choisissez \
                «\u{A0}Non\u{A0}».
                """,
            approve: "Oui, se connecter",
            refuse: "Non",
            doneHeading: "Connexion réussie sur votre appareil",
            done: "Vous pouvez fermer cette page et revenir à votre appareil.",
            refusedHeading: "Refusé",
            refused: "Aucune connexion n’a eu lieu. Si quelqu’un vous a envoyé le code, ne lui répondez pas."
        ),
        passkeys: Passkeys(
            signIn: "Se connecter avec une clé d’accès",
            refused: "Cette clé d’accès ne fonctionne pas ici. Connectez-vous avec votre numéro de téléphone.",
            offerHeading: "La prochaine fois, connectez-vous sans code",
            offer: """
                Avec une clé d’accès, vous vous connectez avec votre empreinte, votre visage ou le verrouillage de \
                l’écran. Votre numéro de téléphone reste utilisable.
                """,
            create: "Créer une clé d’accès",
            skip: "Plus tard",
            failed: "La clé d’accès n’a pas été créée. Vous pouvez réessayer.",
            heading: "Clés d’accès",
            none: "Vous n’avez pas encore de clé d’accès.",
            used: "Dernière utilisation\u{A0}: {{moment}}",
            name: "Nom",
            rename: "Renommer",
            remove: "Supprimer",
            ask: """
                Votre numéro de téléphone a changé, ou cette clé d’accès n’a pas servi depuis longtemps. Est-elle \
                toujours à vous\u{A0}?
                """,
            keep: "Elle est à moi"
        ),
        undo: Undo(
            heading: "Votre numéro de téléphone a été modifié",
            offer: "Le {{moment}}, le numéro de téléphone de votre compte, {{number}}, a été remplacé par un autre.",
            advice: """
                Si c’est bien vous, vous pouvez fermer cette page. Sinon, rétablissez votre numéro\u{A0}: votre compte \
                retrouvera le {{number}} et tous les appareils seront déconnectés.
                """,
            button: "Rétablir mon numéro",
            deadline: "Vous pouvez rétablir votre numéro jusqu’au {{moment}}.",
            undoneHeading: "Votre numéro est rétabli",
            undone: """
                Votre compte a retrouvé le {{number}}. Tous les appareils ont été déconnectés. Reconnectez-vous avec \
                ce numéro.
                """,
            goneHeading: "Ce lien a expiré",
            gone: """
                Il a déjà servi ou il est trop ancien. Si vous venez d’appuyer sur le bouton, votre numéro est rétabli.
                """,
            takenHeading: "Ce changement ne peut pas être annulé",
            taken: "Un autre compte utilise désormais votre ancien numéro. Contactez l’assistance.",
            unavailableHeading: "Une erreur s’est produite",
            unavailable: "Patientez un instant, puis rouvrez le lien du message."
        ),
        inbox: Inbox(
            heading: "Boîte des SMS simulés",
            note: "Ces messages n’ont été envoyés à aucun téléphone. Les plus récents sont en premier.",
            reload: "Actualisez la page pour voir les nouveaux messages.",
            empty: "Aucun message pour le moment.",
            copy: "Copier",
            copied: "Copié",
            filter: "Filtrer par numéro",
            clear: "Vider",
            key: "Appuyez sur C pour copier le code le plus récent.",
            message: "Pour le {{number}}",
            call: "Appel au {{number}}",
            delivery: "De {{sender}}, {{status}}",
            failedDelivery: "De {{sender}}, {{status}}, erreur {{code}}"
        ),
        call: Call(
            introduction: "Bonjour. Votre code pour {{service}} est :",
            repetition: "Je répète, votre code est :"
        ),
        messages: Messages(
            // Without ç, ê and the typographic apostrophe, which GSM-7 lacks.
            verification: "{{code}} est votre code {{service}}. Il expire dans {{minutes}} min. Ne le partagez pas.",
            numberChange: """
                Votre numéro de téléphone pour {{service}} a été modifié. Si ce n'est pas vous, annulez : {{link}}
                """,
            sharingWarning: "Ne le partagez pas.",
            sharingWarningMarks: [
                "ne le partage", "ne partage", "pas partager", "ne le communique", "ne communique", "pas communiquer",
            ]
        )
    )
}
