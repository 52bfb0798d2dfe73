import PhoneDomain

/// Indonesian, with the polite "Anda".
/// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
struct IndonesianTexts: Texts {
    let language = LanguageTag(validated: "id")
    let englishName = "Indonesian"
    var regionNames: RegionNames { .indonesian }
}

// Failures.
extension IndonesianTexts {
    var sessionNotFound: String { "Perangkat ini sudah keluar dari akun." }
    var internalError: String { "Terjadi kesalahan. Silakan coba lagi." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty:
            "Saat ini kami tidak dapat mengirim kode ke nomor ini."
        case .channelUnavailable: "Kode tidak dapat dikirim dengan cara itu. Pilih cara lain."
        case .resendTooSoon(let moment): "Kode baru saja dikirim. Tunggu \(wait(moment)) sebelum meminta kode lagi."
        case .maxSendsReached(let moment): "Anda terlalu sering meminta kode. Coba lagi dalam \(wait(moment))."
        case .rateLimited(_, let moment): "Terlalu banyak permintaan. Coba lagi dalam \(wait(moment))."
        case .challengeRequired: "Kami perlu memastikan bahwa Anda bukan robot. Silakan coba lagi."
        case .challengeFailed: "Kami tidak dapat memastikan bahwa Anda bukan robot. Silakan coba lagi."
        case .sendDenied: "Kami tidak dapat mengirim kode ke nomor ini. Gunakan nomor lain."
        case .malformedCode(let length): "Masukkan kode \(length) digit."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Kode salah. Kesempatan mencoba sudah habis."
        case .codeIncorrect(let checked): "Kode salah. Anda dapat mencoba \(checked.checksLeft) kali lagi."
        case .codeExpired: "Kode sudah kedaluwarsa. Minta kode baru."
        case .maxChecksReached(let moment):
            "Anda terlalu sering salah memasukkan kode. Coba lagi dalam \(wait(moment))."
        case .verificationNotFound: "Minta kode untuk nomor ini terlebih dahulu."
        case .signupNotFound: "Sesi Anda telah berakhir. Mulai lagi dari awal."
        case .verificationClosed: "Kode ini sudah tidak berlaku. Minta kode baru."
        case .verificationNotApproved: "Nomor ini belum diverifikasi. Masukkan kode terlebih dahulu."
        case .accountDormant:
            "Akun dengan nomor ini sudah lama tidak digunakan. Hubungi layanan pelanggan untuk melanjutkan."
        case .consentRequired: "Setujui ketentuan untuk melanjutkan."
        case .accountSuspended: "Akun ini ditangguhkan. Hubungi layanan pelanggan."
        case .numberTaken: "Nomor ini sudah digunakan oleh akun lain."
        case .numberChangeNotFound: "Perubahan ini tidak dapat dibatalkan lagi."
        case .invalidMetadata: "Data yang akan disimpan terlalu banyak. Hapus sebagian."
        case .notSignedIn, .keyInvalid: "Anda sudah keluar. Silakan masuk lagi."
        case .proofTooOld: "Demi keamanan, masuk lagi untuk melanjutkan."
        case .unavailable: "Layanan sedang tidak tersedia. Coba beberapa saat lagi."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Masukkan nomor telepon Anda."
        case .notANumber:
            "Ini bukan nomor telepon. Masukkan angka saja, tanpa nomor ekstensi. Untuk negara lain, awali dengan +."
        case .tooLong: "Nomor ini terlalu panjang."
        case .tooShort: "Nomor ini belum lengkap."
        case .unknownRegion: "Awali nomor dengan + dan kode negara."
        case .unsupportedCallingCode(let code): "Nomor yang diawali +\(code) tidak didukung."
        case .noSuchNumber: "Nomor ini tidak ada. Periksa kembali angkanya."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "Nomor 011 dan 016–019 sudah tidak digunakan. Gunakan nomor 010 Anda."
        case .fixedLine: "Ini nomor telepon rumah. Gunakan nomor ponsel."
        case .voip: "Ini nomor telepon internet. Gunakan nomor ponsel."
        case .personal: "Ini nomor pengalihan. Gunakan nomor ponsel Anda sendiri."
        case .representative: "Ini nomor perusahaan. Gunakan nomor ponsel."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "Nomor ini tidak dapat menerima kode. Gunakan nomor ponsel."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "Nomor dari negara ini\(region.map { " (\(name(of: $0)))" } ?? "") tidak didukung."
        guard (1...5).contains(allowed.count) else { return reason + " Gunakan nomor lain." }
        return reason + " Gunakan nomor dari: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { "{{count}} detik" }
    var minutes: PluralForms { "{{count}} menit" }
    var hours: PluralForms { "{{count}} jam" }
}

// Prompt.
extension IndonesianTexts {
    var phoneLabel: String { "Nomor telepon" }
    var codeLabel: String { "Kode" }
    func codeQuestion(or channel: Channel?) -> String {
        "Kode (r: kirim ulang\(channel.map { ", c: " + send(by: $0) } ?? ""), n: ganti nomor):"
    }
    var consentQuestion: String { "Setuju? (y: ya, n: tidak)" }
    var sendHint: String { "Enter: kirim kode" }
    var signUpHint: String { "Enter: daftar" }
    var connecting: String { "menghubungkan…" }
    var tryAgainHint: String { "Enter: coba lagi" }
    var sending: String { "mengirim…" }
    var signingUp: String { "memeriksa…" }
    var resendHint: String { "r: kirim ulang" }
    var newCodeHint: String { "r: kode baru" }
    var expired: String { "kedaluwarsa" }
    var otherNumberHint: String { "Esc: ganti nomor" }
    var phoneHint: String { "+ untuk negara lain" }
    func regionHint(_ region: Region) -> String { "wilayah \(region) (ubah: --region)" }
    var cancelHint: String { "Ctrl-C: batal" }
    var remoteNextStep: String { "Berikutnya: masuk ke akun ini dengan nomor yang sama." }
    var stubLabel: String { "Simulator SMS" }
    var canceled: String { "Pendaftaran dibatalkan." }
    var inputEnded: String { "Input berakhir sebelum pendaftaran selesai. Masukkan nomor telepon, lalu kodenya." }

