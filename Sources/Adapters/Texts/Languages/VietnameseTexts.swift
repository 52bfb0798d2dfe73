import PhoneDomain

/// Vietnamese, with the neutral "bạn".
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct VietnameseTexts: Texts {
    let language = LanguageTag(validated: "vi")
    let englishName = "Vietnamese"
    var regionNames: RegionNames { .vietnamese }
}

// Failures.
extension VietnameseTexts {
    var sessionNotFound: String { "Thiết bị này đã được đăng xuất." }
    var internalError: String { "Đã xảy ra lỗi. Vui lòng thử lại." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "Hiện không thể gửi mã đến số này."
        case .channelUnavailable: "Không thể gửi mã bằng cách này. Vui lòng chọn cách khác."
        case .resendTooSoon(let moment): "Mã vừa được gửi. Bạn có thể yêu cầu gửi lại sau \(wait(moment))."
        case .maxSendsReached(let moment): "Bạn đã yêu cầu mã quá nhiều lần. Vui lòng thử lại sau \(wait(moment))."
        case .rateLimited(_, let moment): "Có quá nhiều yêu cầu. Vui lòng thử lại sau \(wait(moment))."
        case .challengeRequired: "Chúng tôi cần xác nhận bạn không phải là robot. Vui lòng thử lại."
        case .challengeFailed: "Chưa xác nhận được bạn không phải là robot. Vui lòng thử lại."
        case .sendDenied: "Không thể gửi mã đến số này. Vui lòng dùng số khác."
        case .malformedCode(let length): "Nhập mã gồm \(length) chữ số."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Mã không đúng. Bạn đã hết lượt thử."
        case .codeIncorrect(let checked): "Mã không đúng. Bạn còn \(checked.checksLeft) lượt thử."
        case .codeExpired: "Mã đã hết hạn. Vui lòng yêu cầu mã mới."
        case .maxChecksReached(let moment): "Bạn đã nhập sai mã quá nhiều lần. Vui lòng thử lại sau \(wait(moment))."
        case .verificationNotFound: "Vui lòng yêu cầu gửi mã đến số này trước."
        case .signupNotFound: "Phiên làm việc đã hết hạn. Vui lòng bắt đầu lại."
        case .verificationClosed: "Mã này không còn hiệu lực. Vui lòng yêu cầu mã mới."
        case .verificationNotApproved: "Số này chưa được xác minh. Vui lòng nhập mã trước."
        case .accountDormant: "Tài khoản dùng số này đã lâu không hoạt động. Vui lòng liên hệ bộ phận hỗ trợ."
        case .consentRequired: "Vui lòng đồng ý với các điều khoản để tiếp tục."
        case .accountSuspended: "Tài khoản này đã bị tạm khóa. Vui lòng liên hệ bộ phận hỗ trợ."
        case .numberTaken: "Số này đã được dùng cho một tài khoản khác."
        case .numberChangeNotFound: "Không thể hoàn tác thay đổi này nữa."
        case .invalidMetadata: "Dữ liệu cần lưu quá nhiều. Vui lòng xóa bớt."
        case .notSignedIn, .keyInvalid: "Bạn đã đăng xuất. Vui lòng đăng nhập lại."
        case .proofTooOld: "Vì lý do bảo mật, vui lòng đăng nhập lại để tiếp tục."
        case .unavailable: "Dịch vụ đang tạm gián đoạn. Vui lòng thử lại sau ít phút."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Nhập số điện thoại của bạn."
        case .notANumber:
            "Đây không phải là số điện thoại. Chỉ nhập chữ số, không nhập số máy lẻ. Số nước ngoài bắt đầu bằng +."
        case .tooLong: "Số này thừa chữ số."
        case .tooShort: "Số này còn thiếu chữ số."
        case .unknownRegion: "Nhập số bắt đầu bằng + và mã quốc gia."
        case .unsupportedCallingCode(let code): "Các số bắt đầu bằng +\(code) chưa được hỗ trợ."
        case .noSuchNumber: "Số này không tồn tại. Vui lòng kiểm tra lại."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Các đầu số 011 và 016–019 đã ngừng hoạt động. Vui lòng dùng số 010 của bạn."
        case .fixedLine: "Đây là số máy bàn. Vui lòng dùng số di động."
        case .voip: "Đây là số điện thoại Internet. Vui lòng dùng số di động."
        case .personal: "Đây là số chuyển tiếp cuộc gọi. Vui lòng dùng số di động của chính bạn."
        case .representative: "Đây là số tổng đài. Vui lòng dùng số di động."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Số này không nhận được mã. Vui lòng dùng số di động."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "Số điện thoại của quốc gia này\(region.map { " (\(name(of: $0)))" } ?? "") chưa được hỗ trợ."
        guard (1...5).contains(allowed.count) else { return reason + " Vui lòng dùng số khác." }
        return reason + " Vui lòng dùng số của: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { "{{count}} giây" }
    var minutes: PluralForms { "{{count}} phút" }
    var hours: PluralForms { "{{count}} giờ" }
}

// Prompt.
extension VietnameseTexts {
    var phoneLabel: String { "Số điện thoại" }
    var codeLabel: String { "Mã xác minh" }
    func codeQuestion(or channel: Channel?) -> String {
        "Mã xác minh (r: gửi lại\(channel.map { ", c: " + send(by: $0) } ?? ""), n: đổi số):"
    }
    var consentQuestion: String { "Bạn có đồng ý không? (y: có, n: không)" }
    var sendHint: String { "Enter: gửi mã" }
    var signUpHint: String { "Enter: đăng ký" }
    var connecting: String { "đang kết nối…" }
    var tryAgainHint: String { "Enter: thử lại" }
    var sending: String { "đang gửi…" }
    var signingUp: String { "đang kiểm tra…" }
    var resendHint: String { "r: gửi lại" }
    var newCodeHint: String { "r: mã mới" }
    var expired: String { "đã hết hạn" }
    var otherNumberHint: String { "Esc: đổi số" }
    var phoneHint: String { "+ nếu là số nước ngoài" }
    func regionHint(_ region: Region) -> String { "vùng \(region) (đổi: --region)" }
    var cancelHint: String { "Ctrl-C: hủy" }
    var remoteNextStep: String { "Tiếp theo: đăng nhập vào tài khoản này bằng chính số điện thoại đó." }
    var stubLabel: String { "SMS giả lập" }
    var canceled: String { "Đã hủy đăng ký." }
    var inputEnded: String { "Dữ liệu nhập kết thúc khi chưa đăng ký xong. Hãy nhập số điện thoại, rồi nhập mã." }

