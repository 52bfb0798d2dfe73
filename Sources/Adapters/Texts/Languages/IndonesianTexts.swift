import PhoneDomain

extension Texts {
    /// Indonesian, with the polite "Anda".
    /// No native speaker has read these texts yet. A better word is welcome: see "Add a language" in Contributing.md.
    static let indonesian = Texts(
        language: LanguageTag(validated: "id"),
        englishName: "Indonesian",
        regionNames: .indonesian,
        failures: Failures(
            sessionNotFound: "Perangkat ini sudah keluar dari akun.",
            internalError: "Terjadi kesalahan. Silakan coba lagi.",
            numberEmpty: "Masukkan nomor telepon Anda.",
            numberMalformed: """
                Ini bukan nomor telepon. Masukkan angka saja, tanpa nomor ekstensi. Untuk negara lain, awali dengan +.
                """,
            numberTooLong: "Nomor ini terlalu panjang.",
            numberTooShort: "Nomor ini belum lengkap.",
            numberNeedsCountry: "Awali nomor dengan + dan kode negara.",
            numberUnsupported: "Nomor yang diawali +{{code}} tidak didukung.",
            numberUnknown: "Nomor ini tidak ada. Periksa kembali angkanya.",
            kindLegacy: "Nomor 011 dan 016–019 sudah tidak digunakan. Gunakan nomor 010 Anda.",
            kindLandline: "Ini nomor telepon rumah. Gunakan nomor ponsel.",
            kindVoip: "Ini nomor telepon internet. Gunakan nomor ponsel.",
            kindPersonal: "Ini nomor pengalihan. Gunakan nomor ponsel Anda sendiri.",
            kindCompany: "Ini nomor perusahaan. Gunakan nomor ponsel.",
            kindOther: "Nomor ini tidak dapat menerima kode. Gunakan nomor ponsel.",
            countryRefused: "Nomor dari negara ini tidak didukung. Gunakan nomor lain.",
            countryRefusedByName: "Nomor dari negara ini ({{country}}) tidak didukung. Gunakan nomor lain.",
            countriesAccepted: "Nomor dari negara ini tidak didukung. Gunakan nomor dari: {{countries}}.",
            countriesAcceptedByName: """
                Nomor dari negara ini ({{country}}) tidak didukung. Gunakan nomor dari: {{countries}}.
                """,
            countrySeparator: ", ",
            channelUnavailable: "Saat ini kami tidak dapat mengirim kode ke nomor ini.",
            channelOther: "Kode tidak dapat dikirim dengan cara itu. Pilih cara lain.",
            resendTooSoon: "Kode baru saja dikirim. Tunggu {{wait}} sebelum meminta kode lagi.",
            tooManyCodes: "Anda terlalu sering meminta kode. Coba lagi dalam {{wait}}.",
            rateLimited: "Terlalu banyak permintaan. Coba lagi dalam {{wait}}.",
            challengeRequired: "Kami perlu memastikan bahwa Anda bukan robot. Silakan coba lagi.",
            challengeFailed: "Kami tidak dapat memastikan bahwa Anda bukan robot. Silakan coba lagi.",
            sendDenied: "Kami tidak dapat mengirim kode ke nomor ini. Gunakan nomor lain.",
            codeMalformed: "Masukkan kode {{length}} digit.",
            codeIncorrect: "Kode salah. Anda dapat mencoba {{count}} kali lagi.",
            codeIncorrectLast: "Kode salah. Kesempatan mencoba sudah habis.",
            codeExpired: "Kode sudah kedaluwarsa. Minta kode baru.",
            maxChecksReached: "Anda terlalu sering salah memasukkan kode. Coba lagi dalam {{wait}}.",
            codeMissing: "Minta kode untuk nomor ini terlebih dahulu.",
            signupExpired: "Sesi Anda telah berakhir. Mulai lagi dari awal.",
            codeClosed: "Kode ini sudah tidak berlaku. Minta kode baru.",
            notApproved: "Nomor ini belum diverifikasi. Masukkan kode terlebih dahulu.",
            accountDormant: """
                Akun dengan nomor ini sudah lama tidak digunakan. Hubungi layanan pelanggan untuk melanjutkan.
                """,
            consentRequired: "Setujui ketentuan untuk melanjutkan.",
            accountSuspended: "Akun ini ditangguhkan. Hubungi layanan pelanggan.",
            numberTaken: "Nomor ini sudah digunakan oleh akun lain.",
            changeGone: "Perubahan ini tidak dapat dibatalkan lagi.",
            dataTooBig: "Data yang akan disimpan terlalu banyak. Hapus sebagian.",
            notSignedIn: "Anda sudah keluar. Silakan masuk lagi.",
            proofTooOld: "Demi keamanan, masuk lagi untuk melanjutkan.",
            unavailable: "Layanan sedang tidak tersedia. Coba beberapa saat lagi.",
            seconds: "{{count}} detik",
            minutes: "{{count}} menit",
            hours: "{{count}} jam"
        ),
        prompt: Prompt(
            codeQuestion: "Kode (r: kirim ulang, n: ganti nomor):",
            codeQuestionOrChannel: "Kode (r: kirim ulang, c: {{send}}, n: ganti nomor):",
            consentQuestion: "Setuju? (y: ya, n: tidak)",
            sendHint: "Enter: kirim kode",
            signUpHint: "Enter: daftar",
            connecting: "menghubungkan…",
            tryAgainHint: "Enter: coba lagi",
            resendHint: "r: kirim ulang",
            resendWait: "kirim ulang dalam {{wait}}",
            newCodeHint: "r: kode baru",
            newCodeWait: "kode baru dalam {{wait}}",
            expiryWait: "kedaluwarsa dalam {{wait}}",
            expired: "kedaluwarsa",
            otherNumberHint: "Esc: ganti nomor",
            anotherNumberWait: "nomor lain, atau kode baru dalam {{wait}}",
            phoneHint: "+ untuk negara lain",
            regionHint: "wilayah {{region}} (ubah: --region)",
            cancelHint: "Ctrl-C: batal",
            localNextSteps: ["Berikutnya: {{show}}", "atau:       {{serve}}"],
            remoteNextStep: "Berikutnya: masuk ke akun ini dengan nomor yang sama.",
            sent: "Kode dikirim ke {{number}}.",
            sentByCall: "Kami menelepon {{number}} untuk menyampaikan kode Anda.",
            sentByMessenger: "Kode dikirim ke {{number}} lewat {{channel}}.",
            stubLabel: "Simulator SMS",
            signedUp: "Pendaftaran berhasil: {{phone}} · akun {{account}} (baru)",
            welcomeBack: "Selamat datang kembali: {{phone}} · akun {{account}}",
            canceled: "Pendaftaran dibatalkan.",
            inputEnded: "Input berakhir sebelum pendaftaran selesai. Masukkan nomor telepon, lalu kodenya.",
            serverUnreachable: """
                Tidak dapat terhubung ke {{server}}. Pastikan server berjalan dan alamatnya benar. ({{reason}})
                """,
            serverNotUnderstood: """
                {{server}} bukan server PhoneProof (status {{status}}). Periksa alamat pada --server.
                """
        ),
        number: Number(
            input: "Input",
            formatted: "Tampilan",
            isValid: "Valid",
            kind: "Jenis",
            region: "Wilayah",
            national: "Nasional",
            international: "Internasional",
            receivesCode: "Dapat menerima kode",
            mobile: "ponsel",
            legacyMobile: "ponsel, sudah tidak digunakan",
            fixedLine: "telepon rumah",
            fixedLineOrMobile: "telepon rumah atau ponsel",
            voip: "telepon internet",
            personal: "nomor pengalihan",
            representative: "nomor perusahaan",
            tollFree: "bebas pulsa",
            premium: "tarif premium",
            sharedCost: "biaya dibagi",
            pager: "pager",
            voicemail: "pesan suara",
            machine: "mesin (M2M)",
            yes: "ya",
            no: "tidak"
        ),
        pages: Pages(
            startHeading: "Masuk lewat telepon",
            startIntroduction: "Layanan ini memverifikasi nomor telepon agar Anda dapat masuk dengan nomor itu.",
            startDocs: "Untuk pengembang: API",
            errorTitle: "Kesalahan",
            signInHeading: "Masuk dengan nomor telepon",
            signInIntroduction: "Kami akan mengirim kode untuk masuk atau membuat akun.",
            phoneLabel: "Nomor telepon",
            sendCode: "Kirim kode",
            sending: "mengirim…",
            terms: "Ketentuan Layanan",
            privacy: "Kebijakan Privasi",
            conjunction: " dan ",
            acceptance: "Dengan melanjutkan, Anda menyetujui {{rules}}.",
            consent: "Saya menyetujui {{rules}}.",
            sharesNumber: "{{client}} akan menerima nomor telepon Anda.",
            keepsNumber: "{{client}} tidak akan menerima nomor telepon Anda.",
            codeHeading: "Masukkan kode",
            codeLabel: "Kode",
            codeSentBySms: "Kami telah mengirim kode lewat SMS ke {{number}}.",
            codeSentByCall: "Kami sedang menelepon {{number}} untuk menyampaikan kode Anda.",
            codeSentByMessenger: "Kami telah mengirim kode lewat {{channel}} ke {{number}}.",
            codeSentInbound: "Kirim SMS kepada kami dari nomor {{number}}.",
            changeNumber: "Ganti nomor",
            signIn: "Masuk",
            signingUp: "memeriksa…",
            resendCode: "Kirim ulang kode",
            resendWait: "Kirim ulang dalam %",
            resent: "Kode sudah dikirim ulang.",
            resendReady: "Belum menerima kode?",
            sendBySms: "Terima lewat SMS",
            sendByCall: "Terima lewat telepon",
            sendByMessenger: "Terima lewat {{channel}}",
            sendInbound: "Kirim SMS sendiri",
            noSendsLeft: "Saat ini kode tidak dapat dikirim ulang.",
            inboundHeading: "Kirim SMS kepada kami",
            inboundRecipient: "Ke",
            inboundText: "Isi pesan",
            inboundOpen: "Buka aplikasi SMS",
            inboundSent: "Sudah saya kirim",
            inboundMissing: "SMS Anda belum kami terima. Ini bisa memakan waktu hingga satu menit.",
            inboundArrived: "SMS Anda sudah kami terima.",
            dormantHeading: "Nomor ini terhubung ke akun lama",
            dormantIntroduction: """
                Akun tersebut sudah lama tidak digunakan dan mungkin milik orang lain. Anda dapat membuat akun baru. \
                Untuk masuk ke akun lama, hubungi layanan pelanggan.
                """,
            dormantWithCode: """
                Akun tersebut sudah lama tidak digunakan dan mungkin milik orang lain. Masukkan kode sekali lagi untuk \
                membuat akun baru. Untuk masuk ke akun lama, hubungi layanan pelanggan.
                """,
            newAccount: "Buat akun baru",
            signedInHeading: "Anda sudah masuk",
            signedInAs: "Anda masuk dengan nomor {{number}}.",
            signedInNote: "Anda dapat menutup halaman ini. Lain kali, kode tidak diperlukan di browser ini.",
            signOut: "Keluar",
            signOutHeading: "Keluar dari akun?",
            signedOutHeading: "Anda sudah keluar",
            signedOut: "Anda dapat menutup halaman ini.",
            countryLabel: "Negara",
            countrySearch: "Cari nama atau kode",
            countryNone: "Negara tidak ditemukan",
            codeExpiredHeading: "Kode sudah kedaluwarsa",
            codeExpiredFor: "Kode hanya berlaku beberapa menit. Kami dapat mengirim kode baru ke {{number}}.",
            newCode: "Kirim kode baru",
            sendingFailedHeading: "Kode tidak terkirim",
            sendingFailed: "Kode tidak sampai ke {{number}}. Periksa nomornya, atau coba beberapa saat lagi.",
            challengeHeading: "Mohon tunggu sebentar",
            challengeIntroduction: "Kami sedang memastikan bahwa Anda bukan robot. Hanya perlu beberapa detik.",
            captchaIntroduction: "Konfirmasikan bahwa Anda bukan robot untuk menerima kode.",
            challengeBusy: "Memeriksa…",
            challengeWait: "JavaScript tidak aktif, jadi mohon tunggu. Anda dapat mengirim kode dalam % detik.",
            challengeNeedsScript: "JavaScript tidak aktif di browser Anda. Aktifkan, lalu muat ulang halaman.",
            limitHeading: "Terlalu banyak percobaan",
            retryWait: "Coba lagi dalam %",
            anotherNumber: "Gunakan nomor lain",
            tryAgain: "Coba lagi",
            startAgain: "Mulai dari awal",
            pageExpiredHeading: "Halaman ini sudah kedaluwarsa",
            pageExpired: """
                Halaman terlalu lama terbuka, Anda masuk atau keluar di tab lain, atau browser Anda memblokir cookie.
                """,
            pageReplacedHeading: "Halaman ini tidak berlaku lagi",
            pageReplaced: "Anda sudah melanjutkan di tab atau jendela lain. Tidak ada yang dikirim dari sini.",
            pageOfOtherSite: "Formulir ini berasal dari situs web lain, jadi tidak diproses.",
            goOn: "Lanjutkan",
            linkInvalidHeading: "Tautan ini tidak valid",
            linkInvalid: """
                Permintaan dari aplikasi yang membawa Anda ke sini tidak dapat dipercaya. Tidak ada data yang \
                dibagikan.
                """,
            offline: "Anda sedang offline. Periksa koneksi Anda, lalu coba lagi.",
            notFoundHeading: "Halaman tidak ditemukan",
            notFound: "Tidak ada halaman di alamat ini.",
            goToStart: "Ke halaman awal"
        ),
        console: Console(
            key: "Kunci API",
            keyHint: "Kunci dengan cakupan viewer, support, atau admin:",
            keyRefused: "Kunci ini tidak valid, sudah dicabut, atau bukan untuk konsol.",
            notSignedIn: "Proses masuk tidak selesai. Coba lagi.",
            proofTooOld: "Nomor ini diverifikasi sebelum proses masuk ini dimulai. Coba lagi dengan kode baru.",
            refused: "Nomor ini tidak memiliki akses ke konsol."
        ),
        devices: Devices(
            heading: "Masuk di perangkat",
            introduction: "Masukkan kode yang tampil di perangkat Anda sendiri.",
            code: "Kode di perangkat",
            unknown: """
                Tidak ada perangkat yang menunggu dengan kode ini. Periksa hurufnya atau minta kode baru di perangkat.
                """,
            question: "Apakah ini Anda?",
            request: "{{client}} di perangkat lain meminta masuk ke akun Anda.",
            place: "Alamat IP",
            program: "Program",
            warning: """
                Lanjutkan hanya jika Anda sendiri baru saja memulai proses masuk ini dan perangkat Anda menampilkan \
                kode ini. Jika seseorang mengirimi Anda kode ini atau sebuah tautan, itu penipuan: pilih “Tidak”.
                """,
            approve: "Ya, masuk",
            refuse: "Tidak",
            doneHeading: "Anda sudah masuk di perangkat Anda",
            done: "Anda dapat menutup halaman ini dan kembali ke perangkat.",
            refusedHeading: "Ditolak",
            refused: "Tidak ada yang masuk ke akun Anda. Jika seseorang mengirimi Anda kode ini, jangan balas."
        ),
        passkeys: Passkeys(
            signIn: "Masuk dengan kunci sandi",
            refused: "Kunci sandi ini tidak dapat digunakan di sini. Masuk dengan nomor telepon Anda.",
            offerHeading: "Lain kali, masuk tanpa kode",
            offer: """
                Dengan kunci sandi, Anda masuk menggunakan sidik jari, wajah, atau kunci layar. Nomor telepon Anda \
                tetap bisa digunakan.
                """,
            create: "Buat kunci sandi",
            skip: "Jangan sekarang",
            failed: "Kunci sandi tidak dibuat. Anda bisa mencoba lagi.",
            heading: "Kunci sandi",
            none: "Anda belum punya kunci sandi.",
            used: "Terakhir digunakan: {{moment}}",
            name: "Nama",
            rename: "Ganti nama",
            remove: "Hapus",
            ask: """
                Nomor telepon Anda telah berubah, atau kunci sandi ini sudah lama tidak digunakan. Apakah kunci sandi \
                ini masih milik Anda?
                """,
            keep: "Milik saya"
        ),
        undo: Undo(
            heading: "Nomor telepon Anda telah diubah",
            offer: "Pada {{moment}}, nomor telepon akun Anda diubah dari {{number}} ke nomor lain.",
            advice: """
                Jika Anda yang mengubahnya, Anda dapat menutup halaman ini. Jika bukan, batalkan perubahan. Nomor Anda \
                akan kembali menjadi {{number}}, dan semua perangkat akan dikeluarkan dari akun.
                """,
            button: "Batalkan perubahan",
            deadline: "Perubahan dapat dibatalkan hingga {{moment}}.",
            undoneHeading: "Nomor Anda telah dipulihkan",
            undone: """
                Akun Anda kembali memakai nomor {{number}}. Semua perangkat dikeluarkan dari akun. Masuk lagi dengan \
                nomor ini.
                """,
            goneHeading: "Tautan ini sudah kedaluwarsa",
            gone: """
                Tautan sudah digunakan atau masa berlakunya habis. Jika Anda baru menekan tombol, perubahan sudah \
                dibatalkan.
                """,
            takenHeading: "Perubahan ini tidak dapat dibatalkan",
            taken: "Nomor lama Anda kini digunakan oleh akun lain. Hubungi layanan pelanggan.",
            unavailableHeading: "Terjadi kesalahan",
            unavailable: "Tunggu sebentar, lalu buka lagi tautan yang ada di pesan."
        ),
        inbox: Inbox(
            heading: "Kotak masuk simulator SMS",
            note: "Pesan ini tidak dikirim ke ponsel mana pun. Pesan terbaru ada di atas.",
            reload: "Muat ulang halaman untuk melihat pesan baru.",
            empty: "Belum ada pesan.",
            copy: "Salin",
            copied: "Disalin",
            filter: "Cari nomor",
            clear: "Hapus semua",
            key: "Tekan C untuk menyalin kode terbaru.",
            message: "Ke {{number}}",
            call: "Panggilan ke {{number}}",
            delivery: "Dari {{sender}}, {{status}}",
            failedDelivery: "Dari {{sender}}, {{status}}, kesalahan {{code}}"
        ),
        call: Call(
            introduction: "Halo. Kode verifikasi {{service}} Anda adalah:",
            repetition: "Sekali lagi, kode Anda adalah:"
        ),
        messages: Messages(
            verification: "{{code}} adalah kode {{service}} Anda. Berlaku {{minutes}} menit. Jangan bagikan kode ini.",
            numberChange: "Nomor telepon {{service}} Anda telah diubah. Bukan Anda? Batalkan: {{link}}",
            sharingWarning: "Jangan bagikan kode ini.",
            sharingWarningMarks: [
                "jangan bagi", "jangan beri", "jangan sebar", "jangan membagi", "jangan memberi", "jangan menyebar",
                "jangan pernah", "tidak membagikan", "tidak memberikan", "rahasiakan", "kerahasiaan",
                "bersifat rahasia",
            ]
        )
    )
}
