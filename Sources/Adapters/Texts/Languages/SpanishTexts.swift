import PhoneDomain

/// Spanish that is at home in no one country, with the informal address.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct SpanishTexts: Texts {
    let language = LanguageTag(validated: "es")
    let englishName = "Spanish"
    var regionNames: RegionNames { .spanish }
}

// Failures.
extension SpanishTexts {
    var sessionNotFound: String { "La sesión ya está cerrada en este dispositivo." }
    var internalError: String { "Algo salió mal. Vuelve a intentarlo." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { "dentro de \(text(Wait(until: moment, from: now)))" }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty:
            "Ahora mismo no podemos enviar códigos a este número."
        case .channelUnavailable: "No podemos enviar el código por esa vía. Elige otra opción."
        case .resendTooSoon(let moment): "Acabamos de enviarte un código. Podrás pedir otro \(wait(moment))."
        case .maxSendsReached(let moment): "Has pedido demasiados códigos. Vuelve a intentarlo \(wait(moment))."
        case .rateLimited(_, let moment): "Demasiadas solicitudes. Vuelve a intentarlo \(wait(moment))."
        case .challengeRequired: "Tenemos que comprobar que no eres un robot. Vuelve a intentarlo."
        case .challengeFailed: "No se pudo confirmar que no eres un robot. Vuelve a intentarlo."
        case .sendDenied: "No podemos enviar códigos a este número. Usa otro."
        case .malformedCode(let length): "Escribe el código de \(length) dígitos."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Código incorrecto. No te quedan intentos."
        case .codeIncorrect(let checked) where checked.checksLeft == 1: "Código incorrecto. Te queda 1 intento."
        case .codeIncorrect(let checked): "Código incorrecto. Te quedan \(checked.checksLeft) intentos."
        case .codeExpired: "El código ha caducado. Pide uno nuevo."
        case .maxChecksReached(let moment): "Demasiados códigos incorrectos. Vuelve a intentarlo \(wait(moment))."
        case .verificationNotFound: "Primero pide un código para este número."
        case .signupNotFound: "La sesión ha caducado. Empieza de nuevo."
        case .verificationClosed: "Este código ya no es válido. Pide uno nuevo."
        case .verificationNotApproved: "Este número aún no está verificado. Primero escribe el código."
        case .accountDormant:
            "La cuenta de este número lleva mucho tiempo sin usarse. Para continuar, ponte en contacto con soporte."
        case .consentRequired: "Para continuar, acepta las condiciones."
        case .accountSuspended: "Esta cuenta está suspendida. Ponte en contacto con soporte."
        case .numberTaken: "Otra cuenta ya usa este número."
        case .numberChangeNotFound: "Este cambio ya no se puede deshacer."
        case .invalidMetadata: "Hay demasiados datos para guardar. Elimina algunos."
        case .notSignedIn, .keyInvalid: "Se ha cerrado la sesión. Vuelve a iniciarla."
        case .proofTooOld: "Por tu seguridad, vuelve a iniciar sesión para continuar."
        case .unavailable: "El servicio no está disponible por ahora. Vuelve a intentarlo en unos minutos."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Escribe tu número de teléfono."
        case .notANumber:
            "No es un número de teléfono. Escribe solo dígitos, sin extensión. Si es de otro país, empieza con +."
        case .tooLong: "Este número tiene demasiados dígitos."
        case .tooShort: "Este número está incompleto."
        case .unknownRegion: "Empieza el número con + y el código de país."
        case .unsupportedCallingCode(let code): "No se admiten números que empiecen con +\(code)."
        case .noSuchNumber: "Este número no existe. Revisa los dígitos."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Los números 011 y 016–019 ya no están en servicio. Usa tu número 010."
        case .fixedLine: "Es un teléfono fijo. Usa un número móvil."
        case .voip: "Es un número de telefonía por internet. Usa un número móvil."
        case .personal: "Es un número que desvía las llamadas. Usa tu propio número móvil."
        case .representative: "Es un número de empresa. Usa un número móvil."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Este número no puede recibir códigos. Usa un número móvil."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "No se admiten números de este país\(region.map { " (\(name(of: $0)))" } ?? "")."
        guard (1...5).contains(allowed.count) else { return reason + " Usa otro número." }
        return reason + " Usa un número de: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { [.one: "{{count}} segundo", .other: "{{count}} segundos"] }
    var minutes: PluralForms { [.one: "{{count}} minuto", .other: "{{count}} minutos"] }
    var hours: PluralForms { [.one: "{{count}} hora", .other: "{{count}} horas"] }
}

// Prompt.
extension SpanishTexts {
    var phoneLabel: String { "Número de teléfono" }
    var codeLabel: String { "Código" }
    func codeQuestion(or channel: Channel?) -> String {
        "Código (r: reenviar\(channel.map { ", c: " + send(by: $0) } ?? ""), n: cambiar de número):"
    }
    var consentQuestion: String { "¿Aceptas? (y: sí, n: no)" }
    var sendHint: String { "Enter: enviar código" }
    var signUpHint: String { "Enter: registrarte" }
    var connecting: String { "conectando…" }
    var tryAgainHint: String { "Enter: reintentar" }
    var sending: String { "enviando…" }
    var signingUp: String { "comprobando…" }
    var resendHint: String { "r: reenviar" }
    var newCodeHint: String { "r: código nuevo" }
    var expired: String { "caducado" }
    var otherNumberHint: String { "Esc: cambiar de número" }
    var phoneHint: String { "+ si es de otro país" }
    func regionHint(_ region: Region) -> String { "región \(region) (se cambia con --region)" }
    var cancelHint: String { "Ctrl-C: cancelar" }
    var remoteNextStep: String { "A partir de ahora, inicia sesión en esta cuenta con el mismo número." }
    var stubLabel: String { "SMS simulado" }
    var canceled: String { "Registro cancelado." }
    var inputEnded: String {
        "La entrada terminó antes de completar el registro. Escribe un número de teléfono y luego el código."
    }