    func localNextSteps(show: String, serve: String) -> [String] { ["Tiếp theo: \(show)", "hoặc:      \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "số khác, hoặc mã mới sau \(wait)" }
    func resendHint(in wait: String) -> String { "gửi lại sau \(wait)" }
    func newCodeHint(in wait: String) -> String { "mã mới sau \(wait)" }
    func expiryHint(in wait: String) -> String { "hết hạn sau \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Đang gọi đến \(maskedNumber) để đọc mã cho bạn."
        case .whatsapp: "Đã gửi mã đến \(maskedNumber) qua WhatsApp."
        case .kakaotalk: "Đã gửi mã đến \(maskedNumber) qua KakaoTalk."
        case .sms, .inbound, .sim, nil: "Đã gửi mã đến \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Đã đăng ký: \(phoneText) · tài khoản \(account) (mới)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Chào mừng bạn quay lại: \(phoneText) · tài khoản \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "Không kết nối được với \(server). Hãy kiểm tra máy chủ có đang chạy và địa chỉ có đúng không. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) không phải là máy chủ PhoneProof (trạng thái \(status)). Hãy kiểm tra địa chỉ ở --server."
    }
}

// Report on a number.
extension VietnameseTexts {
    var numberInput: String { "Số đã nhập" }
    var numberFormatted: String { "Hiển thị" }
    var numberIsValid: String { "Hợp lệ" }
    var numberKind: String { "Loại" }
    var numberRegion: String { "Vùng" }
    var numberNational: String { "Trong nước" }
    var numberInternational: String { "Quốc tế" }
    var numberReceivesCode: String { "Nhận được mã" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "di động"
        case .legacyMobile: "di động, đã ngừng hoạt động"
        case .fixedLine: "máy bàn"
        case .fixedLineOrMobile: "máy bàn hoặc di động"
        case .voip: "điện thoại Internet"
        case .personal: "số chuyển tiếp cuộc gọi"
        case .representative: "số tổng đài"
        case .tollFree: "miễn phí cuộc gọi"
        case .premium: "dịch vụ cước cao"
        case .sharedCost: "chia sẻ cước"
        case .pager: "máy nhắn tin"
        case .voicemail: "hộp thư thoại"
        case .machine: "thiết bị M2M"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "có" : "không" }
}

// Pages.
extension VietnameseTexts {
    var undoHeading: String { "Số điện thoại của bạn đã được thay đổi" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "Ngày \(moment), số điện thoại trên tài khoản của bạn đã được đổi từ \(number) sang một số khác."
    }
    func undoAdvice(number: String) -> String {
        "Nếu chính bạn đã đổi số, bạn có thể đóng trang này. Nếu không phải bạn, hãy khôi phục số cũ. "
            + "Tài khoản sẽ dùng lại số \(number), và mọi thiết bị sẽ bị đăng xuất."
    }
    var undoButton: String { "Khôi phục số cũ" }
    func undoDeadline(_ moment: String) -> String { "Bạn có thể khôi phục cho đến \(moment)." }
    var undoneHeading: String { "Đã khôi phục số cũ" }
    func undone(number: String) -> String {
        "Tài khoản đã dùng lại số \(number). Mọi thiết bị đã bị đăng xuất. Vui lòng đăng nhập lại bằng số này."
    }
    var undoGoneHeading: String { "Liên kết này đã hết hạn" }
    var undoGone: String {
        "Liên kết đã được sử dụng hoặc đã quá thời hạn. Nếu bạn vừa nhấn nút, số cũ đã được khôi phục."
    }
    var undoTakenHeading: String { "Không thể khôi phục số cũ" }
    var undoTaken: String { "Số cũ của bạn hiện thuộc về một tài khoản khác. Vui lòng liên hệ bộ phận hỗ trợ." }
    var undoUnavailableHeading: String { "Đã xảy ra lỗi" }
    var undoUnavailable: String { "Hãy đợi một lát rồi mở lại liên kết trong tin nhắn." }

