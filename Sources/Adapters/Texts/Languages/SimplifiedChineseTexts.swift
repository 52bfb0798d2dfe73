import PhoneDomain

/// Chinese in simplified characters, as services of mainland China write it.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct SimplifiedChineseTexts: Texts {
    let language = LanguageTag(validated: "zh-Hans")
    let englishName = "Simplified Chinese"
    var regionNames: RegionNames { .simplifiedChinese }
}

// Failures.
extension SimplifiedChineseTexts {
    var sessionNotFound: String { "此设备已退出登录。" }
    var internalError: String { "出错了，请重试。" }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "目前无法向该号码发送验证码。"
        case .channelUnavailable: "无法通过这种方式发送验证码，请选择其他方式。"
        case .resendTooSoon(let moment): "验证码刚刚发送过，请在 \(wait(moment))后重新获取。"
        case .maxSendsReached(let moment): "获取验证码的次数过多，请在 \(wait(moment))后再试。"
        case .rateLimited(_, let moment): "操作过于频繁，请在 \(wait(moment))后再试。"
        case .challengeRequired: "需要确认您不是机器人，请重试。"
        case .challengeFailed: "未能确认您不是机器人，请重试。"
        case .sendDenied: "无法向该号码发送验证码，请使用其他号码。"
        case .malformedCode(let length): "请输入 \(length) 位验证码。"
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "验证码错误，已无法继续尝试。"
        case .codeIncorrect(let checked): "验证码错误，还可以尝试 \(checked.checksLeft) 次。"
        case .codeExpired: "验证码已过期，请重新获取。"
        case .maxChecksReached(let moment): "验证码错误次数过多，请在 \(wait(moment))后再试。"
        case .verificationNotFound: "请先获取该号码的验证码。"
        case .signupNotFound: "操作已超时，请重新开始。"
        case .verificationClosed: "该验证码已失效，请重新获取。"
        case .verificationNotApproved: "该号码尚未验证，请先输入验证码。"
        case .accountDormant: "该号码的账号已长期未使用。如需继续，请联系客服。"
        case .consentRequired: "如需继续，请先同意条款。"
        case .accountSuspended: "该账号已被停用，请联系客服。"
        case .numberTaken: "该号码已被其他账号使用。"
        case .numberChangeNotFound: "此次更换已无法撤销。"
        case .invalidMetadata: "要保存的内容过多，请删减后重试。"
        case .notSignedIn, .keyInvalid: "登录已失效，请重新登录。"
        case .proofTooOld: "为保障账号安全，请重新登录后继续。"
        case .unavailable: "服务暂时不可用，请稍后再试。"
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "请输入手机号。"
        case .notANumber: "这不是电话号码。请只输入数字，不要加分机号。其他国家/地区的号码请以 + 开头。"
        case .tooLong: "号码位数过多。"
        case .tooShort: "号码不完整。"
        case .unknownRegion: "请以 + 和国家/地区代码开头输入号码。"
        case .unsupportedCallingCode(let code): "不支持以 +\(code) 开头的号码。"
        case .noSuchNumber: "该号码不存在，请检查后重新输入。"
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011 和 016 至 019 开头的号码已停用，请使用 010 开头的号码。"
        case .fixedLine: "这是固定电话号码，请使用手机号。"
        case .voip: "这是网络电话号码，请使用手机号。"
        case .personal: "这是转接号码，请使用本人的手机号。"
        case .representative: "这是企业号码，请使用手机号。"
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "该号码无法接收验证码，请使用手机号。"
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "暂不支持\(region.map(name(of:)) ?? "该国家/地区")的号码。"
        guard (1...5).contains(allowed.count) else { return reason + "请使用其他号码。" }
        return reason + "请使用以下国家/地区的号码：\(allowed.map(name(of:)).joined(separator: "、"))。"
    }

    var seconds: PluralForms { "{{count}} 秒" }
    var minutes: PluralForms { "{{count}} 分钟" }
    var hours: PluralForms { "{{count}} 小时" }
}

