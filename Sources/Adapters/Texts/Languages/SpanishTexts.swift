import PhoneDomain

extension Texts {
    /// Spanish that is at home in no one country, with the informal address.
    ///
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let spanish = Texts(
        language: LanguageTag(validated: "es"),
        englishName: "Spanish",
        regionNames: .spanish,
        failures: Failures(
            sessionNotFound: "La sesión ya está cerrada en este dispositivo.",
            internalError: "Algo salió mal. Vuelve a intentarlo.",
            numberEmpty: "Escribe tu número de teléfono.",
            numberMalformed: """
                No es un número de teléfono. Escribe solo dígitos, sin extensión. Si es de otro país, empieza con +.
                """,
            numberTooLong: "Este número tiene demasiados dígitos.",
            numberTooShort: "Este número está incompleto.",
            numberNeedsCountry: "Empieza el número con + y el código de país.",
            numberUnsupported: "No se admiten números que empiecen con +{{code}}.",
            numberUnknown: "Este número no existe. Revisa los dígitos.",
            kindLegacy: "Los números 011 y 016–019 ya no están en servicio. Usa tu número 010.",
            kindLandline: "Es un teléfono fijo. Usa un número móvil.",
            kindVoip: "Es un número de telefonía por internet. Usa un número móvil.",
            kindPersonal: "Es un número que desvía las llamadas. Usa tu propio número móvil.",
            kindCompany: "Es un número de empresa. Usa un número móvil.",
            kindOther: "Este número no puede recibir códigos. Usa un número móvil.",
            countryRefused: "No se admiten números de este país. Usa otro número.",
            countryRefusedByName: "No se admiten números de este país ({{country}}). Usa otro número.",
            countriesAccepted: "No se admiten números de este país. Usa un número de: {{countries}}.",
            countriesAcceptedByName: """
                No se admiten números de este país ({{country}}). Usa un número de: {{countries}}.
                """,
            countrySeparator: ", ",
            channelUnavailable: "Ahora mismo no podemos enviar códigos a este número.",
            channelOther: "No podemos enviar el código por esa vía. Elige otra opción.",
            resendTooSoon: "Acabamos de enviarte un código. Podrás pedir otro dentro de {{wait}}.",
            tooManyCodes: "Has pedido demasiados códigos. Vuelve a intentarlo dentro de {{wait}}.",
            rateLimited: "Demasiadas solicitudes. Vuelve a intentarlo dentro de {{wait}}.",
            challengeRequired: "Tenemos que comprobar que no eres un robot. Vuelve a intentarlo.",
            challengeFailed: "No se pudo confirmar que no eres un robot. Vuelve a intentarlo.",
            sendDenied: "No podemos enviar códigos a este número. Usa otro.",
            codeMalformed: "Escribe el código de {{length}} dígitos.",
            codeIncorrect: [
                .one: "Código incorrecto. Te queda 1 intento.",
                .other: "Código incorrecto. Te quedan {{count}} intentos.",
            ],
            codeIncorrectLast: "Código incorrecto. No te quedan intentos.",
            codeExpired: "El código ha caducado. Pide uno nuevo.",
            maxChecksReached: "Demasiados códigos incorrectos. Vuelve a intentarlo dentro de {{wait}}.",
            codeMissing: "Primero pide un código para este número.",
            signupExpired: "La sesión ha caducado. Empieza de nuevo.",
            codeClosed: "Este código ya no es válido. Pide uno nuevo.",
            notApproved: "Este número aún no está verificado. Primero escribe el código.",
            accountDormant: """
                La cuenta de este número lleva mucho tiempo sin usarse. Para continuar, ponte en contacto con soporte.
                """,
            consentRequired: "Para continuar, acepta las condiciones.",
            accountSuspended: "Esta cuenta está suspendida. Ponte en contacto con soporte.",
            numberTaken: "Otra cuenta ya usa este número.",
            changeGone: "Este cambio ya no se puede deshacer.",
            dataTooBig: "Hay demasiados datos para guardar. Elimina algunos.",
            notSignedIn: "Se ha cerrado la sesión. Vuelve a iniciarla.",
            proofTooOld: "Por tu seguridad, vuelve a iniciar sesión para continuar.",
            unavailable: "El servicio no está disponible por ahora. Vuelve a intentarlo en unos minutos.",
            seconds: [.one: "{{count}} segundo", .other: "{{count}} segundos"],
            minutes: [.one: "{{count}} minuto", .other: "{{count}} minutos"],
            hours: [.one: "{{count}} hora", .other: "{{count}} horas"]
        ),
        prompt: Prompt(
            codeQuestion: "Código (r: reenviar, n: cambiar de número):",
            codeQuestionOrChannel: "Código (r: reenviar, c: {{send}}, n: cambiar de número):",
            consentQuestion: "¿Aceptas? (y: sí, n: no)",
            sendHint: "Enter: enviar código",
            signUpHint: "Enter: registrarte",
            connecting: "conectando…",
            tryAgainHint: "Enter: reintentar",
            resendHint: "r: reenviar",
            resendWait: "reenviar en {{wait}}",
            newCodeHint: "r: código nuevo",
            newCodeWait: "código nuevo en {{wait}}",
            expiryWait: "caduca en {{wait}}",
            expired: "caducado",
            otherNumberHint: "Esc: cambiar de número",
            anotherNumberWait: "otro número, o código nuevo en {{wait}}",
            phoneHint: "+ si es de otro país",
            regionHint: "región {{region}} (se cambia con --region)",
            cancelHint: "Ctrl-C: cancelar",
            localNextSteps: ["Siguiente: {{show}}", "o bien:    {{serve}}"],
            remoteNextStep: "A partir de ahora, inicia sesión en esta cuenta con el mismo número.",
            sent: "Código enviado al {{number}}.",
            sentByCall: "Te estamos llamando al {{number}} para darte el código.",
            sentByMessenger: "Código enviado por {{channel}} al {{number}}.",
            stubLabel: "SMS simulado",
            signedUp: "Registro completado: {{phone}} · cuenta {{account}} (nueva)",
            welcomeBack: "Te damos la bienvenida de nuevo: {{phone}} · cuenta {{account}}",
            canceled: "Registro cancelado.",
            inputEnded: """
                La entrada terminó antes de completar el registro. Escribe un número de teléfono y luego el código.
                """,
            serverUnreachable: """
                No se puede conectar con {{server}}. Comprueba que esté en marcha y que la dirección sea correcta. \
                ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} no es un servidor de PhoneProof (estado {{status}}). Revisa la dirección indicada con \
                --server.
                """
        ),
        number: Number(
            input: "Entrada",
            formatted: "Se muestra como",
            isValid: "Válido",
            kind: "Tipo",
            region: "Región",
            national: "Formato nacional",
            international: "Formato internacional",
            receivesCode: "Recibe códigos",
            mobile: "móvil",
            legacyMobile: "móvil, fuera de servicio",
            fixedLine: "fijo",
            fixedLineOrMobile: "fijo o móvil",
            voip: "telefonía por internet",
            personal: "desvío de llamadas",
            representative: "número de empresa",
            tollFree: "llamada gratuita",
            premium: "tarifa especial",
            sharedCost: "tarifa compartida",
            pager: "buscapersonas",
            voicemail: "buzón de voz",
            machine: "máquina (M2M)",
            yes: "sí",
            no: "no"
        ),
        pages: Pages(
            startHeading: "Inicia sesión con tu teléfono",
            startIntroduction: "Este servicio verifica números de teléfono y permite iniciar sesión con ellos.",
            startDocs: "Para desarrolladores: la API",
            errorTitle: "Error",
            signInHeading: "Inicia sesión con tu número de teléfono",
            signInIntroduction: "Te enviaremos un código para iniciar sesión o crear tu cuenta.",
            phoneLabel: "Número de teléfono",
            sendCode: "Enviar código",
            sending: "enviando…",
            terms: "Términos del servicio",
            privacy: "Política de privacidad",
            conjunction: " y ",
            acceptance: "Al continuar, aceptas estas condiciones: {{rules}}.",
            consent: "Acepto estas condiciones: {{rules}}.",
            sharesNumber: "{{client}} recibirá tu número de teléfono.",
            keepsNumber: "{{client}} no recibirá tu número de teléfono.",
            codeHeading: "Escribe el código",
            codeLabel: "Código",
            codeSentBySms: "Te enviamos un código por SMS al {{number}}.",
            codeSentByCall: "Te estamos llamando al {{number}} para darte el código.",
            codeSentByMessenger: "Te enviamos un código por {{channel}} al {{number}}.",
            codeSentInbound: "Envíanos un SMS desde el {{number}}.",
            changeNumber: "Cambiar de número",
            signIn: "Iniciar sesión",
            signingUp: "comprobando…",
            resendCode: "Reenviar código",
            resendWait: "Reenviar código en %",
            resent: "Código reenviado.",
            resendReady: "¿No te llega el código?",
            sendBySms: "Recibir por SMS",
            sendByCall: "Recibir una llamada",
            sendByMessenger: "Recibir por {{channel}}",
            sendInbound: "Prefiero enviar un SMS",
            noSendsLeft: "Ahora mismo no podemos reenviar el código.",
            inboundHeading: "Envíanos un SMS",
            inboundRecipient: "Para",
            inboundText: "Mensaje",
            inboundOpen: "Abrir app de mensajes",
            inboundSent: "Ya está enviado",
            inboundMissing: "Tu SMS aún no ha llegado. Puede tardar un minuto.",
            inboundArrived: "Recibimos tu SMS.",
            dormantHeading: "Este número está vinculado a una cuenta antigua",
            dormantIntroduction: """
                La cuenta lleva mucho tiempo sin usarse y podría ser de otra persona. Puedes crear una cuenta nueva. \
                Para entrar en la cuenta antigua, ponte en contacto con soporte.
                """,
            dormantWithCode: """
                La cuenta lleva mucho tiempo sin usarse y podría ser de otra persona. Escribe otra vez el código para \
                crear una cuenta nueva. Para entrar en la cuenta antigua, ponte en contacto con soporte.
                """,
            newAccount: "Crear una cuenta nueva",
            signedInHeading: "Sesión iniciada",
            signedInAs: "Tu sesión está abierta con el número {{number}}.",
            signedInNote: "Puedes cerrar esta página. La próxima vez no necesitarás un código en este navegador.",
            signOut: "Cerrar sesión",
            signOutHeading: "¿Cerrar sesión?",
            signedOutHeading: "Sesión cerrada",
            signedOut: "Puedes cerrar esta página.",
            countryLabel: "País",
            countrySearch: "Buscar por nombre o código",
            countryNone: "No se encontró ningún país",
            codeExpiredHeading: "El código ha caducado",
            codeExpiredFor: "Los códigos solo son válidos unos minutos. Podemos enviarte otro al {{number}}.",
            newCode: "Enviar otro código",
            sendingFailedHeading: "No pudimos enviar el código",
            sendingFailed: "El código no llegó al {{number}}. Revisa el número o vuelve a intentarlo en unos minutos.",
            challengeHeading: "Un momento",
            challengeIntroduction: "Estamos comprobando que no eres un robot. Solo tardará unos segundos.",
            captchaIntroduction: "Para recibir el código, confirma que no eres un robot.",
            challengeBusy: "Comprobando…",
            challengeWait: "Sin JavaScript hay que esperar un poco. Podrás enviar el código en % s.",
            challengeNeedsScript: "Activa JavaScript en tu navegador y vuelve a cargar esta página.",
            limitHeading: "Demasiados intentos",
            retryWait: "Vuelve a intentarlo en %",
            anotherNumber: "Usar otro número",
            tryAgain: "Volver a intentarlo",
            startAgain: "Empezar de nuevo",
            pageExpiredHeading: "Esta página ha caducado",
            pageExpired: """
                Llevaba demasiado tiempo abierta, iniciaste o cerraste sesión en otra pestaña, o tu navegador bloquea \
                las cookies.
                """,
            pageReplacedHeading: "Esta página está desactualizada",
            pageReplaced: "Ya continuaste en otra pestaña o ventana. Desde esta no se envió nada.",
            pageOfOtherSite: "Este formulario venía de otro sitio web, así que no se hizo nada.",
            goOn: "Continuar",
            linkInvalidHeading: "Este enlace no es válido",
            linkInvalid: "La app que te trajo aquí hizo una solicitud no segura. No recibió ningún dato.",
            offline: "Sin conexión a internet. Revisa la conexión y vuelve a intentarlo.",
            notFoundHeading: "Página no encontrada",
            notFound: "No hay ninguna página en esta dirección.",
            goToStart: "Ir a la página de inicio"
        ),
        console: Console(
            key: "Clave de API",
            keyHint: "Una clave con el alcance viewer, support o admin:",
            keyRefused: "Esta clave no es válida, se ha revocado o no es para la consola.",
            notSignedIn: "No se completó el inicio de sesión. Vuelve a intentarlo.",
            proofTooOld: """
                El número se verificó antes de este inicio de sesión. Vuelve a intentarlo con un código nuevo.
                """,
            refused: "Este número no tiene acceso a la consola."
        ),
        devices: Devices(
            heading: "Iniciar sesión en un dispositivo",
            introduction: "Escribe el código que muestra tu propio dispositivo.",
            code: "Código del dispositivo",
            unknown: """
                No hay ningún dispositivo en espera con este código. Revisa las letras o pide un código nuevo en el \
                dispositivo.
                """,
            question: "¿Eres tú?",
            request: "{{client}}, en otro dispositivo, pide iniciar sesión con tu cuenta.",
            place: "Dirección IP",
            program: "Programa",
            warning: """
                Continúa solo si has sido tú quien acaba de empezar este inicio de sesión y tu dispositivo muestra \
                este código. Si alguien te envió el código o un enlace, es un fraude: elige «No».
                """,
            approve: "Sí, iniciar sesión",
            refuse: "No",
            doneHeading: "Has iniciado sesión en tu dispositivo",
            done: "Puedes cerrar esta página y volver a tu dispositivo.",
            refusedHeading: "Rechazado",
            refused: "Nadie ha iniciado sesión. Si alguien te envió el código, no le respondas."
        ),
        passkeys: Passkeys(
            signIn: "Iniciar sesión con una llave de acceso",
            refused: "Esa llave de acceso no funciona aquí. Inicia sesión con tu número de teléfono.",
            offerHeading: "Inicia sesión sin código la próxima vez",
            offer: """
                Con una llave de acceso inicias sesión con tu huella, tu cara o el bloqueo de pantalla. Tu número de \
                teléfono sigue funcionando.
                """,
            create: "Crear una llave de acceso",
            skip: "Ahora no",
            failed: "No se creó la llave de acceso. Puedes volver a intentarlo.",
            heading: "Llaves de acceso",
            none: "Todavía no tienes llaves de acceso.",
            used: "Último uso: {{moment}}",
            name: "Nombre",
            rename: "Cambiar nombre",
            remove: "Eliminar",
            ask: """
                Tu número de teléfono cambió o esta llave de acceso lleva mucho tiempo sin usarse. ¿Sigue siendo tuya?
                """,
            keep: "Es mía"
        ),
        undo: Undo(
            heading: "Se cambió tu número de teléfono",
            offer: "El {{moment}}, el número de teléfono de tu cuenta dejó de ser {{number}} y se cambió por otro.",
            advice: """
                Si lo cambiaste tú, puedes cerrar esta página. Si no, deshaz el cambio: tu número volverá a ser \
                {{number}} y se cerrará la sesión en todos los dispositivos.
                """,
            button: "Deshacer el cambio",
            deadline: "Puedes deshacer el cambio hasta el {{moment}}.",
            undoneHeading: "Recuperaste tu número",
            undone: """
                El número de tu cuenta vuelve a ser {{number}}. Se cerró la sesión en todos los dispositivos. Vuelve a \
                iniciar sesión con este número.
                """,
            goneHeading: "Este enlace ha caducado",
            gone: "Ya se usó o es muy antiguo. Si acabas de presionar el botón, el cambio ya está deshecho.",
            takenHeading: "Este cambio no se puede deshacer",
            taken: "Otra cuenta usa ahora tu número anterior. Ponte en contacto con soporte.",
            unavailableHeading: "Algo salió mal",
            unavailable: "Espera un momento y vuelve a abrir el enlace del mensaje."
        ),
        inbox: Inbox(
            heading: "Bandeja de SMS simulados",
            note: "Estos mensajes no se enviaron a ningún teléfono. Primero, los más recientes.",
            reload: "Vuelve a cargar la página para ver los mensajes nuevos.",
            empty: "Aún no hay mensajes.",
            copy: "Copiar",
            copied: "Copiado",
            filter: "Filtrar por número",
            clear: "Vaciar",
            key: "Presiona C para copiar el código más reciente.",
            message: "Para {{number}}",
            call: "Llamada al {{number}}",
            delivery: "De {{sender}}, {{status}}",
            failedDelivery: "De {{sender}}, {{status}}, error {{code}}"
        ),
        call: Call(
            introduction: "Hola. Tu código de {{service}} es:",
            repetition: "Una vez más, tu código es:"
        ),
        messages: Messages(
            // With `clave`, as banks call it, since GSM-7 lacks the ó of `código`.
            verification: "{{code}} es tu clave temporal de {{service}}. Caduca en {{minutes}} min. No la compartas.",
            numberChange: """
                Se ha cambiado el teléfono de tu cuenta de {{service}}. Si no lo pediste, deshaz el cambio: {{link}}
                """,
            sharingWarning: "No lo compartas con nadie.",
            sharingWarningMarks: [
                "no compart", "no lo compart", "no la compart", "nunca compart", "nunca lo compart", "no se lo d",
                "no revel",
            ]
        )
    )
}
