import PhoneDomain

/// Japanese, in the polite form that services use.
///
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct JapaneseTexts: Texts {
    let language = LanguageTag(validated: "ja")
    let englishName = "Japanese"
    var regionNames: RegionNames { .japanese }
}

// Failures.
extension JapaneseTexts {
    var sessionNotFound: String { "この端末はすでにログアウトしています。" }
    var internalError: String { "エラーが発生しました。もう一度お試しください。" }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "現在、この番号には認証コードを送信できません。"
        case .channelUnavailable: "この方法では認証コードを送信できません。別の方法をお選びください。"
        case .resendTooSoon(let moment): "認証コードは送信済みです。再送信は\(wait(moment))後にお試しください。"
        case .maxSendsReached(let moment): "認証コードの送信回数が上限に達しました。\(wait(moment))後にもう一度お試しください。"
        case .rateLimited(_, let moment): "短時間に操作が繰り返されています。\(wait(moment))後にもう一度お試しください。"
        case .challengeRequired: "ロボットでないことの確認が必要です。もう一度お試しください。"
        case .challengeFailed: "ロボットでないことを確認できませんでした。もう一度お試しください。"
        case .sendDenied: "この番号には認証コードを送信できません。別の番号をご利用ください。"
        case .malformedCode(let length): "\(length)桁の認証コードを入力してください。"
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "認証コードが正しくありません。これ以上は入力できません。"
        case .codeIncorrect(let checked): "認証コードが正しくありません。あと\(checked.checksLeft)回入力できます。"
        case .codeExpired: "認証コードの有効期限が切れました。新しいコードを取得してください。"
        case .maxChecksReached(let moment): "認証コードの入力回数が上限に達しました。\(wait(moment))後にもう一度お試しください。"
        case .verificationNotFound: "先に、この番号の認証コードを取得してください。"
        case .signupNotFound: "手続きの有効期限が切れました。最初からやり直してください。"
        case .verificationClosed: "この認証コードは無効になりました。新しいコードを取得してください。"
        case .verificationNotApproved: "この番号はまだ認証されていません。先に認証コードを入力してください。"
        case .accountDormant: "この番号のアカウントは長期間利用されていません。続けるには、サポートへお問い合わせください。"
        case .consentRequired: "続けるには、規約への同意が必要です。"
        case .accountSuspended: "このアカウントは利用停止中です。サポートへお問い合わせください。"
        case .numberTaken: "この番号は別のアカウントで使用されています。"
        case .numberChangeNotFound: "この変更はもう取り消せません。"
        case .invalidMetadata: "保存するデータが多すぎます。データを減らしてください。"
        case .notSignedIn, .keyInvalid: "ログアウトされました。もう一度ログインしてください。"
        case .proofTooOld: "続けるには、安全のためもう一度ログインしてください。"
        case .unavailable: "現在、サービスを一時的にご利用いただけません。しばらくしてからもう一度お試しください。"
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "電話番号を入力してください。"
        case .notANumber: "電話番号の形式が正しくありません。内線番号を付けず、数字で入力してください。他の国の番号は + から入力してください。"
        case .tooLong: "番号の桁数が多すぎます。"
        case .tooShort: "番号の桁数が足りません。"
        case .unknownRegion: "番号を + と国番号から入力してください。"
        case .unsupportedCallingCode(let code): "+\(code) から始まる番号には対応していません。"
        case .noSuchNumber: "この番号は存在しません。番号をご確認ください。"
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011と016〜019の番号はサービスが終了しています。010の番号をご利用ください。"
        case .fixedLine: "固定電話の番号です。携帯電話の番号をご利用ください。"
        case .voip: "IP電話の番号です。携帯電話の番号をご利用ください。"
        case .personal: "転送用の番号です。ご自身の携帯電話の番号をご利用ください。"
        case .representative: "企業の代表番号です。携帯電話の番号をご利用ください。"
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "この番号では認証コードを受信できません。携帯電話の番号をご利用ください。"
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "\(region.map(name(of:)) ?? "この国")の番号には対応していません。"
        guard (1...5).contains(allowed.count) else { return reason + "別の番号をご利用ください。" }
        return reason + "次の国・地域の番号をご利用ください: \(allowed.map(name(of:)).joined(separator: "、"))"
    }

    var seconds: PluralForms { "{{count}}秒" }
    var minutes: PluralForms { "{{count}}分" }
    var hours: PluralForms { "{{count}}時間" }
}