    func localNextSteps(show: String, serve: String) -> [String] { ["Berikutnya: \(show)", "atau:       \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "nomor lain, atau kode baru dalam \(wait)" }
    func resendHint(in wait: String) -> String { "kirim ulang dalam \(wait)" }
    func newCodeHint(in wait: String) -> String { "kode baru dalam \(wait)" }
    func expiryHint(in wait: String) -> String { "kedaluwarsa dalam \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Kami menelepon \(maskedNumber) untuk menyampaikan kode Anda."
        case .whatsapp: "Kode dikirim ke \(maskedNumber) lewat WhatsApp."
        case .kakaotalk: "Kode dikirim ke \(maskedNumber) lewat KakaoTalk."
        case .sms, .inbound, .sim, nil: "Kode dikirim ke \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Pendaftaran berhasil: \(phoneText) · akun \(account) (baru)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Selamat datang kembali: \(phoneText) · akun \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "Tidak dapat terhubung ke \(server). Pastikan server berjalan dan alamatnya benar. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) bukan server PhoneProof (status \(status)). Periksa alamat pada --server."
    }
}

// Report on a number.
extension IndonesianTexts {
    var numberInput: String { "Input" }
    var numberFormatted: String { "Tampilan" }
    var numberIsValid: String { "Valid" }
    var numberKind: String { "Jenis" }
    var numberRegion: String { "Wilayah" }
    var numberNational: String { "Nasional" }
    var numberInternational: String { "Internasional" }
    var numberReceivesCode: String { "Dapat menerima kode" }

    func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "ponsel"
        case .legacyMobile: "ponsel, sudah tidak digunakan"
        case .fixedLine: "telepon rumah"
        case .fixedLineOrMobile: "telepon rumah atau ponsel"
        case .voip: "telepon internet"
        case .personal: "nomor pengalihan"
        case .representative: "nomor perusahaan"
        case .tollFree: "bebas pulsa"
        case .premium: "tarif premium"
        case .sharedCost: "biaya dibagi"
        case .pager: "pager"
        case .voicemail: "pesan suara"
        case .machine: "mesin (M2M)"
        }
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "ya" : "tidak" }
}