    func localNextSteps(show: String, serve: String) -> [String] { ["Siguiente: \(show)", "o bien:    \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "otro número, o código nuevo en \(wait)" }
    func resendHint(in wait: String) -> String { "reenviar en \(wait)" }
    func newCodeHint(in wait: String) -> String { "código nuevo en \(wait)" }
    func expiryHint(in wait: String) -> String { "caduca en \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Te estamos llamando al \(maskedNumber) para darte el código."
        case .whatsapp: "Código enviado por WhatsApp al \(maskedNumber)."
        case .kakaotalk: "Código enviado por KakaoTalk al \(maskedNumber)."
        case .sms, .inbound, .sim, nil: "Código enviado al \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Registro completado: \(phoneText) · cuenta \(account) (nueva)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Te damos la bienvenida de nuevo: \(phoneText) · cuenta \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "No se puede conectar con \(server). Comprueba que esté en marcha y que la dirección sea correcta. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) no es un servidor de PhoneProof (estado \(status)). Revisa la dirección indicada con --server."
    }
}

// Report on a number.
extension SpanishTexts {
    var numberInput: String { "Entrada" }
    var numberFormatted: String { "Se muestra como" }
    var numberIsValid: String { "Válido" }
    var numberKind: String { "Tipo" }
    var numberRegion: String { "Región" }
    var numberNational: String { "Formato nacional" }
    var numberInternational: String { "Formato internacional" }
    var numberReceivesCode: String { "Recibe códigos" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "móvil"
        case .legacyMobile: "móvil, fuera de servicio"
        case .fixedLine: "fijo"
        case .fixedLineOrMobile: "fijo o móvil"
        case .voip: "telefonía por internet"
        case .personal: "desvío de llamadas"
        case .representative: "número de empresa"
        case .tollFree: "llamada gratuita"
        case .premium: "tarifa especial"
        case .sharedCost: "tarifa compartida"
        case .pager: "buscapersonas"
        case .voicemail: "buzón de voz"
        case .machine: "máquina (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "sí" : "no" }
}

// Pages.
extension SpanishTexts {
    var undoHeading: String { "Se cambió tu número de teléfono" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "El \(moment), el número de teléfono de tu cuenta dejó de ser \(number) y se cambió por otro."
    }
    func undoAdvice(number: String) -> String {
        "Si lo cambiaste tú, puedes cerrar esta página. Si no, deshaz el cambio: tu número volverá a ser \(number) "
            + "y se cerrará la sesión en todos los dispositivos."
    }
    var undoButton: String { "Deshacer el cambio" }
    func undoDeadline(_ moment: String) -> String { "Puedes deshacer el cambio hasta el \(moment)." }
    var undoneHeading: String { "Recuperaste tu número" }
    func undone(number: String) -> String {
        "El número de tu cuenta vuelve a ser \(number). Se cerró la sesión en todos los dispositivos. "
            + "Vuelve a iniciar sesión con este número."
    }
    var undoGoneHeading: String { "Este enlace ha caducado" }
    var undoGone: String { "Ya se usó o es muy antiguo. Si acabas de presionar el botón, el cambio ya está deshecho." }
    var undoTakenHeading: String { "Este cambio no se puede deshacer" }
    var undoTaken: String { "Otra cuenta usa ahora tu número anterior. Ponte en contacto con soporte." }
    var undoUnavailableHeading: String { "Algo salió mal" }
    var undoUnavailable: String { "Espera un momento y vuelve a abrir el enlace del mensaje." }