// Prompt.
extension SimplifiedChineseTexts {
    var phoneLabel: String { "手机号" }
    var codeLabel: String { "验证码" }
    func codeQuestion(or channel: Channel?) -> String {
        "验证码 (r: 重新发送\(channel.map { ", c: " + send(by: $0) } ?? ""), n: 更换号码):"
    }
    var consentQuestion: String { "是否同意？(y: 同意, n: 不同意)" }
    var sendHint: String { "Enter: 获取验证码" }
    var signUpHint: String { "Enter: 注册" }
    var connecting: String { "正在连接…" }
    var tryAgainHint: String { "Enter: 重试" }
    var sending: String { "正在发送…" }
    var signingUp: String { "正在验证…" }
    var resendHint: String { "r: 重新发送" }
    var newCodeHint: String { "r: 获取新验证码" }
    var expired: String { "已过期" }
    var otherNumberHint: String { "Esc: 更换号码" }
    var phoneHint: String { "其他国家/地区请以 + 开头" }
    func regionHint(_ region: Region) -> String { "地区 \(region) (用 --region 更改)" }
    var cancelHint: String { "Ctrl-C: 取消" }
    var remoteNextStep: String { "以后可用同一号码登录此账号。" }
    var stubLabel: String { "模拟短信" }
    var canceled: String { "已取消注册。" }
    var inputEnded: String { "输入已结束，但注册尚未完成。请依次输入手机号和验证码。" }