// Prompt.
extension JapaneseTexts {
    var phoneLabel: String { "電話番号" }
    var codeLabel: String { "認証コード" }
    func codeQuestion(or channel: Channel?) -> String {
        "認証コード (r: 再送信\(channel.map { ", c: " + send(by: $0) } ?? ""), n: 番号を変更):"
    }
    var consentQuestion: String { "同意しますか？ (y: はい, n: いいえ)" }
    var sendHint: String { "Enter: 認証コードを送信" }
    var signUpHint: String { "Enter: 登録" }
    var connecting: String { "接続中…" }
    var tryAgainHint: String { "Enter: 再試行" }
    var sending: String { "送信中…" }
    var signingUp: String { "確認中…" }
    var resendHint: String { "r: 再送信" }
    var newCodeHint: String { "r: 新しいコード" }
    var expired: String { "期限切れ" }
    var otherNumberHint: String { "Esc: 番号を変更" }
    var phoneHint: String { "他の国の番号は + から" }
    func regionHint(_ region: Region) -> String { "地域 \(region) (--region で変更)" }
    var cancelHint: String { "Ctrl-C: キャンセル" }
    var remoteNextStep: String { "次回からは、同じ番号でこのアカウントにログインできます。" }
    var stubLabel: String { "SMS スタブ" }
    var canceled: String { "登録をキャンセルしました。" }
    var inputEnded: String { "登録が完了する前に入力が終わりました。電話番号、認証コードの順に入力してください。" }