// Pages.
extension IndonesianTexts {
    var undoHeading: String { "Nomor telepon Anda telah diubah" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "Pada \(moment), nomor telepon akun Anda diubah dari \(number) ke nomor lain."
    }
    func undoAdvice(number: String) -> String {
        "Jika Anda yang mengubahnya, Anda dapat menutup halaman ini. Jika bukan, batalkan perubahan. "
            + "Nomor Anda akan kembali menjadi \(number), dan semua perangkat akan dikeluarkan dari akun."
    }
    var undoButton: String { "Batalkan perubahan" }
    func undoDeadline(_ moment: String) -> String { "Perubahan dapat dibatalkan hingga \(moment)." }
    var undoneHeading: String { "Nomor Anda telah dipulihkan" }
    func undone(number: String) -> String {
        "Akun Anda kembali memakai nomor \(number). Semua perangkat dikeluarkan dari akun. Masuk lagi dengan nomor ini."
    }
    var undoGoneHeading: String { "Tautan ini sudah kedaluwarsa" }
    var undoGone: String {
        "Tautan sudah digunakan atau masa berlakunya habis. Jika Anda baru menekan tombol, perubahan sudah dibatalkan."
    }
    var undoTakenHeading: String { "Perubahan ini tidak dapat dibatalkan" }
    var undoTaken: String { "Nomor lama Anda kini digunakan oleh akun lain. Hubungi layanan pelanggan." }
    var undoUnavailableHeading: String { "Terjadi kesalahan" }
    var undoUnavailable: String { "Tunggu sebentar, lalu buka lagi tautan yang ada di pesan." }

    var inboxHeading: String { "Kotak masuk simulator SMS" }
    var inboxNote: String { "Pesan ini tidak dikirim ke ponsel mana pun. Pesan terbaru ada di atas." }
    var inboxReload: String { "Muat ulang halaman untuk melihat pesan baru." }
    var inboxEmpty: String { "Belum ada pesan." }
    var inboxCopy: String { "Salin" }
    var inboxCopied: String { "Disalin" }
    var inboxFilter: String { "Cari nomor" }
    var inboxClear: String { "Hapus semua" }
    var inboxKey: String { "Tekan C untuk menyalin kode terbaru." }
    func inboxMessage(to number: String) -> String { "Ke \(number)" }
    func inboxCall(to number: String) -> String { "Panggilan ke \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "Dari \(sender), \(status)" + (errorCode.map { ", kesalahan \($0)" } ?? "")
    }
}

// SMS.
extension IndonesianTexts {
    var verificationMessage: String {
        "{{code}} adalah kode {{service}} Anda. Berlaku {{minutes}} menit. Jangan bagikan kode ini."
    }
    var numberChangeMessage: String {
        "Nomor telepon {{service}} Anda telah diubah. Bukan Anda? Batalkan: {{link}}"
    }
    var sharingWarning: String { "Jangan bagikan kode ini." }
    var sharingWarningMarks: [String] {
        [
            "jangan bagi", "jangan beri", "jangan sebar", "jangan membagi", "jangan memberi", "jangan menyebar",
            "jangan pernah", "tidak membagikan", "tidak memberikan", "rahasiakan", "kerahasiaan", "bersifat rahasia",
        ]
    }
}