    func localNextSteps(show: String, serve: String) -> [String] { ["接下来: \(show)", "或者:   \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "换个号码，或 \(wait) 后获取新验证码" }
    func resendHint(in wait: String) -> String { "\(wait) 后可重新发送" }
    func newCodeHint(in wait: String) -> String { "\(wait) 后可获取新验证码" }
    func expiryHint(in wait: String) -> String { "\(wait) 后过期" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "正在拨打 \(maskedNumber)，接听即可获取验证码。"
        case .whatsapp: "验证码已通过 WhatsApp 发送至 \(maskedNumber)。"
        case .kakaotalk: "验证码已通过 KakaoTalk 发送至 \(maskedNumber)。"
        case .sms, .inbound, .sim, nil: "验证码已发送至 \(maskedNumber)。"
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "注册成功：\(phoneText) · 账号 \(account) (新)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "欢迎回来：\(phoneText) · 账号 \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "无法连接 \(server)。请确认服务器正在运行，且地址正确。(\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) 不是 PhoneProof 服务器 (状态码 \(status))。请检查 --server 指定的地址。"
    }
}

// Report on a number.
extension SimplifiedChineseTexts {
    var numberInput: String { "输入" }
    var numberFormatted: String { "显示为" }
    var numberIsValid: String { "有效" }
    var numberKind: String { "类型" }
    var numberRegion: String { "地区" }
    var numberNational: String { "国内格式" }
    var numberInternational: String { "国际格式" }
    var numberReceivesCode: String { "可接收验证码" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "手机"
        case .legacyMobile: "手机 (已停用)"
        case .fixedLine: "固定电话"
        case .fixedLineOrMobile: "固定电话或手机"
        case .voip: "网络电话"
        case .personal: "转接号码"
        case .representative: "企业号码"
        case .tollFree: "免费电话"
        case .premium: "收费声讯电话"
        case .sharedCost: "分摊话费电话"
        case .pager: "寻呼机"
        case .voicemail: "语音信箱"
        case .machine: "物联网设备"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "是" : "否" }
}

// Pages.
extension SimplifiedChineseTexts {
    var undoHeading: String { "您的手机号已更换" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "您账号绑定的手机号 \(number) 已于 \(moment) 更换为其他号码。"
    }
    func undoAdvice(number: String) -> String {
        "如果是您本人操作，关闭此页面即可。如果不是，请撤销更换。撤销后，手机号将恢复为 \(number)，所有设备都会退出登录。"
    }
    var undoButton: String { "撤销更换" }
    func undoDeadline(_ moment: String) -> String { "\(moment) 之前可以撤销。" }
    var undoneHeading: String { "手机号已恢复" }
    func undone(number: String) -> String {
        "账号的手机号已恢复为 \(number)，所有设备均已退出登录。请用此号码重新登录。"
    }
    var undoGoneHeading: String { "链接已失效" }
    var undoGone: String { "此链接已被使用或已过期。如果您刚刚点击了按钮，说明更换已经撤销。" }
    var undoTakenHeading: String { "无法撤销更换" }
    var undoTaken: String { "您之前的号码已被其他账号使用，请联系客服。" }
    var undoUnavailableHeading: String { "出错了" }
    var undoUnavailable: String { "请稍后重新打开短信中的链接。" }

    var inboxHeading: String { "模拟短信收件箱" }
    var inboxNote: String { "这些短信并未发送到任何手机。最新的在最前面。" }
    var inboxReload: String { "刷新页面即可查看新短信。" }
    var inboxEmpty: String { "暂无短信。" }
    var inboxCopy: String { "复制" }
    var inboxCopied: String { "已复制" }
    var inboxFilter: String { "按号码筛选" }
    var inboxClear: String { "清空" }
    var inboxKey: String { "按 C 键可复制最新的验证码。" }
    func inboxMessage(to number: String) -> String { "发送至 \(number)" }
    func inboxCall(to number: String) -> String { "致电 \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "发送方 \(sender), \(status)" + (errorCode.map { ", 错误 \($0)" } ?? "")
    }
}

// SMS.
extension SimplifiedChineseTexts {
    /// The sender's name in such brackets comes first, as carriers of mainland China demand.
    var verificationMessage: String { "【{{service}}】验证码 {{code}}，请勿泄露" }
    var numberChangeMessage: String { "【{{service}}】手机号已更换。非本人操作请撤销：{{link}}" }
    var sharingWarning: String { "请勿告诉他人" }
    var sharingWarningMarks: [String] {
        ["泄露", "泄漏", "告诉", "告知", "透露", "分享", "转发", "将", "把", "向"].flatMap { ["勿\($0)", "不要\($0)"] }
    }
}

// Pages to sign in.
extension SimplifiedChineseTexts {
    var errorTitle: String { "错误" }
    var startHeading: String { "手机号登录" }
    var startIntroduction: String { "本服务验证手机号，并支持用手机号登录。" }
    var startDocs: String { "开发者：API 文档" }
    var signInHeading: String { "手机号登录" }
    var signInIntroduction: String { "我们会发送验证码，用于登录或注册账号。" }
    var sendCode: String { "获取验证码" }
    var terms: String { "服务条款" }
    var privacy: String { "隐私政策" }
    /// With the title marks that ``acceptance(of:)`` and ``consent(to:)`` put around both.
    var conjunction: String { "》和《" }
    func acceptance(of rules: String) -> String { "继续即表示您同意《\(rules)》。" }
    func consent(to rules: String) -> String { "我同意《\(rules)》。" }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) 将获得您的手机号。"
            : "\(client) 不会获得您的手机号。"
    }
    var codeHeading: String { "输入验证码" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "验证码已通过短信发送至 \(number)。"
        case .call: "正在拨打 \(number)，接听即可获取验证码。"
        case .whatsapp: "验证码已通过 WhatsApp 发送至 \(number)。"
        case .kakaotalk: "验证码已通过 KakaoTalk 发送至 \(number)。"
        case .inbound: "请用 \(number) 给我们发送短信。"
        }
    }
    var changeNumber: String { "更换号码" }
    var signIn: String { "登录" }
    var resendCode: String { "重新获取验证码" }
    var resendWait: String { "% 后重新获取" }
    var resent: String { "已重新发送。" }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "用短信接收"
        case .call: "用电话接收"
        case .whatsapp: "用 WhatsApp 接收"
        case .kakaotalk: "用 KakaoTalk 接收"
        case .inbound: "主动发送短信验证"
        }
    }

    var inboundHeading: String { "请给我们发送短信" }
    var inboundRecipient: String { "发送至" }
    var inboundText: String { "短信内容" }
    var inboundOpen: String { "打开短信应用" }
    var inboundSent: String { "我已发送" }
    var inboundMissing: String { "尚未收到您的短信，可能需要一分钟左右。" }
    var inboundArrived: String { "已收到您的短信。" }

    func callIntroduction(service: String) -> String { "您好，您的\(service)验证码是：" }
    var callRepetition: String { "再播报一遍，您的验证码是：" }
    var resendReady: String { "没收到验证码？" }
    var noSendsLeft: String { "目前无法重新发送验证码。" }
    var dormantHeading: String { "该号码已关联旧账号" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "该账号已长期未使用，可能是他人的账号。"
            + (hasCode ? "如需创建新账号，请再次输入验证码。" : "您可以创建新账号。")
            + "如需登录旧账号，请联系客服。"
    }
    var newAccount: String { "创建新账号" }
    var signedInHeading: String { "已登录" }
    func signedIn(as maskedNumber: String) -> String { "已用 \(maskedNumber) 登录。" }
    var signedInNote: String { "可以关闭此页面了。下次在此浏览器中登录无需验证码。" }
    var signOut: String { "退出登录" }
    var signOutHeading: String { "要退出登录吗？" }
    var signedOutHeading: String { "已退出登录" }
    var signedOut: String { "可以关闭此页面了。" }
    var countryLabel: String { "国家/地区" }
    var countrySearch: String { "搜索国家/地区或代码" }
    var countryNone: String { "没有找到国家/地区" }
    var codeExpiredHeading: String { "验证码已过期" }
    func codeExpired(number: String) -> String {
        "验证码只在几分钟内有效。我们可以向 \(number) 发送新的验证码。"
    }
    var newCode: String { "发送新验证码" }
    var sendingFailedHeading: String { "验证码发送失败" }
    func sendingFailed(number: String) -> String { "验证码未能发送至 \(number)。请检查号码，或稍后再试。" }
    var challengeHeading: String { "请稍候" }
    var challengeIntroduction: String { "正在确认您不是机器人，只需几秒钟。" }
    var captchaIntroduction: String { "请先确认您不是机器人，再获取验证码。" }
    var challengeBusy: String { "正在确认…" }
    var challengeWait: String { "JavaScript 已关闭，请稍候。% 秒后即可获取验证码。" }
    var challengeNeedsScript: String { "浏览器已关闭 JavaScript。请开启后刷新此页面。" }
    var limitHeading: String { "尝试次数过多" }
    var retryWait: String { "请在 % 后重试" }
    var offline: String { "网络未连接，请检查网络后重试。" }
    var anotherNumber: String { "使用其他号码" }
    var tryAgain: String { "重试" }
    var startAgain: String { "重新开始" }
    var pageExpiredHeading: String { "页面已过期" }
    var pageExpired: String { "可能是页面打开时间过长、您在其他标签页登录或退出了登录，或者浏览器阻止了 Cookie。" }
    var pageReplacedHeading: String { "此页面已失效" }
    var pageReplaced: String { "您已在其他标签页或窗口继续操作。此页面没有发送任何内容。" }
    var pageOfOtherSite: String { "该表单来自其他网站，因此未做任何处理。" }
    var goOn: String { "继续" }
    var linkInvalidHeading: String { "链接无效" }
    var linkInvalid: String { "打开此页面的应用发出了不可信的请求。我们没有向它提供任何信息。" }
    var notFoundHeading: String { "找不到页面" }
    var notFound: String { "此地址没有页面。" }
    var goToStart: String { "返回首页" }
    var consoleKey: String { "API 密钥" }
    var consoleKeyHint: String { "权限范围为 viewer、support 或 admin 的密钥：" }
    var consoleKeyRefused: String { "该密钥无效、已被撤销或不能用于控制台。" }
    var consoleNotSignedIn: String { "登录未完成，请重试。" }
    var consoleProofTooOld: String { "该号码是在本次登录开始之前验证的，请使用新的验证码重试。" }
    var consoleRefused: String { "该号码无权访问控制台。" }
}