    var inboxHeading: String { "Hộp thư SMS giả lập" }
    var inboxNote: String { "Các tin nhắn này không được gửi đến điện thoại nào. Tin mới nhất ở trên cùng." }
    var inboxReload: String { "Tải lại trang để xem tin nhắn mới." }
    var inboxEmpty: String { "Chưa có tin nhắn nào." }
    var inboxCopy: String { "Sao chép" }
    var inboxCopied: String { "Đã sao chép" }
    var inboxFilter: String { "Lọc theo số" }
    var inboxClear: String { "Xóa tất cả" }
    var inboxKey: String { "Nhấn phím C để sao chép mã mới nhất." }
    func inboxMessage(to number: String) -> String { "Đến \(number)" }
    func inboxCall(to number: String) -> String { "Gọi đến \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "Từ \(sender), \(status)" + (errorCode.map { ", lỗi \($0)" } ?? "")
    }
}

// SMS, without diacritics, as the templates of Vietnamese vendors are written and people there are used to: a message
// with diacritics is not in GSM-7, and takes two SMS instead of one.
extension VietnameseTexts {
    var verificationMessage: String {
        "{{code}} la ma xac minh {{service}} cua ban. Het han sau {{minutes}} phut. Khong chia se ma nay."
    }
    var numberChangeMessage: String {
        "So dien thoai {{service}} cua ban da thay doi. Khong phai ban? Khoi phuc so cu: {{link}}"
    }
    var sharingWarning: String { "Khong chia se ma nay." }
    /// With and without diacritics.
    var sharingWarningMarks: [String] {
        [
            "chia se", "khong cung cap", "khong tiet lo", "bat ky ai", "bat ki ai",
            "chia sẻ", "không cung cấp", "không tiết lộ", "bất kỳ ai", "bất kì ai",
        ]
    }
}

// Pages to sign in.
extension VietnameseTexts {
    var errorTitle: String { "Lỗi" }
    var startHeading: String { "Đăng nhập bằng điện thoại" }
    var startIntroduction: String { "Dịch vụ này xác minh số điện thoại để bạn đăng nhập bằng chính số đó." }
    var startDocs: String { "Dành cho nhà phát triển: API" }
    var signInHeading: String { "Đăng nhập bằng số điện thoại" }
    var signInIntroduction: String { "Chúng tôi sẽ gửi mã để bạn đăng nhập hoặc tạo tài khoản." }
    var sendCode: String { "Gửi mã" }
    var terms: String { "Điều khoản dịch vụ" }
    var privacy: String { "Chính sách quyền riêng tư" }
    var conjunction: String { " và " }
    func acceptance(of rules: String) -> String { "Khi tiếp tục, bạn đồng ý với \(rules)." }
    func consent(to rules: String) -> String { "Tôi đồng ý với \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        "\(client) sẽ\(sharesNumber ? "" : " không") nhận được số điện thoại của bạn."
    }
    var codeHeading: String { "Nhập mã xác minh" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Chúng tôi đã gửi mã qua SMS đến \(number)."
        case .call: "Chúng tôi đang gọi đến \(number) để đọc mã cho bạn."
        case .whatsapp: "Chúng tôi đã gửi mã qua WhatsApp đến \(number)."
        case .kakaotalk: "Chúng tôi đã gửi mã qua KakaoTalk đến \(number)."
        case .inbound: "Hãy gửi tin nhắn cho chúng tôi từ số \(number)."
        }
    }
    var changeNumber: String { "Đổi số" }
    var signIn: String { "Đăng nhập" }
    var resendCode: String { "Gửi lại mã" }
    var resendWait: String { "Gửi lại mã sau %" }
    var resent: String { "Đã gửi lại mã." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Nhận mã qua SMS"
        case .call: "Nhận mã qua cuộc gọi"
        case .whatsapp: "Nhận mã qua WhatsApp"
        case .kakaotalk: "Nhận mã qua KakaoTalk"
        case .inbound: "Tôi sẽ gửi tin nhắn"
        }
    }