    func localNextSteps(show: String, serve: String) -> [String] { ["次は:   \(show)", "または: \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "別の番号を入力 (新しいコードまで \(wait))" }
    func resendHint(in wait: String) -> String { "再送信まで \(wait)" }
    func newCodeHint(in wait: String) -> String { "新しいコードまで \(wait)" }
    func expiryHint(in wait: String) -> String { "有効期限まで \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "\(maskedNumber) に電話をかけて認証コードをお伝えします。"
        case .whatsapp: "WhatsApp で \(maskedNumber) に認証コードを送信しました。"
        case .kakaotalk: "KakaoTalk で \(maskedNumber) に認証コードを送信しました。"
        case .sms, .inbound, .sim, nil: "\(maskedNumber) に認証コードを送信しました。"
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "登録が完了しました: \(phoneText) · アカウント \(account) (新規)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "おかえりなさい: \(phoneText) · アカウント \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "\(server) に接続できません。サーバーが起動しているか、アドレスが正しいかをご確認ください。(\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) は PhoneProof サーバーではありません (ステータス \(status))。--server に指定したアドレスをご確認ください。"
    }
}

// Report on a number.
extension JapaneseTexts {
    var numberInput: String { "入力" }
    var numberFormatted: String { "表示" }
    var numberIsValid: String { "有効" }
    var numberKind: String { "種類" }
    var numberRegion: String { "地域" }
    var numberNational: String { "国内表記" }
    var numberInternational: String { "国際表記" }
    var numberReceivesCode: String { "コードの受信" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "携帯電話"
        case .legacyMobile: "携帯電話 (サービス終了)"
        case .fixedLine: "固定電話"
        case .fixedLineOrMobile: "固定電話または携帯電話"
        case .voip: "IP電話"
        case .personal: "転送用の番号"
        case .representative: "企業の代表番号"
        case .tollFree: "通話料無料"
        case .premium: "有料情報サービス"
        case .sharedCost: "通話料分担"
        case .pager: "ポケットベル"
        case .voicemail: "留守番電話"
        case .machine: "通信機器 (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "はい" : "いいえ" }
}

// Pages.
extension JapaneseTexts {
    var undoHeading: String { "電話番号が変更されました" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "\(moment) に、お客様のアカウントの電話番号が \(number) から別の番号に変更されました。"
    }
    func undoAdvice(number: String) -> String {
        "ご自身で変更した場合は、このページを閉じてください。心当たりがない場合は、元の番号に戻してください。電話番号は \(number) に戻り、"
            + "すべての端末からログアウトされます。"
    }
    var undoButton: String { "元の番号に戻す" }
    func undoDeadline(_ moment: String) -> String { "\(moment) まで元に戻せます。" }
    var undoneHeading: String { "元の番号に戻しました" }
    func undone(number: String) -> String {
        "アカウントの電話番号は \(number) に戻りました。すべての端末からログアウトされています。この番号でもう一度ログインしてください。"
    }
    var undoGoneHeading: String { "このリンクは使えません" }
    var undoGone: String { "すでに使用されたか、有効期限が切れています。たった今ボタンを押した場合は、元の番号に戻っています。" }
    var undoTakenHeading: String { "元の番号に戻せません" }
    var undoTaken: String { "以前の番号は、現在別のアカウントで使用されています。サポートへお問い合わせください。" }
    var undoUnavailableHeading: String { "エラーが発生しました" }
    var undoUnavailable: String { "しばらくしてから、メッセージのリンクをもう一度開いてください。" }

    var inboxHeading: String { "SMS スタブの受信箱" }
    var inboxNote: String { "実際の電話には送信されていないメッセージです。新しい順に表示しています。" }
    var inboxReload: String { "新しいメッセージを見るには、ページを再読み込みしてください。" }
    var inboxEmpty: String { "メッセージはまだありません。" }
    var inboxCopy: String { "コピー" }
    var inboxCopied: String { "コピーしました" }
    var inboxFilter: String { "番号で絞り込む" }
    var inboxClear: String { "すべて消去" }
    var inboxKey: String { "C キーで最新のコードをコピーできます。" }
    func inboxMessage(to number: String) -> String { "宛先: \(number)" }
    func inboxCall(to number: String) -> String { "音声通話: \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "送信元: \(sender), \(status)" + (errorCode.map { ", エラー \($0)" } ?? "")
    }
}

// SMS.
extension JapaneseTexts {
    var verificationMessage: String { "認証コード：{{code}}（{{service}}）共有しないでください" }
    /// As short as it is because most of an SMS there is the link.
    var numberChangeMessage: String { "【{{service}}】電話番号変更完了。心当たりがない場合: {{link}}" }
    var sharingWarning: String { "共有しないでください" }
    var sharingWarningMarks: [String] {
        ["共有しない", "共有禁止", "教えない", "伝えない", "知らせない", "入力しない", "転送しない", "他言"]
    }
}

// Pages to sign in.
extension JapaneseTexts {
    var errorTitle: String { "エラー" }
    var startHeading: String { "電話番号でログイン" }
    var startIntroduction: String { "電話番号を認証し、その番号でログインできるようにするサービスです。" }
    var startDocs: String { "開発者向け: API" }
    var signInHeading: String { "電話番号でログイン" }
    var signInIntroduction: String { "ログインまたはアカウント作成に使う認証コードをお送りします。" }
    var sendCode: String { "認証コードを送信" }
    var terms: String { "利用規約" }
    var privacy: String { "プライバシーポリシー" }
    var conjunction: String { "と" }
    func acceptance(of rules: String) -> String { "続けると、\(rules)に同意したことになります。" }
    func consent(to rules: String) -> String { "\(rules)に同意します。" }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) に電話番号が提供されます。"
            : "\(client) に電話番号は提供されません。"
    }
    var codeHeading: String { "認証コードを入力" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "\(number) に SMS で認証コードを送信しました。"
        case .call: "\(number) に電話をかけて認証コードをお伝えします。"
        case .whatsapp: "WhatsApp で \(number) に認証コードを送信しました。"
        case .kakaotalk: "KakaoTalk で \(number) に認証コードを送信しました。"
        case .inbound: "\(number) から SMS を送信してください。"
        }
    }
    var changeNumber: String { "番号を変更" }
    var signIn: String { "ログイン" }
    var resendCode: String { "認証コードを再送信" }
    var resendWait: String { "再送信まで %" }
    var resent: String { "再送信しました。" }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "SMS で受け取る"
        case .call: "電話で受け取る"
        case .whatsapp: "WhatsApp で受け取る"
        case .kakaotalk: "KakaoTalk で受け取る"
        case .inbound: "自分から SMS を送る"
        }
    }

    var inboundHeading: String { "SMS を送信してください" }
    var inboundRecipient: String { "宛先" }
    var inboundText: String { "本文" }
    var inboundOpen: String { "メッセージアプリを開く" }
    var inboundSent: String { "送信したので次へ" }
    var inboundMissing: String { "SMS がまだ届いていません。1分ほどかかることがあります。" }
    var inboundArrived: String { "SMS が届きました。" }

    func callIntroduction(service: String) -> String { "\(service)の認証コードをお知らせします。" }
    var callRepetition: String { "もう一度お知らせします。" }
    var resendReady: String { "認証コードが届きませんか？" }
    var noSendsLeft: String { "現在、認証コードを再送信できません。" }
    var dormantHeading: String { "以前のアカウントがあります" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "この番号のアカウントは長期間利用されておらず、別の方のものである可能性があります。"
            + (hasCode ? "新しいアカウントを作成するには、認証コードをもう一度入力してください。" : "新しいアカウントを作成できます。")
            + "以前のアカウントにログインするには、サポートへお問い合わせください。"
    }
    var newAccount: String { "新しいアカウントを作成" }
    var signedInHeading: String { "ログインしました" }
    func signedIn(as maskedNumber: String) -> String { "\(maskedNumber) でログイン中です。" }
    var signedInNote: String { "このページは閉じてかまいません。次回からこのブラウザでは認証コードは不要です。" }
    var signOut: String { "ログアウト" }
    var signOutHeading: String { "ログアウトしますか？" }
    var signedOutHeading: String { "ログアウトしました" }
    var signedOut: String { "このページは閉じてかまいません。" }
    var countryLabel: String { "国・地域" }
    var countrySearch: String { "国名または国番号で検索" }
    var countryNone: String { "該当する国・地域がありません" }
    var codeExpiredHeading: String { "コードの期限が切れました" }
    func codeExpired(number: String) -> String {
        "認証コードが有効なのは数分間だけです。\(number) に新しいコードを送信できます。"
    }
    var newCode: String { "新しいコードを送信" }
    var sendingFailedHeading: String { "送信できませんでした" }
    func sendingFailed(number: String) -> String {
        "\(number) に認証コードを送信できませんでした。番号を確認するか、しばらくしてからもう一度お試しください。"
    }
    var challengeHeading: String { "しばらくお待ちください" }
    var challengeIntroduction: String { "ロボットでないことを確認しています。数秒かかります。" }
    var captchaIntroduction: String { "認証コードを送信する前に、ロボットでないことの確認をお願いします。" }
    var challengeBusy: String { "確認中…" }
    var challengeWait: String { "JavaScript が無効なため、お待ちいただく必要があります。あと%秒で認証コードを送信できます。" }
    var challengeNeedsScript: String { "ブラウザの JavaScript が無効です。有効にしてから、このページを再読み込みしてください。" }
    var limitHeading: String { "回数が上限に達しました" }
    var retryWait: String { "再試行まで %" }
    var offline: String { "オフラインです。接続を確認して、もう一度お試しください。" }
    var anotherNumber: String { "別の番号を使う" }
    var tryAgain: String { "再試行" }
    var startAgain: String { "最初からやり直す" }
    var pageExpiredHeading: String { "ページの期限が切れました" }
    var pageExpired: String {
        "ページを長時間開いたままだったか、別のタブでログインまたはログアウトしたか、ブラウザが Cookie をブロックしています。"
    }
    var pageReplacedHeading: String { "古いページです" }
    var pageReplaced: String { "手続きは別のタブまたはウィンドウで進んでいます。このページからは何も送信されていません。" }
    var pageOfOtherSite: String { "別のウェブサイトから送られたフォームのため、何も処理していません。" }
    var goOn: String { "続ける" }
    var linkInvalidHeading: String { "無効なリンクです" }
    var linkInvalid: String { "このページを開いたアプリからのリクエストは信頼できません。アプリには何の情報も渡していません。" }
    var notFoundHeading: String { "ページが見つかりません" }
    var notFound: String { "このアドレスにはページがありません。" }
    var goToStart: String { "トップページへ" }
    var consoleKey: String { "APIキー" }
    var consoleKeyHint: String { "スコープが viewer、support、admin のいずれかのキー：" }
    var consoleKeyRefused: String { "このキーは無効か、取り消されたか、コンソール用ではありません。" }
    var consoleNotSignedIn: String { "ログインが完了しませんでした。もう一度お試しください。" }
    var consoleProofTooOld: String { "この番号は今回のログインより前に認証されたものです。新しい認証コードでもう一度お試しください。" }
    var consoleRefused: String { "この番号ではコンソールにアクセスできません。" }
}