// Pages for devices without a browser.
extension SimplifiedChineseTexts {
    var deviceHeading: String { "在设备上登录" }
    var deviceIntroduction: String { "请输入您自己的设备上显示的代码。" }
    var deviceCode: String { "设备上的代码" }
    var deviceUnknown: String { "没有设备在等待此代码。请检查字母，或在设备上获取新代码。" }
    var deviceQuestion: String { "是您本人吗？" }
    var devicePlace: String { "IP 地址" }
    var deviceProgram: String { "程序" }
    var deviceWarning: String { "请仅在您本人刚刚发起此次登录，且您的设备正显示此代码时继续。如果有人把此代码或链接发给您，那就是诈骗：请选择“否”。" }
    var deviceApprove: String { "是，登录" }
    var deviceRefuse: String { "否" }
    var deviceDoneHeading: String { "您的设备已登录" }
    var deviceDone: String { "您可以关闭此页面并返回设备。" }
    var deviceRefusedHeading: String { "已拒绝" }
    var deviceRefused: String { "没有人登录您的账号。如果有人把此代码发给您，请勿回复对方。" }
    func deviceRequest(client: String) -> String { "另一台设备上的 \(client) 请求以您的身份登录。" }
}

// Passkeys.
extension SimplifiedChineseTexts {
    var passkeySignIn: String { "使用通行密钥登录" }
    var passkeyRefused: String { "此通行密钥无法在此处使用，请用手机号登录。" }
    var passkeyOfferHeading: String { "下次登录无需验证码" }
    var passkeyOffer: String { "创建通行密钥后，可以用指纹、面容或屏幕锁登录。手机号仍可继续使用。" }
    var passkeyCreate: String { "创建通行密钥" }
    var passkeySkip: String { "暂不" }
    var passkeyFailed: String { "通行密钥未创建成功，可以重试。" }
    var passkeysHeading: String { "通行密钥" }
    var passkeysNone: String { "您还没有通行密钥。" }
    func passkeyUsed(_ moment: String) -> String { "上次使用：\(moment)" }
    var passkeyName: String { "名称" }
    var passkeyRename: String { "重命名" }
    var passkeyRemove: String { "移除" }
    var passkeyAsk: String { "您的手机号已更改，或此通行密钥很久没有使用。该通行密钥仍属于您吗？" }
    var passkeyKeep: String { "是我的" }
}