    var inboundHeading: String { "Gửi tin nhắn cho chúng tôi" }
    var inboundRecipient: String { "Gửi đến" }
    var inboundText: String { "Nội dung" }
    var inboundOpen: String { "Mở ứng dụng tin nhắn" }
    var inboundSent: String { "Tôi đã gửi" }
    var inboundMissing: String { "Chúng tôi chưa nhận được tin nhắn của bạn. Có thể mất khoảng một phút." }
    var inboundArrived: String { "Chúng tôi đã nhận được tin nhắn của bạn." }

    func callIntroduction(service: String) -> String { "Xin chào. Mã xác minh \(service) của bạn là:" }
    var callRepetition: String { "Xin nhắc lại, mã của bạn là:" }
    var resendReady: String { "Bạn chưa nhận được mã?" }
    var noSendsLeft: String { "Hiện không thể gửi lại mã." }
    var dormantHeading: String { "Số này gắn với một tài khoản cũ" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "Tài khoản đó đã lâu không hoạt động và có thể là của người khác. "
            + (hasCode ? "Nhập lại mã để tạo tài khoản mới. " : "Bạn có thể tạo tài khoản mới. ")
            + "Để đăng nhập vào tài khoản cũ, vui lòng liên hệ bộ phận hỗ trợ."
    }
    var newAccount: String { "Tạo tài khoản mới" }
    var signedInHeading: String { "Bạn đã đăng nhập" }
    func signedIn(as maskedNumber: String) -> String { "Bạn đang đăng nhập bằng số \(maskedNumber)." }
    var signedInNote: String { "Bạn có thể đóng trang này. Lần sau bạn không cần nhập mã trên trình duyệt này." }
    var signOut: String { "Đăng xuất" }
    var signOutHeading: String { "Bạn muốn đăng xuất?" }
    var signedOutHeading: String { "Bạn đã đăng xuất" }
    var signedOut: String { "Bạn có thể đóng trang này." }
    var countryLabel: String { "Quốc gia" }
    var countrySearch: String { "Tìm tên hoặc mã quốc gia" }
    var countryNone: String { "Không tìm thấy quốc gia nào" }
    var codeExpiredHeading: String { "Mã đã hết hạn" }
    func codeExpired(number: String) -> String {
        "Mã chỉ có hiệu lực trong vài phút. Chúng tôi có thể gửi mã mới đến \(number)."
    }
    var newCode: String { "Gửi mã mới" }
    var sendingFailedHeading: String { "Không gửi được mã" }
    func sendingFailed(number: String) -> String {
        "Mã không đến được số \(number). Hãy kiểm tra lại số, hoặc thử lại sau ít phút."
    }
    var challengeHeading: String { "Vui lòng đợi một chút" }
    var challengeIntroduction: String { "Chúng tôi đang xác nhận bạn không phải là robot. Chỉ mất vài giây." }
    var captchaIntroduction: String { "Xác nhận bạn không phải là robot để nhận mã." }
    var challengeBusy: String { "Đang kiểm tra…" }
    var challengeWait: String { "JavaScript đang tắt nên bạn cần đợi một chút. Bạn có thể gửi mã sau % giây." }
    var challengeNeedsScript: String { "Vui lòng bật JavaScript trong trình duyệt rồi tải lại trang này." }
    var limitHeading: String { "Bạn đã thử quá nhiều lần" }
    var retryWait: String { "Thử lại sau %" }
    var offline: String { "Không có kết nối Internet. Vui lòng kiểm tra kết nối rồi thử lại." }
    var anotherNumber: String { "Dùng số khác" }
    var tryAgain: String { "Thử lại" }
    var startAgain: String { "Bắt đầu lại" }
    var pageExpiredHeading: String { "Trang này đã hết hạn" }
    var pageExpired: String {
        "Trang đã mở quá lâu, bạn đã đăng nhập hoặc đăng xuất ở tab khác, hoặc trình duyệt của bạn chặn cookie."
    }
    var pageReplacedHeading: String { "Trang này không còn hiệu lực" }
    var pageReplaced: String { "Bạn đã tiếp tục ở tab hoặc cửa sổ khác. Trang này chưa gửi đi dữ liệu nào." }
    var pageOfOtherSite: String { "Biểu mẫu này đến từ một trang web khác nên không được xử lý." }
    var goOn: String { "Tiếp tục" }
    var linkInvalidHeading: String { "Liên kết này không hợp lệ" }
    var linkInvalid: String {
        "Yêu cầu từ ứng dụng đã đưa bạn đến đây không đáng tin cậy. Chưa có dữ liệu nào được chia sẻ với ứng dụng đó."
    }
    var notFoundHeading: String { "Không tìm thấy trang" }
    var notFound: String { "Không có trang nào ở địa chỉ này." }
    var goToStart: String { "Về trang chủ" }
    var consoleKey: String { "Khóa API" }
    var consoleKeyHint: String { "Khóa có phạm vi viewer, support hoặc admin:" }
    var consoleKeyRefused: String { "Khóa này không hợp lệ, đã bị thu hồi hoặc không dành cho bảng điều khiển." }
    var consoleNotSignedIn: String { "Quá trình đăng nhập chưa hoàn tất. Vui lòng thử lại." }
    var consoleProofTooOld: String { "Số này đã được xác minh trước lần đăng nhập này. Vui lòng thử lại bằng mã mới." }
    var consoleRefused: String { "Số này không có quyền truy cập bảng điều khiển." }
}

