import PhoneDomain

/// Portuguese of Brazil, with você.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct BrazilianPortugueseTexts: Texts {
    let language = LanguageTag(validated: "pt-BR")
    let englishName = "Brazilian Portuguese"
    var regionNames: RegionNames { .brazilianPortuguese }
}

// Failures.
extension BrazilianPortugueseTexts {
    var sessionNotFound: String { "A sessão já foi encerrada neste dispositivo." }
    var internalError: String { "Algo deu errado. Tente novamente." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty:
            "No momento, não podemos enviar códigos para este número."
        case .channelUnavailable: "Não podemos enviar o código dessa forma. Escolha outra opção."
        case .resendTooSoon(let moment): "Acabamos de enviar um código. Você poderá pedir outro em \(wait(moment))."
        case .maxSendsReached(let moment): "Você pediu códigos demais. Tente novamente em \(wait(moment))."
        case .rateLimited(_, let moment): "Muitas solicitações. Tente novamente em \(wait(moment))."
        case .challengeRequired: "Precisamos confirmar que você não é um robô. Tente novamente."
        case .challengeFailed: "Não foi possível confirmar que você não é um robô. Tente novamente."
        case .sendDenied: "Não podemos enviar códigos para este número. Use outro."
        case .malformedCode(let length): "Digite o código de \(length) dígitos."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Código incorreto. Suas tentativas acabaram."
        case .codeIncorrect(let checked) where checked.checksLeft == 1: "Código incorreto. Resta 1 tentativa."
        case .codeIncorrect(let checked): "Código incorreto. Restam \(checked.checksLeft) tentativas."
        case .codeExpired: "Seu código expirou. Peça um novo."
        case .maxChecksReached(let moment): "Muitos códigos incorretos. Tente novamente em \(wait(moment))."
        case .verificationNotFound: "Primeiro, peça um código para este número."
        case .signupNotFound: "Sua sessão expirou. Comece de novo."
        case .verificationClosed: "Este código não é mais válido. Peça um novo."
        case .verificationNotApproved: "Este número ainda não foi verificado. Digite o código primeiro."
        case .accountDormant: "A conta deste número não é usada há muito tempo. Para continuar, fale com o suporte."
        case .consentRequired: "Para continuar, aceite as condições."
        case .accountSuspended: "Esta conta está suspensa. Fale com o suporte."
        case .numberTaken: "Este número já é usado em outra conta."
        case .numberChangeNotFound: "Não é mais possível desfazer esta alteração."
        case .invalidMetadata: "Há dados demais para salvar. Remova alguns."
        case .notSignedIn, .keyInvalid: "Sua sessão foi encerrada. Entre novamente."
        case .proofTooOld: "Para sua segurança, entre novamente para continuar."
        case .unavailable: "O serviço está temporariamente indisponível. Tente novamente daqui a pouco."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Digite seu número de telefone."
        case .notANumber:
            "Isso não é um número de telefone. Digite só números, sem ramal. Se for de outro país, comece com +."
        case .tooLong: "Este número tem dígitos demais."
        case .tooShort: "Este número está incompleto."
        case .unknownRegion: "Comece o número com + e o código do país."
        case .unsupportedCallingCode(let code): "Números que começam com +\(code) não são aceitos."
        case .noSuchNumber: "Este número não existe. Confira os dígitos."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Os números 011 e 016–019 foram desativados. Use seu número 010."
        case .fixedLine: "Este é um telefone fixo. Use um número de celular."
        case .voip: "Este é um número de telefonia pela internet. Use um número de celular."
        case .personal: "Este número desvia as chamadas para outro. Use seu próprio número de celular."
        case .representative: "Este é um número de empresa. Use um número de celular."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Este número não pode receber códigos. Use um número de celular."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "Números deste país\(region.map { " (\(name(of: $0)))" } ?? "") não são aceitos."
        guard (1...5).contains(allowed.count) else { return reason + " Use outro número." }
        let label = allowed.count == 1 ? "País aceito" : "Países aceitos"
        return reason + " \(label): \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { [.one: "{{count}} segundo", .other: "{{count}} segundos"] }
    var minutes: PluralForms { [.one: "{{count}} minuto", .other: "{{count}} minutos"] }
    var hours: PluralForms { [.one: "{{count}} hora", .other: "{{count}} horas"] }
}

// Prompt.
extension BrazilianPortugueseTexts {
    var phoneLabel: String { "Número de telefone" }
    var codeLabel: String { "Código" }
    func codeQuestion(or channel: Channel?) -> String {
        "Código (r: reenviar\(channel.map { ", c: " + send(by: $0) } ?? ""), n: trocar de número):"
    }
    var consentQuestion: String { "Você aceita? (y: sim, n: não)" }
    var sendHint: String { "Enter: enviar código" }
    var signUpHint: String { "Enter: concluir cadastro" }
    var connecting: String { "conectando…" }
    var tryAgainHint: String { "Enter: tentar novamente" }
    var sending: String { "enviando…" }
    var signingUp: String { "verificando…" }
    var resendHint: String { "r: reenviar" }
    var newCodeHint: String { "r: novo código" }
    var expired: String { "expirado" }
    var otherNumberHint: String { "Esc: trocar de número" }
    var phoneHint: String { "+ para outro país" }
    func regionHint(_ region: Region) -> String { "região \(region) (mude com --region)" }
    var cancelHint: String { "Ctrl-C: cancelar" }
    var remoteNextStep: String { "Da próxima vez, entre nesta conta com o mesmo número." }
    var stubLabel: String { "SMS simulado" }
    var canceled: String { "Cadastro cancelado." }
    var inputEnded: String { "A entrada terminou antes do fim do cadastro. Digite o telefone e depois o código." }
    func localNextSteps(show: String, serve: String) -> [String] { ["A seguir: \(show)", "ou:       \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "outro número, ou novo código em \(wait)" }
    func resendHint(in wait: String) -> String { "reenviar em \(wait)" }
    func newCodeHint(in wait: String) -> String { "novo código em \(wait)" }
    func expiryHint(in wait: String) -> String { "expira em \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Ligando para \(maskedNumber) para informar seu código."
        case .whatsapp: "Código enviado pelo WhatsApp para \(maskedNumber)."
        case .kakaotalk: "Código enviado pelo KakaoTalk para \(maskedNumber)."
        case .sms, .inbound, .sim, nil: "Código enviado para \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Cadastro concluído: \(phoneText) · conta \(account) (nova)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Que bom ver você de novo: \(phoneText) · conta \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "Não foi possível conectar a \(server). Confira se está em execução e se o endereço está certo. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) não é um servidor PhoneProof (status \(status)). Confira o endereço informado em --server."
    }
}

// Report on a number.
extension BrazilianPortugueseTexts {
    var numberInput: String { "Entrada" }
    var numberFormatted: String { "Exibido como" }
    var numberIsValid: String { "Válido" }
    var numberKind: String { "Tipo" }
    var numberRegion: String { "Região" }
    var numberNational: String { "Formato nacional" }
    var numberInternational: String { "Formato internacional" }
    var numberReceivesCode: String { "Recebe códigos" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "celular"
        case .legacyMobile: "celular, desativado"
        case .fixedLine: "fixo"
        case .fixedLineOrMobile: "fixo ou celular"
        case .voip: "telefonia pela internet"
        case .personal: "desvio de chamadas"
        case .representative: "número de empresa"
        case .tollFree: "ligação gratuita"
        case .premium: "tarifa especial"
        case .sharedCost: "custo compartilhado"
        case .pager: "pager"
        case .voicemail: "caixa postal"
        case .machine: "máquina (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "sim" : "não" }
}

// Pages.
extension BrazilianPortugueseTexts {
    var undoHeading: String { "Seu número de telefone foi alterado" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "Em \(moment), o número de telefone da sua conta deixou de ser \(number) e foi trocado por outro."
    }
    func undoAdvice(number: String) -> String {
        "Se foi você, pode fechar esta página. Se não foi, desfaça a alteração: seu número voltará a ser \(number), "
            + "e todos os dispositivos serão desconectados."
    }
    var undoButton: String { "Desfazer alteração" }
    func undoDeadline(_ moment: String) -> String { "Você pode desfazer a alteração até \(moment)." }
    var undoneHeading: String { "Seu número foi restaurado" }
    func undone(number: String) -> String {
        "O número da sua conta voltou a ser \(number). Todos os dispositivos foram desconectados. "
            + "Entre novamente com este número."
    }
    var undoGoneHeading: String { "Este link expirou" }
    var undoGone: String {
        "Já foi usado ou é muito antigo. Se você acabou de tocar no botão, a alteração foi desfeita."
    }
    var undoTakenHeading: String { "Não é possível desfazer esta alteração" }
    var undoTaken: String { "Seu número anterior agora é usado em outra conta. Fale com o suporte." }
    var undoUnavailableHeading: String { "Algo deu errado" }
    var undoUnavailable: String { "Aguarde um momento e abra de novo o link da mensagem." }

