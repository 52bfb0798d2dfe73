import PhoneDomain

extension Texts {
    /// Portuguese of Brazil, with você.
    ///
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let brazilianPortuguese = Texts(
        language: LanguageTag(validated: "pt-BR"),
        englishName: "Brazilian Portuguese",
        regionNames: .brazilianPortuguese,
        failures: Failures(
            sessionNotFound: "A sessão já foi encerrada neste dispositivo.",
            internalError: "Algo deu errado. Tente novamente.",
            numberEmpty: "Digite seu número de telefone.",
            numberMalformed: """
                Isso não é um número de telefone. Digite só números, sem ramal. Se for de outro país, comece com +.
                """,
            numberTooLong: "Este número tem dígitos demais.",
            numberTooShort: "Este número está incompleto.",
            numberNeedsCountry: "Comece o número com + e o código do país.",
            numberUnsupported: "Números que começam com +{{code}} não são aceitos.",
            numberUnknown: "Este número não existe. Confira os dígitos.",
            kindLegacy: "Os números 011 e 016–019 foram desativados. Use seu número 010.",
            kindLandline: "Este é um telefone fixo. Use um número de celular.",
            kindVoip: "Este é um número de telefonia pela internet. Use um número de celular.",
            kindPersonal: "Este número desvia as chamadas para outro. Use seu próprio número de celular.",
            kindCompany: "Este é um número de empresa. Use um número de celular.",
            kindOther: "Este número não pode receber códigos. Use um número de celular.",
            countryRefused: "Números deste país não são aceitos. Use outro número.",
            countryRefusedByName: "Números deste país ({{country}}) não são aceitos. Use outro número.",
            countriesAccepted: [
                .one: "Números deste país não são aceitos. País aceito: {{countries}}.",
                .other: "Números deste país não são aceitos. Países aceitos: {{countries}}.",
            ],
            countriesAcceptedByName: [
                .one: "Números deste país ({{country}}) não são aceitos. País aceito: {{countries}}.",
                .other: "Números deste país ({{country}}) não são aceitos. Países aceitos: {{countries}}.",
            ],
            countrySeparator: ", ",
            channelUnavailable: "No momento, não podemos enviar códigos para este número.",
            channelOther: "Não podemos enviar o código dessa forma. Escolha outra opção.",
            resendTooSoon: "Acabamos de enviar um código. Você poderá pedir outro em {{wait}}.",
            tooManyCodes: "Você pediu códigos demais. Tente novamente em {{wait}}.",
            rateLimited: "Muitas solicitações. Tente novamente em {{wait}}.",
            challengeRequired: "Precisamos confirmar que você não é um robô. Tente novamente.",
            challengeFailed: "Não foi possível confirmar que você não é um robô. Tente novamente.",
            sendDenied: "Não podemos enviar códigos para este número. Use outro.",
            codeMalformed: "Digite o código de {{length}} dígitos.",
            codeIncorrect: [
                .one: "Código incorreto. Resta 1 tentativa.",
                .other: "Código incorreto. Restam {{count}} tentativas.",
            ],
            codeIncorrectLast: "Código incorreto. Suas tentativas acabaram.",
            codeExpired: "Seu código expirou. Peça um novo.",
            maxChecksReached: "Muitos códigos incorretos. Tente novamente em {{wait}}.",
            codeMissing: "Primeiro, peça um código para este número.",
            signupExpired: "Sua sessão expirou. Comece de novo.",
            codeClosed: "Este código não é mais válido. Peça um novo.",
            notApproved: "Este número ainda não foi verificado. Digite o código primeiro.",
            accountDormant: "A conta deste número não é usada há muito tempo. Para continuar, fale com o suporte.",
            consentRequired: "Para continuar, aceite as condições.",
            accountSuspended: "Esta conta está suspensa. Fale com o suporte.",
            numberTaken: "Este número já é usado em outra conta.",
            changeGone: "Não é mais possível desfazer esta alteração.",
            dataTooBig: "Há dados demais para salvar. Remova alguns.",
            notSignedIn: "Sua sessão foi encerrada. Entre novamente.",
            proofTooOld: "Para sua segurança, entre novamente para continuar.",
            unavailable: "O serviço está temporariamente indisponível. Tente novamente daqui a pouco.",
            seconds: [.one: "{{count}} segundo", .other: "{{count}} segundos"],
            minutes: [.one: "{{count}} minuto", .other: "{{count}} minutos"],
            hours: [.one: "{{count}} hora", .other: "{{count}} horas"]
        ),
        prompt: Prompt(
            codeQuestion: "Código (r: reenviar, n: trocar de número):",
            codeQuestionOrChannel: "Código (r: reenviar, c: {{send}}, n: trocar de número):",
            consentQuestion: "Você aceita? (y: sim, n: não)",
            sendHint: "Enter: enviar código",
            signUpHint: "Enter: concluir cadastro",
            connecting: "conectando…",
            tryAgainHint: "Enter: tentar novamente",
            resendHint: "r: reenviar",
            resendWait: "reenviar em {{wait}}",
            newCodeHint: "r: novo código",
            newCodeWait: "novo código em {{wait}}",
            expiryWait: "expira em {{wait}}",
            expired: "expirado",
            otherNumberHint: "Esc: trocar de número",
            anotherNumberWait: "outro número, ou novo código em {{wait}}",
            phoneHint: "+ para outro país",
            regionHint: "região {{region}} (mude com --region)",
            cancelHint: "Ctrl-C: cancelar",
            localNextSteps: ["A seguir: {{show}}", "ou:       {{serve}}"],
            remoteNextStep: "Da próxima vez, entre nesta conta com o mesmo número.",
            sent: "Código enviado para {{number}}.",
            sentByCall: "Ligando para {{number}} para informar seu código.",
            sentByMessenger: "Código enviado pelo {{channel}} para {{number}}.",
            stubLabel: "SMS simulado",
            signedUp: "Cadastro concluído: {{phone}} · conta {{account}} (nova)",
            welcomeBack: "Que bom ver você de novo: {{phone}} · conta {{account}}",
            canceled: "Cadastro cancelado.",
            inputEnded: "A entrada terminou antes do fim do cadastro. Digite o telefone e depois o código.",
            serverUnreachable: """
                Não foi possível conectar a {{server}}. Confira se está em execução e se o endereço está certo. \
                ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} não é um servidor PhoneProof (status {{status}}). Confira o endereço informado em --server.
                """
        ),
        number: Number(
            input: "Entrada",
            formatted: "Exibido como",
            isValid: "Válido",
            kind: "Tipo",
            region: "Região",
            national: "Formato nacional",
            international: "Formato internacional",
            receivesCode: "Recebe códigos",
            mobile: "celular",
            legacyMobile: "celular, desativado",
            fixedLine: "fixo",
            fixedLineOrMobile: "fixo ou celular",
            voip: "telefonia pela internet",
            personal: "desvio de chamadas",
            representative: "número de empresa",
            tollFree: "ligação gratuita",
            premium: "tarifa especial",
            sharedCost: "custo compartilhado",
            pager: "pager",
            voicemail: "caixa postal",
            machine: "máquina (M2M)",
            yes: "sim",
            no: "não"
        ),
        pages: Pages(
            startHeading: "Entre com seu telefone",
            startIntroduction: "Este serviço verifica números de telefone e permite entrar com eles.",
            startDocs: "Para desenvolvedores: a API",
            errorTitle: "Erro",
            signInHeading: "Entre com seu número de telefone",
            signInIntroduction: "Vamos enviar um código para você entrar ou criar sua conta.",
            phoneLabel: "Número de telefone",
            sendCode: "Enviar código",
            sending: "enviando…",
            terms: "Termos de Serviço",
            privacy: "Política de Privacidade",
            conjunction: " e ",
            acceptance: "Ao continuar, você aceita estas condições: {{rules}}.",
            consent: "Aceito estas condições: {{rules}}.",
            sharesNumber: "{{client}} receberá seu número de telefone.",
            keepsNumber: "{{client}} não receberá seu número de telefone.",
            codeHeading: "Digite o código",
            codeLabel: "Código",
            codeSentBySms: "Enviamos um código por SMS para {{number}}.",
            codeSentByCall: "Estamos ligando para {{number}} para informar seu código.",
            codeSentByMessenger: "Enviamos um código pelo {{channel}} para {{number}}.",
            codeSentInbound: "Envie um SMS a partir do número {{number}}.",
            changeNumber: "Trocar de número",
            signIn: "Entrar",
            signingUp: "verificando…",
            resendCode: "Reenviar código",
            resendWait: "Reenviar código em %",
            resent: "Código reenviado.",
            resendReady: "Não recebeu o código?",
            sendBySms: "Receber por SMS",
            sendByCall: "Receber por ligação",
            sendByMessenger: "Receber pelo {{channel}}",
            sendInbound: "Prefiro enviar um SMS",
            noSendsLeft: "No momento, não podemos reenviar o código.",
            inboundHeading: "Envie um SMS para nós",
            inboundRecipient: "Para",
            inboundText: "Mensagem",
            inboundOpen: "Abrir app de mensagens",
            inboundSent: "Já enviei",
            inboundMissing: "Ainda não recebemos seu SMS. Pode levar um minuto.",
            inboundArrived: "Recebemos seu SMS.",
            dormantHeading: "Este número está vinculado a uma conta antiga",
            dormantIntroduction: """
                A conta não é usada há muito tempo e pode ser de outra pessoa. Você pode criar uma nova conta. Para \
                entrar na conta antiga, fale com o suporte.
                """,
            dormantWithCode: """
                A conta não é usada há muito tempo e pode ser de outra pessoa. Digite o código de novo para criar uma \
                nova conta. Para entrar na conta antiga, fale com o suporte.
                """,
            newAccount: "Criar nova conta",
            signedInHeading: "Você entrou na sua conta",
            signedInAs: "Você entrou com o número {{number}}.",
            signedInNote: "Pode fechar esta página. Da próxima vez, você entrará sem código neste navegador.",
            signOut: "Sair",
            signOutHeading: "Sair da conta?",
            signedOutHeading: "Você saiu da sua conta",
            signedOut: "Pode fechar esta página.",
            countryLabel: "País",
            countrySearch: "Buscar por nome ou código",
            countryNone: "Nenhum país encontrado",
            codeExpiredHeading: "Seu código expirou",
            codeExpiredFor: "Os códigos só valem por alguns minutos. Podemos enviar um novo para {{number}}.",
            newCode: "Enviar novo código",
            sendingFailedHeading: "Não foi possível enviar o código",
            sendingFailed: "Seu código não chegou a {{number}}. Confira o número ou tente novamente daqui a pouco.",
            challengeHeading: "Um momento",
            challengeIntroduction: "Estamos confirmando que você não é um robô. Isso leva alguns segundos.",
            captchaIntroduction: "Para receber o código, confirme que você não é um robô.",
            challengeBusy: "Verificando…",
            challengeWait: "Sem JavaScript, é preciso esperar um pouco. Você poderá enviar o código em % s.",
            challengeNeedsScript: "Ative o JavaScript no seu navegador e recarregue esta página.",
            limitHeading: "Muitas tentativas",
            retryWait: "Tente novamente em %",
            anotherNumber: "Usar outro número",
            tryAgain: "Tentar novamente",
            startAgain: "Começar de novo",
            pageExpiredHeading: "Esta página expirou",
            pageExpired: """
                Ela ficou aberta tempo demais, você entrou ou saiu da conta em outra aba, ou seu navegador bloqueia \
                cookies.
                """,
            pageReplacedHeading: "Esta página está desatualizada",
            pageReplaced: "Você continuou em outra aba ou janela. Nada foi enviado por esta.",
            pageOfOtherSite: "Este formulário veio de outro site, por isso nada foi feito.",
            goOn: "Continuar",
            linkInvalidHeading: "Este link não é válido",
            linkInvalid: """
                O app que trouxe você até aqui fez uma solicitação que não é confiável. Ele não recebeu nenhum dado \
                seu.
                """,
            offline: "Você está sem internet. Confira sua conexão e tente novamente.",
            notFoundHeading: "Página não encontrada",
            notFound: "Não há nenhuma página neste endereço.",
            goToStart: "Ir para a página inicial"
        ),
        console: Console(
            key: "Chave de API",
            keyHint: "Uma chave com o escopo viewer, support ou admin:",
            keyRefused: "Esta chave é inválida, foi revogada ou não serve para o console.",
            notSignedIn: "O login não foi concluído. Tente novamente.",
            proofTooOld: "O número foi verificado antes deste login. Tente novamente com um novo código.",
            refused: "Este número não tem acesso ao console."
        ),
        devices: Devices(
            heading: "Fazer login em um dispositivo",
            introduction: "Digite o código que aparece no seu próprio dispositivo.",
            code: "Código no dispositivo",
            unknown: """
                Nenhum dispositivo está esperando com este código. Confira as letras ou gere um novo código no \
                dispositivo.
                """,
            question: "É você?",
            request: "{{client}}, em outro dispositivo, pede para entrar na sua conta.",
            place: "Endereço IP",
            program: "Programa",
            warning: """
                Continue somente se foi você quem acabou de iniciar este login e se o seu dispositivo mostra este \
                código. Se alguém enviou o código ou um link para você, é golpe: escolha “Não”.
                """,
            approve: "Sim, entrar",
            refuse: "Não",
            doneHeading: "Login feito no seu dispositivo",
            done: "Você pode fechar esta página e voltar ao dispositivo.",
            refusedHeading: "Recusado",
            refused: "Ninguém entrou na sua conta. Se alguém enviou o código a você, não responda."
        ),
        passkeys: Passkeys(
            signIn: "Entrar com chave de acesso",
            refused: "Essa chave de acesso não funciona aqui. Entre com seu número de telefone.",
            offerHeading: "Entre sem código na próxima vez",
            offer: """
                Com uma chave de acesso, você entra com a impressão digital, o rosto ou o bloqueio de tela. Seu número \
                de telefone continua funcionando.
                """,
            create: "Criar chave de acesso",
            skip: "Agora não",
            failed: "A chave de acesso não foi criada. Você pode tentar novamente.",
            heading: "Chaves de acesso",
            none: "Você ainda não tem chaves de acesso.",
            used: "Último uso: {{moment}}",
            name: "Nome",
            rename: "Renomear",
            remove: "Remover",
            ask: "Seu número de telefone mudou ou esta chave de acesso não é usada há muito tempo. Ela ainda é sua?",
            keep: "É minha"
        ),
        undo: Undo(
            heading: "Seu número de telefone foi alterado",
            offer: "Em {{moment}}, o número de telefone da sua conta deixou de ser {{number}} e foi trocado por outro.",
            advice: """
                Se foi você, pode fechar esta página. Se não foi, desfaça a alteração: seu número voltará a ser \
                {{number}}, e todos os dispositivos serão desconectados.
                """,
            button: "Desfazer alteração",
            deadline: "Você pode desfazer a alteração até {{moment}}.",
            undoneHeading: "Seu número foi restaurado",
            undone: """
                O número da sua conta voltou a ser {{number}}. Todos os dispositivos foram desconectados. Entre \
                novamente com este número.
                """,
            goneHeading: "Este link expirou",
            gone: "Já foi usado ou é muito antigo. Se você acabou de tocar no botão, a alteração foi desfeita.",
            takenHeading: "Não é possível desfazer esta alteração",
            taken: "Seu número anterior agora é usado em outra conta. Fale com o suporte.",
            unavailableHeading: "Algo deu errado",
            unavailable: "Aguarde um momento e abra de novo o link da mensagem."
        ),
        inbox: Inbox(
            heading: "Caixa de SMS simulados",
            note: "Estas mensagens não foram enviadas a nenhum telefone. As mais recentes vêm primeiro.",
            reload: "Recarregue a página para ver novas mensagens.",
            empty: "Nenhuma mensagem ainda.",
            copy: "Copiar",
            copied: "Copiado",
            filter: "Filtrar por número",
            clear: "Limpar",
            key: "Pressione C para copiar o código mais recente.",
            message: "Para {{number}}",
            call: "Ligação para {{number}}",
            delivery: "De {{sender}}, {{status}}",
            failedDelivery: "De {{sender}}, {{status}}, erro {{code}}"
        ),
        call: Call(
            introduction: "Olá. Seu código para {{service}} é:",
            repetition: "Repetindo, seu código é:"
        ),
        messages: Messages(
            // With `codigo`, as most SMS in Brazil have it, since GSM-7 lacks the ó, and other words are those for a
            // password. `Nunca`, since it lacks the ã of `não`.
            verification: "Use o codigo {{code}} em {{service}}. Vale por {{minutes}} min. Nunca compartilhe.",
            numberChange: "O telefone da sua conta {{service}} foi alterado. Se desconhece a troca, cancele: {{link}}",
            sharingWarning: "Nunca compartilhe.",
            sharingWarningMarks: [
                "não compart", "nao compart", "nunca compart", "não o compart", "nao o compart", "nunca o compart",
                "não divulgue", "nao divulgue", "nunca divulgue", "não informe", "nao informe", "nunca informe",
            ]
        )
    )
}