// Pages for devices without a browser.
extension VietnameseTexts {
    var deviceHeading: String { "Đăng nhập trên thiết bị" }
    var deviceIntroduction: String { "Nhập mã hiển thị trên chính thiết bị của bạn." }
    var deviceCode: String { "Mã trên thiết bị" }
    var deviceUnknown: String {
        "Không có thiết bị nào đang chờ mã này. Hãy kiểm tra các chữ cái hoặc lấy mã mới trên thiết bị."
    }
    var deviceQuestion: String { "Có phải bạn không?" }
    var devicePlace: String { "Địa chỉ IP" }
    var deviceProgram: String { "Chương trình" }
    var deviceWarning: String {
        "Chỉ tiếp tục nếu chính bạn vừa bắt đầu lần đăng nhập này và thiết bị của bạn hiển thị mã này. Nếu ai đó gửi cho bạn mã này hoặc một liên kết thì đó là lừa đảo: hãy chọn “Không”."
    }
    var deviceApprove: String { "Có, đăng nhập" }
    var deviceRefuse: String { "Không" }
    var deviceDoneHeading: String { "Đã đăng nhập trên thiết bị của bạn" }
    var deviceDone: String { "Bạn có thể đóng trang này và quay lại thiết bị." }
    var deviceRefusedHeading: String { "Đã từ chối" }
    var deviceRefused: String {
        "Không có ai đăng nhập vào tài khoản của bạn. Nếu ai đó gửi mã này cho bạn, đừng trả lời họ."
    }
    func deviceRequest(client: String) -> String {
        "\(client) trên một thiết bị khác đang yêu cầu đăng nhập vào tài khoản của bạn."
    }
}