    var inboxHeading: String { "Caixa de SMS simulados" }
    var inboxNote: String { "Estas mensagens não foram enviadas a nenhum telefone. As mais recentes vêm primeiro." }
    var inboxReload: String { "Recarregue a página para ver novas mensagens." }
    var inboxEmpty: String { "Nenhuma mensagem ainda." }
    var inboxCopy: String { "Copiar" }
    var inboxCopied: String { "Copiado" }
    var inboxFilter: String { "Filtrar por número" }
    var inboxClear: String { "Limpar" }
    var inboxKey: String { "Pressione C para copiar o código mais recente." }
    func inboxMessage(to number: String) -> String { "Para \(number)" }
    func inboxCall(to number: String) -> String { "Ligação para \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "De \(sender), \(status)" + (errorCode.map { ", erro \($0)" } ?? "")
    }
}

// SMS.
extension BrazilianPortugueseTexts {
    /// With `codigo`, as most SMS in Brazil have it, since GSM-7 lacks the ó, and other words are those for a
    /// password. `Nunca`, since it lacks the ã of `não`.
    var verificationMessage: String {
        "Use o codigo {{code}} em {{service}}. Vale por {{minutes}} min. Nunca compartilhe."
    }
    var numberChangeMessage: String {
        "O telefone da sua conta {{service}} foi alterado. Se desconhece a troca, cancele: {{link}}"
    }
    var sharingWarning: String { "Nunca compartilhe." }
    var sharingWarningMarks: [String] {
        ["compart", "o compart", "divulgue", "informe"].flatMap { ["não \($0)", "nao \($0)", "nunca \($0)"] }
    }
}

// Pages to sign in.
extension BrazilianPortugueseTexts {
    var errorTitle: String { "Erro" }
    var startHeading: String { "Entre com seu telefone" }
    var startIntroduction: String { "Este serviço verifica números de telefone e permite entrar com eles." }
    var startDocs: String { "Para desenvolvedores: a API" }
    var signInHeading: String { "Entre com seu número de telefone" }
    var signInIntroduction: String { "Vamos enviar um código para você entrar ou criar sua conta." }
    var sendCode: String { "Enviar código" }
    var terms: String { "Termos de Serviço" }
    var privacy: String { "Política de Privacidade" }
    var conjunction: String { " e " }
    func acceptance(of rules: String) -> String { "Ao continuar, você aceita estas condições: \(rules)." }
    func consent(to rules: String) -> String { "Aceito estas condições: \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) receberá seu número de telefone."
            : "\(client) não receberá seu número de telefone."
    }
    var codeHeading: String { "Digite o código" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Enviamos um código por SMS para \(number)."
        case .call: "Estamos ligando para \(number) para informar seu código."
        case .whatsapp: "Enviamos um código pelo WhatsApp para \(number)."
        case .kakaotalk: "Enviamos um código pelo KakaoTalk para \(number)."
        case .inbound: "Envie um SMS a partir do número \(number)."
        }
    }
    var changeNumber: String { "Trocar de número" }
    var signIn: String { "Entrar" }
    var resendCode: String { "Reenviar código" }
    var resendWait: String { "Reenviar código em %" }
    var resent: String { "Código reenviado." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Receber por SMS"
        case .call: "Receber por ligação"
        case .whatsapp: "Receber pelo WhatsApp"
        case .kakaotalk: "Receber pelo KakaoTalk"
        case .inbound: "Prefiro enviar um SMS"
        }
    }

