import PhoneDomain

extension Texts {
    /// Vietnamese, with the neutral "bạn".
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let vietnamese = Texts(
        language: LanguageTag(validated: "vi"),
        englishName: "Vietnamese",
        regionNames: .vietnamese,
        failures: Failures(
            sessionNotFound: "Thiết bị này đã được đăng xuất.",
            internalError: "Đã xảy ra lỗi. Vui lòng thử lại.",
            numberEmpty: "Nhập số điện thoại của bạn.",
            numberMalformed: """
                Đây không phải là số điện thoại. Chỉ nhập chữ số, không nhập số máy lẻ. Số nước ngoài bắt đầu bằng +.
                """,
            numberTooLong: "Số này thừa chữ số.",
            numberTooShort: "Số này còn thiếu chữ số.",
            numberNeedsCountry: "Nhập số bắt đầu bằng + và mã quốc gia.",
            numberUnsupported: "Các số bắt đầu bằng +{{code}} chưa được hỗ trợ.",
            numberUnknown: "Số này không tồn tại. Vui lòng kiểm tra lại.",
            kindLegacy: "Các đầu số 011 và 016–019 đã ngừng hoạt động. Vui lòng dùng số 010 của bạn.",
            kindLandline: "Đây là số máy bàn. Vui lòng dùng số di động.",
            kindVoip: "Đây là số điện thoại Internet. Vui lòng dùng số di động.",
            kindPersonal: "Đây là số chuyển tiếp cuộc gọi. Vui lòng dùng số di động của chính bạn.",
            kindCompany: "Đây là số tổng đài. Vui lòng dùng số di động.",
            kindOther: "Số này không nhận được mã. Vui lòng dùng số di động.",
            countryRefused: "Số điện thoại của quốc gia này chưa được hỗ trợ. Vui lòng dùng số khác.",
            countryRefusedByName: """
                Số điện thoại của quốc gia này ({{country}}) chưa được hỗ trợ. Vui lòng dùng số khác.
                """,
            countriesAccepted: "Số điện thoại của quốc gia này chưa được hỗ trợ. Vui lòng dùng số của: {{countries}}.",
            countriesAcceptedByName: """
                Số điện thoại của quốc gia này ({{country}}) chưa được hỗ trợ. Vui lòng dùng số của: {{countries}}.
                """,
            countrySeparator: ", ",
            channelUnavailable: "Hiện không thể gửi mã đến số này.",
            channelOther: "Không thể gửi mã bằng cách này. Vui lòng chọn cách khác.",
            resendTooSoon: "Mã vừa được gửi. Bạn có thể yêu cầu gửi lại sau {{wait}}.",
            tooManyCodes: "Bạn đã yêu cầu mã quá nhiều lần. Vui lòng thử lại sau {{wait}}.",
            rateLimited: "Có quá nhiều yêu cầu. Vui lòng thử lại sau {{wait}}.",
            challengeRequired: "Chúng tôi cần xác nhận bạn không phải là robot. Vui lòng thử lại.",
            challengeFailed: "Chưa xác nhận được bạn không phải là robot. Vui lòng thử lại.",
            sendDenied: "Không thể gửi mã đến số này. Vui lòng dùng số khác.",
            codeMalformed: "Nhập mã gồm {{length}} chữ số.",
            codeIncorrect: "Mã không đúng. Bạn còn {{count}} lượt thử.",
            codeIncorrectLast: "Mã không đúng. Bạn đã hết lượt thử.",
            codeExpired: "Mã đã hết hạn. Vui lòng yêu cầu mã mới.",
            maxChecksReached: "Bạn đã nhập sai mã quá nhiều lần. Vui lòng thử lại sau {{wait}}.",
            codeMissing: "Vui lòng yêu cầu gửi mã đến số này trước.",
            signupExpired: "Phiên làm việc đã hết hạn. Vui lòng bắt đầu lại.",
            codeClosed: "Mã này không còn hiệu lực. Vui lòng yêu cầu mã mới.",
            notApproved: "Số này chưa được xác minh. Vui lòng nhập mã trước.",
            accountDormant: "Tài khoản dùng số này đã lâu không hoạt động. Vui lòng liên hệ bộ phận hỗ trợ.",
            consentRequired: "Vui lòng đồng ý với các điều khoản để tiếp tục.",
            accountSuspended: "Tài khoản này đã bị tạm khóa. Vui lòng liên hệ bộ phận hỗ trợ.",
            numberTaken: "Số này đã được dùng cho một tài khoản khác.",
            changeGone: "Không thể hoàn tác thay đổi này nữa.",
            dataTooBig: "Dữ liệu cần lưu quá nhiều. Vui lòng xóa bớt.",
            notSignedIn: "Bạn đã đăng xuất. Vui lòng đăng nhập lại.",
            proofTooOld: "Vì lý do bảo mật, vui lòng đăng nhập lại để tiếp tục.",
            unavailable: "Dịch vụ đang tạm gián đoạn. Vui lòng thử lại sau ít phút.",
            seconds: "{{count}} giây",
            minutes: "{{count}} phút",
            hours: "{{count}} giờ"
        ),
        prompt: Prompt(
            codeQuestion: "Mã xác minh (r: gửi lại, n: đổi số):",
            codeQuestionOrChannel: "Mã xác minh (r: gửi lại, c: {{send}}, n: đổi số):",
            consentQuestion: "Bạn có đồng ý không? (y: có, n: không)",
            sendHint: "Enter: gửi mã",
            signUpHint: "Enter: đăng ký",
            connecting: "đang kết nối…",
            tryAgainHint: "Enter: thử lại",
            resendHint: "r: gửi lại",
            resendWait: "gửi lại sau {{wait}}",
            newCodeHint: "r: mã mới",
            newCodeWait: "mã mới sau {{wait}}",
            expiryWait: "hết hạn sau {{wait}}",
            expired: "đã hết hạn",
            otherNumberHint: "Esc: đổi số",
            anotherNumberWait: "số khác, hoặc mã mới sau {{wait}}",
            phoneHint: "+ nếu là số nước ngoài",
            regionHint: "vùng {{region}} (đổi: --region)",
            cancelHint: "Ctrl-C: hủy",
            localNextSteps: ["Tiếp theo: {{show}}", "hoặc:      {{serve}}"],
            remoteNextStep: "Tiếp theo: đăng nhập vào tài khoản này bằng chính số điện thoại đó.",
            sent: "Đã gửi mã đến {{number}}.",
            sentByCall: "Đang gọi đến {{number}} để đọc mã cho bạn.",
            sentByMessenger: "Đã gửi mã đến {{number}} qua {{channel}}.",
            stubLabel: "SMS giả lập",
            signedUp: "Đã đăng ký: {{phone}} · tài khoản {{account}} (mới)",
            welcomeBack: "Chào mừng bạn quay lại: {{phone}} · tài khoản {{account}}",
            canceled: "Đã hủy đăng ký.",
            inputEnded: "Dữ liệu nhập kết thúc khi chưa đăng ký xong. Hãy nhập số điện thoại, rồi nhập mã.",
            serverUnreachable: """
                Không kết nối được với {{server}}. Hãy kiểm tra máy chủ có đang chạy và địa chỉ có đúng không. \
                ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} không phải là máy chủ PhoneProof (trạng thái {{status}}). Hãy kiểm tra địa chỉ ở --server.
                """
        ),
        number: Number(
            input: "Số đã nhập",
            formatted: "Hiển thị",
            isValid: "Hợp lệ",
            kind: "Loại",
            region: "Vùng",
            national: "Trong nước",
            international: "Quốc tế",
            receivesCode: "Nhận được mã",
            mobile: "di động",
            legacyMobile: "di động, đã ngừng hoạt động",
            fixedLine: "máy bàn",
            fixedLineOrMobile: "máy bàn hoặc di động",
            voip: "điện thoại Internet",
            personal: "số chuyển tiếp cuộc gọi",
            representative: "số tổng đài",
            tollFree: "miễn phí cuộc gọi",
            premium: "dịch vụ cước cao",
            sharedCost: "chia sẻ cước",
            pager: "máy nhắn tin",
            voicemail: "hộp thư thoại",
            machine: "thiết bị M2M",
            yes: "có",
            no: "không"
        ),
        pages: Pages(
            startHeading: "Đăng nhập bằng điện thoại",
            startIntroduction: "Dịch vụ này xác minh số điện thoại để bạn đăng nhập bằng chính số đó.",
            startDocs: "Dành cho nhà phát triển: API",
            errorTitle: "Lỗi",
            signInHeading: "Đăng nhập bằng số điện thoại",
            signInIntroduction: "Chúng tôi sẽ gửi mã để bạn đăng nhập hoặc tạo tài khoản.",
            phoneLabel: "Số điện thoại",
            sendCode: "Gửi mã",
            sending: "đang gửi…",
            terms: "Điều khoản dịch vụ",
            privacy: "Chính sách quyền riêng tư",
            conjunction: " và ",
            acceptance: "Khi tiếp tục, bạn đồng ý với {{rules}}.",
            consent: "Tôi đồng ý với {{rules}}.",
            sharesNumber: "{{client}} sẽ nhận được số điện thoại của bạn.",
            keepsNumber: "{{client}} sẽ không nhận được số điện thoại của bạn.",
            codeHeading: "Nhập mã xác minh",
            codeLabel: "Mã xác minh",
            codeSentBySms: "Chúng tôi đã gửi mã qua SMS đến {{number}}.",
            codeSentByCall: "Chúng tôi đang gọi đến {{number}} để đọc mã cho bạn.",
            codeSentByMessenger: "Chúng tôi đã gửi mã qua {{channel}} đến {{number}}.",
            codeSentInbound: "Hãy gửi tin nhắn cho chúng tôi từ số {{number}}.",
            changeNumber: "Đổi số",
            signIn: "Đăng nhập",
            signingUp: "đang kiểm tra…",
            resendCode: "Gửi lại mã",
            resendWait: "Gửi lại mã sau %",
            resent: "Đã gửi lại mã.",
            resendReady: "Bạn chưa nhận được mã?",
            sendBySms: "Nhận mã qua SMS",
            sendByCall: "Nhận mã qua cuộc gọi",
            sendByMessenger: "Nhận mã qua {{channel}}",
            sendInbound: "Tôi sẽ gửi tin nhắn",
            noSendsLeft: "Hiện không thể gửi lại mã.",
            inboundHeading: "Gửi tin nhắn cho chúng tôi",
            inboundRecipient: "Gửi đến",
            inboundText: "Nội dung",
            inboundOpen: "Mở ứng dụng tin nhắn",
            inboundSent: "Tôi đã gửi",
            inboundMissing: "Chúng tôi chưa nhận được tin nhắn của bạn. Có thể mất khoảng một phút.",
            inboundArrived: "Chúng tôi đã nhận được tin nhắn của bạn.",
            dormantHeading: "Số này gắn với một tài khoản cũ",
            dormantIntroduction: """
                Tài khoản đó đã lâu không hoạt động và có thể là của người khác. Bạn có thể tạo tài khoản mới. Để đăng \
                nhập vào tài khoản cũ, vui lòng liên hệ bộ phận hỗ trợ.
                """,
            dormantWithCode: """
                Tài khoản đó đã lâu không hoạt động và có thể là của người khác. Nhập lại mã để tạo tài khoản mới. Để \
                đăng nhập vào tài khoản cũ, vui lòng liên hệ bộ phận hỗ trợ.
                """,
            newAccount: "Tạo tài khoản mới",
            signedInHeading: "Bạn đã đăng nhập",
            signedInAs: "Bạn đang đăng nhập bằng số {{number}}.",
            signedInNote: "Bạn có thể đóng trang này. Lần sau bạn không cần nhập mã trên trình duyệt này.",
            signOut: "Đăng xuất",
            signOutHeading: "Bạn muốn đăng xuất?",
            signedOutHeading: "Bạn đã đăng xuất",
            signedOut: "Bạn có thể đóng trang này.",
            countryLabel: "Quốc gia",
            countrySearch: "Tìm tên hoặc mã quốc gia",
            countryNone: "Không tìm thấy quốc gia nào",
            codeExpiredHeading: "Mã đã hết hạn",
            codeExpiredFor: "Mã chỉ có hiệu lực trong vài phút. Chúng tôi có thể gửi mã mới đến {{number}}.",
            newCode: "Gửi mã mới",
            sendingFailedHeading: "Không gửi được mã",
            sendingFailed: "Mã không đến được số {{number}}. Hãy kiểm tra lại số, hoặc thử lại sau ít phút.",
            challengeHeading: "Vui lòng đợi một chút",
            challengeIntroduction: "Chúng tôi đang xác nhận bạn không phải là robot. Chỉ mất vài giây.",
            captchaIntroduction: "Xác nhận bạn không phải là robot để nhận mã.",
            challengeBusy: "Đang kiểm tra…",
            challengeWait: "JavaScript đang tắt nên bạn cần đợi một chút. Bạn có thể gửi mã sau % giây.",
            challengeNeedsScript: "Vui lòng bật JavaScript trong trình duyệt rồi tải lại trang này.",
            limitHeading: "Bạn đã thử quá nhiều lần",
            retryWait: "Thử lại sau %",
            anotherNumber: "Dùng số khác",
            tryAgain: "Thử lại",
            startAgain: "Bắt đầu lại",
            pageExpiredHeading: "Trang này đã hết hạn",
            pageExpired: """
                Trang đã mở quá lâu, bạn đã đăng nhập hoặc đăng xuất ở tab khác, hoặc trình duyệt của bạn chặn cookie.
                """,
            pageReplacedHeading: "Trang này không còn hiệu lực",
            pageReplaced: "Bạn đã tiếp tục ở tab hoặc cửa sổ khác. Trang này chưa gửi đi dữ liệu nào.",
            pageOfOtherSite: "Biểu mẫu này đến từ một trang web khác nên không được xử lý.",
            goOn: "Tiếp tục",
            linkInvalidHeading: "Liên kết này không hợp lệ",
            linkInvalid: """
                Yêu cầu từ ứng dụng đã đưa bạn đến đây không đáng tin cậy. Chưa có dữ liệu nào được chia sẻ với ứng \
                dụng đó.
                """,
            offline: "Không có kết nối Internet. Vui lòng kiểm tra kết nối rồi thử lại.",
            notFoundHeading: "Không tìm thấy trang",
            notFound: "Không có trang nào ở địa chỉ này.",
            goToStart: "Về trang chủ"
        ),
        console: Console(
            key: "Khóa API",
            keyHint: "Khóa có phạm vi viewer, support hoặc admin:",
            keyRefused: "Khóa này không hợp lệ, đã bị thu hồi hoặc không dành cho bảng điều khiển.",
            notSignedIn: "Quá trình đăng nhập chưa hoàn tất. Vui lòng thử lại.",
            proofTooOld: "Số này đã được xác minh trước lần đăng nhập này. Vui lòng thử lại bằng mã mới.",
            refused: "Số này không có quyền truy cập bảng điều khiển."
        ),
        devices: Devices(
            heading: "Đăng nhập trên thiết bị",
            introduction: "Nhập mã hiển thị trên chính thiết bị của bạn.",
            code: "Mã trên thiết bị",
            unknown: "Không có thiết bị nào đang chờ mã này. Hãy kiểm tra các chữ cái hoặc lấy mã mới trên thiết bị.",
            question: "Có phải bạn không?",
            request: "{{client}} trên một thiết bị khác đang yêu cầu đăng nhập vào tài khoản của bạn.",
            place: "Địa chỉ IP",
            program: "Chương trình",
            warning: """
                Chỉ tiếp tục nếu chính bạn vừa bắt đầu lần đăng nhập này và thiết bị của bạn hiển thị mã này. Nếu ai \
                đó gửi cho bạn mã này hoặc một liên kết thì đó là lừa đảo: hãy chọn “Không”.
                """,
            approve: "Có, đăng nhập",
            refuse: "Không",
            doneHeading: "Đã đăng nhập trên thiết bị của bạn",
            done: "Bạn có thể đóng trang này và quay lại thiết bị.",
            refusedHeading: "Đã từ chối",
            refused: "Không có ai đăng nhập vào tài khoản của bạn. Nếu ai đó gửi mã này cho bạn, đừng trả lời họ."
        ),
        passkeys: Passkeys(
            signIn: "Đăng nhập bằng khóa truy cập",
            refused: "Khóa truy cập này không dùng được ở đây. Hãy đăng nhập bằng số điện thoại.",
            offerHeading: "Lần sau đăng nhập không cần mã",
            offer: """
                Với khóa truy cập, bạn đăng nhập bằng vân tay, khuôn mặt hoặc khóa màn hình. Số điện thoại của bạn vẫn \
                dùng được.
                """,
            create: "Tạo khóa truy cập",
            skip: "Để sau",
            failed: "Chưa tạo được khóa truy cập. Bạn có thể thử lại.",
            heading: "Khóa truy cập",
            none: "Bạn chưa có khóa truy cập nào.",
            used: "Lần dùng gần nhất: {{moment}}",
            name: "Tên",
            rename: "Đổi tên",
            remove: "Xóa",
            ask: """
                Số điện thoại của bạn đã thay đổi, hoặc khóa truy cập này đã lâu không được dùng. Khóa truy cập này có \
                còn là của bạn không?
                """,
            keep: "Vẫn là của tôi"
        ),
        undo: Undo(
            heading: "Số điện thoại của bạn đã được thay đổi",
            offer: "Ngày {{moment}}, số điện thoại trên tài khoản của bạn đã được đổi từ {{number}} sang một số khác.",
            advice: """
                Nếu chính bạn đã đổi số, bạn có thể đóng trang này. Nếu không phải bạn, hãy khôi phục số cũ. Tài khoản \
                sẽ dùng lại số {{number}}, và mọi thiết bị sẽ bị đăng xuất.
                """,
            button: "Khôi phục số cũ",
            deadline: "Bạn có thể khôi phục cho đến {{moment}}.",
            undoneHeading: "Đã khôi phục số cũ",
            undone: """
                Tài khoản đã dùng lại số {{number}}. Mọi thiết bị đã bị đăng xuất. Vui lòng đăng nhập lại bằng số này.
                """,
            goneHeading: "Liên kết này đã hết hạn",
            gone: "Liên kết đã được sử dụng hoặc đã quá thời hạn. Nếu bạn vừa nhấn nút, số cũ đã được khôi phục.",
            takenHeading: "Không thể khôi phục số cũ",
            taken: "Số cũ của bạn hiện thuộc về một tài khoản khác. Vui lòng liên hệ bộ phận hỗ trợ.",
            unavailableHeading: "Đã xảy ra lỗi",
            unavailable: "Hãy đợi một lát rồi mở lại liên kết trong tin nhắn."
        ),
        inbox: Inbox(
            heading: "Hộp thư SMS giả lập",
            note: "Các tin nhắn này không được gửi đến điện thoại nào. Tin mới nhất ở trên cùng.",
            reload: "Tải lại trang để xem tin nhắn mới.",
            empty: "Chưa có tin nhắn nào.",
            copy: "Sao chép",
            copied: "Đã sao chép",
            filter: "Lọc theo số",
            clear: "Xóa tất cả",
            key: "Nhấn phím C để sao chép mã mới nhất.",
            message: "Đến {{number}}",
            call: "Gọi đến {{number}}",
            delivery: "Từ {{sender}}, {{status}}",
            failedDelivery: "Từ {{sender}}, {{status}}, lỗi {{code}}"
        ),
        call: Call(
            introduction: "Xin chào. Mã xác minh {{service}} của bạn là:",
            repetition: "Xin nhắc lại, mã của bạn là:"
        ),
        // Without diacritics, as the templates of Vietnamese vendors are written and people there are used to: a
        // message with diacritics is not in GSM-7, and takes two SMS instead of one.
        messages: Messages(
            verification: """
                {{code}} la ma xac minh {{service}} cua ban. Het han sau {{minutes}} phut. Khong chia se ma nay.
                """,
            numberChange: "So dien thoai {{service}} cua ban da thay doi. Khong phai ban? Khoi phuc so cu: {{link}}",
            sharingWarning: "Khong chia se ma nay.",
            // With and without diacritics.
            sharingWarningMarks: [
                "chia se", "khong cung cap", "khong tiet lo", "bat ky ai", "bat ki ai", "chia sẻ", "không cung cấp",
                "không tiết lộ", "bất kỳ ai", "bất kì ai",
            ]
        )
    )
}