// Passkeys.
extension VietnameseTexts {
    var passkeySignIn: String { "Đăng nhập bằng khóa truy cập" }
    var passkeyRefused: String { "Khóa truy cập này không dùng được ở đây. Hãy đăng nhập bằng số điện thoại." }
    var passkeyOfferHeading: String { "Lần sau đăng nhập không cần mã" }
    var passkeyOffer: String {
        "Với khóa truy cập, bạn đăng nhập bằng vân tay, khuôn mặt hoặc khóa màn hình. Số điện thoại của bạn vẫn dùng được."
    }
    var passkeyCreate: String { "Tạo khóa truy cập" }
    var passkeySkip: String { "Để sau" }
    var passkeyFailed: String { "Chưa tạo được khóa truy cập. Bạn có thể thử lại." }
    var passkeysHeading: String { "Khóa truy cập" }
    var passkeysNone: String { "Bạn chưa có khóa truy cập nào." }
    func passkeyUsed(_ moment: String) -> String { "Lần dùng gần nhất: \(moment)" }
    var passkeyName: String { "Tên" }
    var passkeyRename: String { "Đổi tên" }
    var passkeyRemove: String { "Xóa" }
    var passkeyAsk: String {
        "Số điện thoại của bạn đã thay đổi, hoặc khóa truy cập này đã lâu không được dùng. Khóa truy cập này có còn là của bạn không?"
    }
    var passkeyKeep: String { "Vẫn là của tôi" }
}