    var inboxHeading: String { "Bandeja de SMS simulados" }
    var inboxNote: String { "Estos mensajes no se enviaron a ningún teléfono. Primero, los más recientes." }
    var inboxReload: String { "Vuelve a cargar la página para ver los mensajes nuevos." }
    var inboxEmpty: String { "Aún no hay mensajes." }
    var inboxCopy: String { "Copiar" }
    var inboxCopied: String { "Copiado" }
    var inboxFilter: String { "Filtrar por número" }
    var inboxClear: String { "Vaciar" }
    var inboxKey: String { "Presiona C para copiar el código más reciente." }
    func inboxMessage(to number: String) -> String { "Para \(number)" }
    func inboxCall(to number: String) -> String { "Llamada al \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "De \(sender), \(status)" + (errorCode.map { ", error \($0)" } ?? "")
    }
}

// SMS.
extension SpanishTexts {
    /// With `clave`, as banks call it, since GSM-7 lacks the ó of `código`.
    var verificationMessage: String {
        "{{code}} es tu clave temporal de {{service}}. Caduca en {{minutes}} min. No la compartas."
    }
    var numberChangeMessage: String {
        "Se ha cambiado el teléfono de tu cuenta de {{service}}. Si no lo pediste, deshaz el cambio: {{link}}"
    }
    var sharingWarning: String { "No lo compartas con nadie." }
    var sharingWarningMarks: [String] {
        ["no compart", "no lo compart", "no la compart", "nunca compart", "nunca lo compart", "no se lo d", "no revel"]
    }
}

// Pages to sign in.
extension SpanishTexts {
    var errorTitle: String { "Error" }
    var startHeading: String { "Inicia sesión con tu teléfono" }
    var startIntroduction: String { "Este servicio verifica números de teléfono y permite iniciar sesión con ellos." }
    var startDocs: String { "Para desarrolladores: la API" }
    var signInHeading: String { "Inicia sesión con tu número de teléfono" }
    var signInIntroduction: String { "Te enviaremos un código para iniciar sesión o crear tu cuenta." }
    var sendCode: String { "Enviar código" }
    var terms: String { "Términos del servicio" }
    var privacy: String { "Política de privacidad" }
    var conjunction: String { " y " }
    func acceptance(of rules: String) -> String { "Al continuar, aceptas estas condiciones: \(rules)." }
    func consent(to rules: String) -> String { "Acepto estas condiciones: \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) recibirá tu número de teléfono."
            : "\(client) no recibirá tu número de teléfono."
    }
    var codeHeading: String { "Escribe el código" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Te enviamos un código por SMS al \(number)."
        case .call: "Te estamos llamando al \(number) para darte el código."
        case .whatsapp: "Te enviamos un código por WhatsApp al \(number)."
        case .kakaotalk: "Te enviamos un código por KakaoTalk al \(number)."
        case .inbound: "Envíanos un SMS desde el \(number)."
        }
    }
    var changeNumber: String { "Cambiar de número" }
    var signIn: String { "Iniciar sesión" }
    var resendCode: String { "Reenviar código" }
    var resendWait: String { "Reenviar código en %" }
    var resent: String { "Código reenviado." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Recibir por SMS"
        case .call: "Recibir una llamada"
        case .whatsapp: "Recibir por WhatsApp"
        case .kakaotalk: "Recibir por KakaoTalk"
        case .inbound: "Prefiero enviar un SMS"
        }
    }