// Pages for devices without a browser.
extension JapaneseTexts {
    var deviceHeading: String { "別の端末でのログイン" }
    var deviceIntroduction: String { "ログインしたいご自身の端末に表示されているコードを入力してください。" }
    var deviceCode: String { "端末のコード" }
    var deviceUnknown: String { "このコードで待機中の端末はありません。文字を確認するか、端末で新しいコードを表示してください。" }
    var deviceQuestion: String { "ご本人ですか？" }
    var devicePlace: String { "IPアドレス" }
    var deviceProgram: String { "プログラム" }
    var deviceWarning: String {
        "たった今ご自身でログインを始め、ご自身の端末にこのコードが表示されている場合のみ続けてください。誰かからこのコードやリンクが送られてきた場合は詐欺です。「いいえ」を選んでください。"
    }
    var deviceApprove: String { "はい、ログインします" }
    var deviceRefuse: String { "いいえ" }
    var deviceDoneHeading: String { "端末でのログインが完了しました" }
    var deviceDone: String { "このページを閉じて、端末に戻ってください。" }
    var deviceRefusedHeading: String { "拒否しました" }
    var deviceRefused: String { "ログインは行われませんでした。このコードを誰かが送ってきた場合は、その相手に返信しないでください。" }
    func deviceRequest(client: String) -> String { "別の端末の \(client) が、あなたのアカウントでログインしようとしています。" }
}

// Passkeys.
extension JapaneseTexts {
    var passkeySignIn: String { "パスキーでログイン" }
    var passkeyRefused: String { "このパスキーはここでは使えません。電話番号でログインしてください。" }
    var passkeyOfferHeading: String { "次回から認証コードなしでログイン" }
    var passkeyOffer: String { "パスキーを作成すると、指紋、顔、または画面ロックでログインできます。電話番号でも引き続きログインできます。" }
    var passkeyCreate: String { "パスキーを作成" }
    var passkeySkip: String { "今はしない" }
    var passkeyFailed: String { "パスキーを作成できませんでした。もう一度お試しください。" }
    var passkeysHeading: String { "パスキー" }
    var passkeysNone: String { "パスキーはまだありません。" }
    func passkeyUsed(_ moment: String) -> String { "最終使用: \(moment)" }
    var passkeyName: String { "名前" }
    var passkeyRename: String { "名前を変更" }
    var passkeyRemove: String { "削除" }
    var passkeyAsk: String { "電話番号が変わったか、パスキーが長い間使われていません。このパスキーは今もご自身のものですか？" }
    var passkeyKeep: String { "自分のものです" }
}