    var inboundHeading: String { "Envie um SMS para nós" }
    var inboundRecipient: String { "Para" }
    var inboundText: String { "Mensagem" }
    var inboundOpen: String { "Abrir app de mensagens" }
    var inboundSent: String { "Já enviei" }
    var inboundMissing: String { "Ainda não recebemos seu SMS. Pode levar um minuto." }
    var inboundArrived: String { "Recebemos seu SMS." }
    func callIntroduction(service: String) -> String { "Olá. Seu código para \(service) é:" }
    var callRepetition: String { "Repetindo, seu código é:" }
    var resendReady: String { "Não recebeu o código?" }
    var noSendsLeft: String { "No momento, não podemos reenviar o código." }
    var dormantHeading: String { "Este número está vinculado a uma conta antiga" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "A conta não é usada há muito tempo e pode ser de outra pessoa. "
            + (hasCode ? "Digite o código de novo para criar uma nova conta. " : "Você pode criar uma nova conta. ")
            + "Para entrar na conta antiga, fale com o suporte."
    }
    var newAccount: String { "Criar nova conta" }
    var signedInHeading: String { "Você entrou na sua conta" }
    func signedIn(as maskedNumber: String) -> String { "Você entrou com o número \(maskedNumber)." }
    var signedInNote: String { "Pode fechar esta página. Da próxima vez, você entrará sem código neste navegador." }
    var signOut: String { "Sair" }
    var signOutHeading: String { "Sair da conta?" }
    var signedOutHeading: String { "Você saiu da sua conta" }
    var signedOut: String { "Pode fechar esta página." }
    var countryLabel: String { "País" }
    var countrySearch: String { "Buscar por nome ou código" }
    var countryNone: String { "Nenhum país encontrado" }
    var codeExpiredHeading: String { "Seu código expirou" }
    func codeExpired(number: String) -> String {
        "Os códigos só valem por alguns minutos. Podemos enviar um novo para \(number)."
    }
    var newCode: String { "Enviar novo código" }
    var sendingFailedHeading: String { "Não foi possível enviar o código" }
    func sendingFailed(number: String) -> String {
        "Seu código não chegou a \(number). Confira o número ou tente novamente daqui a pouco."
    }
    var challengeHeading: String { "Um momento" }
    var challengeIntroduction: String { "Estamos confirmando que você não é um robô. Isso leva alguns segundos." }
    var captchaIntroduction: String { "Para receber o código, confirme que você não é um robô." }
    var challengeBusy: String { "Verificando…" }
    var challengeWait: String { "Sem JavaScript, é preciso esperar um pouco. Você poderá enviar o código em % s." }
    var challengeNeedsScript: String { "Ative o JavaScript no seu navegador e recarregue esta página." }
    var limitHeading: String { "Muitas tentativas" }
    var retryWait: String { "Tente novamente em %" }
    var offline: String { "Você está sem internet. Confira sua conexão e tente novamente." }
    var anotherNumber: String { "Usar outro número" }
    var tryAgain: String { "Tentar novamente" }
    var startAgain: String { "Começar de novo" }
    var pageExpiredHeading: String { "Esta página expirou" }
    var pageExpired: String {
        "Ela ficou aberta tempo demais, você entrou ou saiu da conta em outra aba, ou seu navegador bloqueia cookies."
    }
    var pageReplacedHeading: String { "Esta página está desatualizada" }
    var pageReplaced: String { "Você continuou em outra aba ou janela. Nada foi enviado por esta." }
    var pageOfOtherSite: String { "Este formulário veio de outro site, por isso nada foi feito." }
    var goOn: String { "Continuar" }
    var linkInvalidHeading: String { "Este link não é válido" }
    var linkInvalid: String {
        "O app que trouxe você até aqui fez uma solicitação que não é confiável. Ele não recebeu nenhum dado seu."
    }
    var notFoundHeading: String { "Página não encontrada" }
    var notFound: String { "Não há nenhuma página neste endereço." }
    var goToStart: String { "Ir para a página inicial" }
    var consoleKey: String { "Chave de API" }
    var consoleKeyHint: String { "Uma chave com o escopo viewer, support ou admin:" }
    var consoleKeyRefused: String { "Esta chave é inválida, foi revogada ou não serve para o console." }
    var consoleNotSignedIn: String { "O login não foi concluído. Tente novamente." }
    var consoleProofTooOld: String { "O número foi verificado antes deste login. Tente novamente com um novo código." }
    var consoleRefused: String { "Este número não tem acesso ao console." }
}

// Pages for devices without a browser.
extension BrazilianPortugueseTexts {
    var deviceHeading: String { "Fazer login em um dispositivo" }
    var deviceIntroduction: String { "Digite o código que aparece no seu próprio dispositivo." }
    var deviceCode: String { "Código no dispositivo" }
    var deviceUnknown: String {
        "Nenhum dispositivo está esperando com este código. Confira as letras ou gere um novo código no dispositivo."
    }
    var deviceQuestion: String { "É você?" }
    var devicePlace: String { "Endereço IP" }
    var deviceProgram: String { "Programa" }
    var deviceWarning: String {
        "Continue somente se foi você quem acabou de iniciar este login e se o seu dispositivo mostra este código. Se alguém enviou o código ou um link para você, é golpe: escolha “Não”."
    }
    var deviceApprove: String { "Sim, entrar" }
    var deviceRefuse: String { "Não" }
    var deviceDoneHeading: String { "Login feito no seu dispositivo" }
    var deviceDone: String { "Você pode fechar esta página e voltar ao dispositivo." }
    var deviceRefusedHeading: String { "Recusado" }
    var deviceRefused: String { "Ninguém entrou na sua conta. Se alguém enviou o código a você, não responda." }
    func deviceRequest(client: String) -> String { "\(client), em outro dispositivo, pede para entrar na sua conta." }
}

// Passkeys.
extension BrazilianPortugueseTexts {
    var passkeySignIn: String { "Entrar com chave de acesso" }
    var passkeyRefused: String { "Essa chave de acesso não funciona aqui. Entre com seu número de telefone." }
    var passkeyOfferHeading: String { "Entre sem código na próxima vez" }
    var passkeyOffer: String {
        "Com uma chave de acesso, você entra com a impressão digital, o rosto ou o bloqueio de tela. Seu número de telefone continua funcionando."
    }
    var passkeyCreate: String { "Criar chave de acesso" }
    var passkeySkip: String { "Agora não" }
    var passkeyFailed: String { "A chave de acesso não foi criada. Você pode tentar novamente." }
    var passkeysHeading: String { "Chaves de acesso" }
    var passkeysNone: String { "Você ainda não tem chaves de acesso." }
    func passkeyUsed(_ moment: String) -> String { "Último uso: \(moment)" }
    var passkeyName: String { "Nome" }
    var passkeyRename: String { "Renomear" }
    var passkeyRemove: String { "Remover" }
    var passkeyAsk: String {
        "Seu número de telefone mudou ou esta chave de acesso não é usada há muito tempo. Ela ainda é sua?"
    }
    var passkeyKeep: String { "É minha" }
}