    var inboundHeading: String { "Envíanos un SMS" }
    var inboundRecipient: String { "Para" }
    var inboundText: String { "Mensaje" }
    var inboundOpen: String { "Abrir app de mensajes" }
    var inboundSent: String { "Ya está enviado" }
    var inboundMissing: String { "Tu SMS aún no ha llegado. Puede tardar un minuto." }
    var inboundArrived: String { "Recibimos tu SMS." }
    func callIntroduction(service: String) -> String { "Hola. Tu código de \(service) es:" }
    var callRepetition: String { "Una vez más, tu código es:" }
    var resendReady: String { "¿No te llega el código?" }
    var noSendsLeft: String { "Ahora mismo no podemos reenviar el código." }
    var dormantHeading: String { "Este número está vinculado a una cuenta antigua" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "La cuenta lleva mucho tiempo sin usarse y podría ser de otra persona. "
            + (hasCode ? "Escribe otra vez el código para crear una cuenta nueva. " : "Puedes crear una cuenta nueva. ")
            + "Para entrar en la cuenta antigua, ponte en contacto con soporte."
    }
    var newAccount: String { "Crear una cuenta nueva" }
    var signedInHeading: String { "Sesión iniciada" }
    func signedIn(as maskedNumber: String) -> String { "Tu sesión está abierta con el número \(maskedNumber)." }
    var signedInNote: String { "Puedes cerrar esta página. La próxima vez no necesitarás un código en este navegador." }
    var signOut: String { "Cerrar sesión" }
    var signOutHeading: String { "¿Cerrar sesión?" }
    var signedOutHeading: String { "Sesión cerrada" }
    var signedOut: String { "Puedes cerrar esta página." }
    var countryLabel: String { "País" }
    var countrySearch: String { "Buscar por nombre o código" }
    var countryNone: String { "No se encontró ningún país" }
    var codeExpiredHeading: String { "El código ha caducado" }
    func codeExpired(number: String) -> String {
        "Los códigos solo son válidos unos minutos. Podemos enviarte otro al \(number)."
    }
    var newCode: String { "Enviar otro código" }
    var sendingFailedHeading: String { "No pudimos enviar el código" }
    func sendingFailed(number: String) -> String {
        "El código no llegó al \(number). Revisa el número o vuelve a intentarlo en unos minutos."
    }
    var challengeHeading: String { "Un momento" }
    var challengeIntroduction: String { "Estamos comprobando que no eres un robot. Solo tardará unos segundos." }
    var captchaIntroduction: String { "Para recibir el código, confirma que no eres un robot." }
    var challengeBusy: String { "Comprobando…" }
    var challengeWait: String { "Sin JavaScript hay que esperar un poco. Podrás enviar el código en % s." }
    var challengeNeedsScript: String { "Activa JavaScript en tu navegador y vuelve a cargar esta página." }
    var limitHeading: String { "Demasiados intentos" }
    var retryWait: String { "Vuelve a intentarlo en %" }
    var offline: String { "Sin conexión a internet. Revisa la conexión y vuelve a intentarlo." }
    var anotherNumber: String { "Usar otro número" }
    var tryAgain: String { "Volver a intentarlo" }
    var startAgain: String { "Empezar de nuevo" }
    var pageExpiredHeading: String { "Esta página ha caducado" }
    var pageExpired: String {
        "Llevaba demasiado tiempo abierta, iniciaste o cerraste sesión en otra pestaña, o tu navegador bloquea "
            + "las cookies."
    }
    var pageReplacedHeading: String { "Esta página está desactualizada" }
    var pageReplaced: String { "Ya continuaste en otra pestaña o ventana. Desde esta no se envió nada." }
    var pageOfOtherSite: String { "Este formulario venía de otro sitio web, así que no se hizo nada." }
    var goOn: String { "Continuar" }
    var linkInvalidHeading: String { "Este enlace no es válido" }
    var linkInvalid: String { "La app que te trajo aquí hizo una solicitud no segura. No recibió ningún dato." }
    var notFoundHeading: String { "Página no encontrada" }
    var notFound: String { "No hay ninguna página en esta dirección." }
    var goToStart: String { "Ir a la página de inicio" }
    var consoleKey: String { "Clave de API" }
    var consoleKeyHint: String { "Una clave con el alcance viewer, support o admin:" }
    var consoleKeyRefused: String { "Esta clave no es válida, se ha revocado o no es para la consola." }
    var consoleNotSignedIn: String { "No se completó el inicio de sesión. Vuelve a intentarlo." }
    var consoleProofTooOld: String {
        "El número se verificó antes de este inicio de sesión. Vuelve a intentarlo con un código nuevo."
    }
    var consoleRefused: String { "Este número no tiene acceso a la consola." }
}

// Pages for devices without a browser.
extension SpanishTexts {
    var deviceHeading: String { "Iniciar sesión en un dispositivo" }
    var deviceIntroduction: String { "Escribe el código que muestra tu propio dispositivo." }
    var deviceCode: String { "Código del dispositivo" }
    var deviceUnknown: String {
        "No hay ningún dispositivo en espera con este código. Revisa las letras o pide un código nuevo en el dispositivo."
    }
    var deviceQuestion: String { "¿Eres tú?" }
    var devicePlace: String { "Dirección IP" }
    var deviceProgram: String { "Programa" }
    var deviceWarning: String {
        "Continúa solo si has sido tú quien acaba de empezar este inicio de sesión y tu dispositivo muestra este código. Si alguien te envió el código o un enlace, es un fraude: elige «No»."
    }
    var deviceApprove: String { "Sí, iniciar sesión" }
    var deviceRefuse: String { "No" }
    var deviceDoneHeading: String { "Has iniciado sesión en tu dispositivo" }
    var deviceDone: String { "Puedes cerrar esta página y volver a tu dispositivo." }
    var deviceRefusedHeading: String { "Rechazado" }
    var deviceRefused: String { "Nadie ha iniciado sesión. Si alguien te envió el código, no le respondas." }
    func deviceRequest(client: String) -> String {
        "\(client), en otro dispositivo, pide iniciar sesión con tu cuenta."
    }
}

// Passkeys.
extension SpanishTexts {
    var passkeySignIn: String { "Iniciar sesión con una llave de acceso" }
    var passkeyRefused: String { "Esa llave de acceso no funciona aquí. Inicia sesión con tu número de teléfono." }
    var passkeyOfferHeading: String { "Inicia sesión sin código la próxima vez" }
    var passkeyOffer: String {
        "Con una llave de acceso inicias sesión con tu huella, tu cara o el bloqueo de pantalla. Tu número de teléfono sigue funcionando."
    }
    var passkeyCreate: String { "Crear una llave de acceso" }
    var passkeySkip: String { "Ahora no" }
    var passkeyFailed: String { "No se creó la llave de acceso. Puedes volver a intentarlo." }
    var passkeysHeading: String { "Llaves de acceso" }
    var passkeysNone: String { "Todavía no tienes llaves de acceso." }
    func passkeyUsed(_ moment: String) -> String { "Último uso: \(moment)" }
    var passkeyName: String { "Nombre" }
    var passkeyRename: String { "Cambiar nombre" }
    var passkeyRemove: String { "Eliminar" }
    var passkeyAsk: String {
        "Tu número de teléfono cambió o esta llave de acceso lleva mucho tiempo sin usarse. ¿Sigue siendo tuya?"
    }
    var passkeyKeep: String { "Es mía" }
}