// Pages to sign in.
extension IndonesianTexts {
    var errorTitle: String { "Kesalahan" }
    var startHeading: String { "Masuk lewat telepon" }
    var startIntroduction: String { "Layanan ini memverifikasi nomor telepon agar Anda dapat masuk dengan nomor itu." }
    var startDocs: String { "Untuk pengembang: API" }
    var signInHeading: String { "Masuk dengan nomor telepon" }
    var signInIntroduction: String { "Kami akan mengirim kode untuk masuk atau membuat akun." }
    var sendCode: String { "Kirim kode" }
    var terms: String { "Ketentuan Layanan" }
    var privacy: String { "Kebijakan Privasi" }
    var conjunction: String { " dan " }
    func acceptance(of rules: String) -> String { "Dengan melanjutkan, Anda menyetujui \(rules)." }
    func consent(to rules: String) -> String { "Saya menyetujui \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        "\(client) \(sharesNumber ? "akan" : "tidak akan") menerima nomor telepon Anda."
    }
    var codeHeading: String { "Masukkan kode" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Kami telah mengirim kode lewat SMS ke \(number)."
        case .call: "Kami sedang menelepon \(number) untuk menyampaikan kode Anda."
        case .whatsapp: "Kami telah mengirim kode lewat WhatsApp ke \(number)."
        case .kakaotalk: "Kami telah mengirim kode lewat KakaoTalk ke \(number)."
        case .inbound: "Kirim SMS kepada kami dari nomor \(number)."
        }
    }
    var changeNumber: String { "Ganti nomor" }
    var signIn: String { "Masuk" }
    var resendCode: String { "Kirim ulang kode" }
    var resendWait: String { "Kirim ulang dalam %" }
    var resent: String { "Kode sudah dikirim ulang." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Terima lewat SMS"
        case .call: "Terima lewat telepon"
        case .whatsapp: "Terima lewat WhatsApp"
        case .kakaotalk: "Terima lewat KakaoTalk"
        case .inbound: "Kirim SMS sendiri"
        }
    }

    var inboundHeading: String { "Kirim SMS kepada kami" }
    var inboundRecipient: String { "Ke" }
    var inboundText: String { "Isi pesan" }
    var inboundOpen: String { "Buka aplikasi SMS" }
    var inboundSent: String { "Sudah saya kirim" }
    var inboundMissing: String { "SMS Anda belum kami terima. Ini bisa memakan waktu hingga satu menit." }
    var inboundArrived: String { "SMS Anda sudah kami terima." }

    func callIntroduction(service: String) -> String { "Halo. Kode verifikasi \(service) Anda adalah:" }
    var callRepetition: String { "Sekali lagi, kode Anda adalah:" }
    var resendReady: String { "Belum menerima kode?" }
    var noSendsLeft: String { "Saat ini kode tidak dapat dikirim ulang." }
    var dormantHeading: String { "Nomor ini terhubung ke akun lama" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "Akun tersebut sudah lama tidak digunakan dan mungkin milik orang lain. "
            + (hasCode ? "Masukkan kode sekali lagi untuk membuat akun baru. " : "Anda dapat membuat akun baru. ")
            + "Untuk masuk ke akun lama, hubungi layanan pelanggan."
    }
    var newAccount: String { "Buat akun baru" }
    var signedInHeading: String { "Anda sudah masuk" }
    func signedIn(as maskedNumber: String) -> String { "Anda masuk dengan nomor \(maskedNumber)." }
    var signedInNote: String { "Anda dapat menutup halaman ini. Lain kali, kode tidak diperlukan di browser ini." }
    var signOut: String { "Keluar" }
    var signOutHeading: String { "Keluar dari akun?" }
    var signedOutHeading: String { "Anda sudah keluar" }
    var signedOut: String { "Anda dapat menutup halaman ini." }
    var countryLabel: String { "Negara" }
    var countrySearch: String { "Cari nama atau kode" }
    var countryNone: String { "Negara tidak ditemukan" }
    var codeExpiredHeading: String { "Kode sudah kedaluwarsa" }
    func codeExpired(number: String) -> String {
        "Kode hanya berlaku beberapa menit. Kami dapat mengirim kode baru ke \(number)."
    }
    var newCode: String { "Kirim kode baru" }
    var sendingFailedHeading: String { "Kode tidak terkirim" }
    func sendingFailed(number: String) -> String {
        "Kode tidak sampai ke \(number). Periksa nomornya, atau coba beberapa saat lagi."
    }
    var challengeHeading: String { "Mohon tunggu sebentar" }
    var challengeIntroduction: String { "Kami sedang memastikan bahwa Anda bukan robot. Hanya perlu beberapa detik." }
    var captchaIntroduction: String { "Konfirmasikan bahwa Anda bukan robot untuk menerima kode." }
    var challengeBusy: String { "Memeriksa…" }
    var challengeWait: String { "JavaScript tidak aktif, jadi mohon tunggu. Anda dapat mengirim kode dalam % detik." }
    var challengeNeedsScript: String { "JavaScript tidak aktif di browser Anda. Aktifkan, lalu muat ulang halaman." }
    var limitHeading: String { "Terlalu banyak percobaan" }
    var retryWait: String { "Coba lagi dalam %" }
    var offline: String { "Anda sedang offline. Periksa koneksi Anda, lalu coba lagi." }
    var anotherNumber: String { "Gunakan nomor lain" }
    var tryAgain: String { "Coba lagi" }
    var startAgain: String { "Mulai dari awal" }
    var pageExpiredHeading: String { "Halaman ini sudah kedaluwarsa" }
    var pageExpired: String {
        "Halaman terlalu lama terbuka, Anda masuk atau keluar di tab lain, atau browser Anda memblokir cookie."
    }
    var pageReplacedHeading: String { "Halaman ini tidak berlaku lagi" }
    var pageReplaced: String { "Anda sudah melanjutkan di tab atau jendela lain. Tidak ada yang dikirim dari sini." }
    var pageOfOtherSite: String { "Formulir ini berasal dari situs web lain, jadi tidak diproses." }
    var goOn: String { "Lanjutkan" }
    var linkInvalidHeading: String { "Tautan ini tidak valid" }
    var linkInvalid: String {
        "Permintaan dari aplikasi yang membawa Anda ke sini tidak dapat dipercaya. Tidak ada data yang dibagikan."
    }
    var notFoundHeading: String { "Halaman tidak ditemukan" }
    var notFound: String { "Tidak ada halaman di alamat ini." }
    var goToStart: String { "Ke halaman awal" }
    var consoleKey: String { "Kunci API" }
    var consoleKeyHint: String { "Kunci dengan cakupan viewer, support, atau admin:" }
    var consoleKeyRefused: String { "Kunci ini tidak valid, sudah dicabut, atau bukan untuk konsol." }
    var consoleNotSignedIn: String { "Proses masuk tidak selesai. Coba lagi." }
    var consoleProofTooOld: String {
        "Nomor ini diverifikasi sebelum proses masuk ini dimulai. Coba lagi dengan kode baru."
    }
    var consoleRefused: String { "Nomor ini tidak memiliki akses ke konsol." }
}

// Pages for devices without a browser.
extension IndonesianTexts {
    var deviceHeading: String { "Masuk di perangkat" }
    var deviceIntroduction: String { "Masukkan kode yang tampil di perangkat Anda sendiri." }
    var deviceCode: String { "Kode di perangkat" }
    var deviceUnknown: String {
        "Tidak ada perangkat yang menunggu dengan kode ini. Periksa hurufnya atau minta kode baru di perangkat."
    }
    var deviceQuestion: String { "Apakah ini Anda?" }
    var devicePlace: String { "Alamat IP" }
    var deviceProgram: String { "Program" }
    var deviceWarning: String {
        "Lanjutkan hanya jika Anda sendiri baru saja memulai proses masuk ini dan perangkat Anda menampilkan kode ini. Jika seseorang mengirimi Anda kode ini atau sebuah tautan, itu penipuan: pilih “Tidak”."
    }
    var deviceApprove: String { "Ya, masuk" }
    var deviceRefuse: String { "Tidak" }
    var deviceDoneHeading: String { "Anda sudah masuk di perangkat Anda" }
    var deviceDone: String { "Anda dapat menutup halaman ini dan kembali ke perangkat." }
    var deviceRefusedHeading: String { "Ditolak" }
    var deviceRefused: String {
        "Tidak ada yang masuk ke akun Anda. Jika seseorang mengirimi Anda kode ini, jangan balas."
    }
    func deviceRequest(client: String) -> String { "\(client) di perangkat lain meminta masuk ke akun Anda." }
}

// Passkeys.
extension IndonesianTexts {
    var passkeySignIn: String { "Masuk dengan kunci sandi" }
    var passkeyRefused: String { "Kunci sandi ini tidak dapat digunakan di sini. Masuk dengan nomor telepon Anda." }
    var passkeyOfferHeading: String { "Lain kali, masuk tanpa kode" }
    var passkeyOffer: String {
        "Dengan kunci sandi, Anda masuk menggunakan sidik jari, wajah, atau kunci layar. Nomor telepon Anda tetap bisa digunakan."
    }
    var passkeyCreate: String { "Buat kunci sandi" }
    var passkeySkip: String { "Jangan sekarang" }
    var passkeyFailed: String { "Kunci sandi tidak dibuat. Anda bisa mencoba lagi." }
    var passkeysHeading: String { "Kunci sandi" }
    var passkeysNone: String { "Anda belum punya kunci sandi." }
    func passkeyUsed(_ moment: String) -> String { "Terakhir digunakan: \(moment)" }
    var passkeyName: String { "Nama" }
    var passkeyRename: String { "Ganti nama" }
    var passkeyRemove: String { "Hapus" }
    var passkeyAsk: String {
        "Nomor telepon Anda telah berubah, atau kunci sandi ini sudah lama tidak digunakan. Apakah kunci sandi ini masih milik Anda?"
    }
    var passkeyKeep: String { "Milik saya" }
}
