package import CoreEncodings
package import PhoneAccounts
package import PhoneDelivery
package import PhoneDomain
import PhoneHTTP
package import PhoneNumbers
import PhoneSignup

extension Settings {
    package static func policy(_ reader: SettingsReader) -> VerificationPolicy {
        let standard = VerificationPolicy.standard
        let rules = reader.section("verification")
        do {
            return try VerificationPolicy(
                codeLength: rules("code_length").integer(standard.codeLength, in: 4...10) {
                    "Number of digits in a code. NIST SP 800-63B requires at least 6."
                },
                codeTTL: rules("code_ttl_seconds").duration(standard.codeTTL, in: 1...600) {
                    "How long a code is valid. Until then a resend sends the same code."
                },
                maxChecks: rules("max_checks").integer(standard.maxChecks, in: 1...10) {
                    "Maximum number of codes that can be tried in a verification. A resend does not add any. Where a"
                    "check needs no key or token, one IPv4 address or /48 of IPv6 may try half of them, rounded up."
                },
                maxSends: rules("max_sends").integer(standard.maxSends, in: 1...20) {
                    "Maximum number of messages in a verification, the first one included."
                },
                resendCooldowns: rules("resend_cooldowns_seconds").cooldowns(standard.resendCooldowns) {
                    "Cooldowns after the first, second, … message to a number, in seconds. The last one applies to"
                    "all that follow."
                },
                maxSendsPerNumberPerDay: rules("max_sends_per_number_per_day")
                    .integer(standard.maxSendsPerNumberPerDay, in: 1...100) {
                        "Maximum number of messages to a number in any 24 hours. Without an API key, one IPv4 address"
                        "or /48 of IPv6 gets half of them, rounded up, until it has proven the number."
                    },
                maxConsecutiveFailures: rules("max_consecutive_failures")
                    .integer(standard.maxConsecutiveFailures, in: 1...100) {
                        "Number of wrong codes in a row after which a number is locked."
                    },
                failureLockout: rules("failure_lockout_seconds").duration(standard.failureLockout, in: 0...2_592_000) {
                    "How long a number is locked after that many wrong codes."
                },
                allowedRegions: Set(
                    rules("allowed_regions")
                        .list(
                            standard.allowedRegions.sorted { $0.description < $1.description },
                            "ISO 3166-1 codes of regions with a numbering plan, such as KR",
                            orElse: "one region or more",
                            near: region(near:),
                            knownRegion
                        ) {
                            "The regions whose numbers can get a code. If it is not set, all of them in local"
                            "development (see profile)."
                        }
                ),
                acceptedKinds: Set(
                    rules("accepted_kinds")
                        .list(
                            NumberKind.allCases.filter(standard.acceptedKinds.contains),
                            "kinds of number: \(NumberKind.allCases.map(\.rawValue).joined(separator: ", "))",
                            shown: \.rawValue,
                            NumberKind.init
                        ) {
                            "The kinds of number that can get a code. fixed_line_or_mobile is for plans that do not"
                            "tell them apart, as in North America. The other kinds cannot receive SMS or prove"
                            "nothing."
                        }
                )
            )
        } catch {
            reader.failTogether("verification: \(error)")
            return standard
        }
    }

    package static func abuse(
        _ reader: SettingsReader,
        _ policy: VerificationPolicy,
        _ region: Region
    ) -> (limitsAreEnabled: Bool, AbusePolicy, ChallengePolicy?, allowsTestNumbersInProduction: Bool) {
        let limits = reader.section("limits") {
            "A limit is a quota per period: 30/1h; several of them: [10/1m, 100/1d]; or off. The whole quota may be"
            "used at once, and refills evenly over the period (s, m, h or d; 1 second to 31 days). Limits survive"
            "restarts and are shared by all instances. A client address is an IPv4 address, or the /64 of an IPv6"
            "address, and many people may share one. One client can have many of /64; so the /56 has twice the quota"
            "of one, and the /48 four times."
        }
        let areEnabled = limits("enabled").flag(true) {
            "Whether the limits in this section and the guard are on. Turn them off only for load tests."
        }
        let limitPolicy = limitPolicy(limits)
        var guardPolicy = guardPolicy(reader)
        let challenge = challenge(reader)
        guardPolicy.work = challenge?.work
        let tests = reader.section("test_numbers") {
            "Numbers with a fixed code, for example for an app store's reviewers. They get no messages and count"
            "towards no limit. Somebody can guess such a code, so keep nothing of value in their accounts."
        }
        let abuse = AbusePolicy(
            limits: areEnabled ? limitPolicy : .none,
            trafficGuard: areEnabled ? guardPolicy : .off,
            testNumbers: testNumbers(tests, policy, region)
        )
        let inProduction = tests("allow_in_production").flag(false) {
            "Whether `serve` allows test numbers with profile: production."
        }
        return (areEnabled, abuse, challenge, inProduction)
    }

    /// What lets a message out that the guard would stop.
    package struct ChallengePolicy {
        package struct CaptchaAccess {
            package let captcha: Captcha
            package let secret: String
            /// Nil for the provider's own.
            package let verification, script: EndpointURL?
            package let hostnames: [String]
            /// The lowest score that passes, in percent.
            package let leastScore: Int
        }

        /// Nil for work.
        package let captcha: CaptchaAccess?
        package let work: WorkPolicy
        /// Nil if nobody can wait instead.
        package let wait: Duration?
    }

    private static func captcha(_ rules: SettingsSection, _ kind: Captcha.Kind?) -> ChallengePolicy.CaptchaAccess? {
        let siteKey = rules("site_key").value(
            example: "0x4AAAAAAA",
            "1 to 255 ASCII characters without spaces",
            { text in
                (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? text : nil
            }
        ) { "The captcha's site key." }
        let secret = rules("secret").secret(example: "/run/secrets/captcha", isNeeded: kind != nil) {
            "The captcha's secret; of Friendly Captcha the API key."
        }
        let hostnames = rules("hostnames").list(
            [String](),
            "host names such as phone.example.com",
            { EndpointURL(base: "https://\($0)")?.host == $0 ? $0 : nil }
        ) {
            "The hosts that the widget may have been on, where the provider names it; none for any. Set them."
        }
        let leastScore = rules("least_score_percent").integer(50, in: 0...100) {
            "The least score of reCAPTCHA v3."
        }
        let outage = rules("on_outage").choice(Captcha.Outage.proofOfWork) {
            "While the provider does not answer. open: any token counts. closed: none does. proof_of_work: work is accepted"
            "in place of a token, at any time, since only browsers notice some outages."
        }
        let verification = rules("verify_url").endpoint(example: "https://www.recaptcha.net/recaptcha/api/siteverify") {
            "Where tokens are verified, if not at the provider's usual address."
        }
        let script = rules("script_url").endpoint(example: "https://www.recaptcha.net/recaptcha/api.js") {
            "Where the widget's script is, if not at the provider's usual address."
        }
        guard let kind else { return nil }
        guard let siteKey, let secret else {
            rules.reader.failTogether(
                "challenge.kind is \(kind.rawValue), which needs challenge.site_key and challenge.secret_file"
            )
            return nil
        }
        return ChallengePolicy.CaptchaAccess(
            captcha: Captcha(kind: kind, siteKey: siteKey, outage: outage),
            secret: secret,
            verification: verification,
            script: script,
            hostnames: hostnames,
            leastScore: leastScore
        )
    }

    private static func challenge(_ reader: SettingsReader) -> ChallengePolicy? {
        let rules = reader.section("challenge") {
            "What a client can do to have a message sent that the guard would stop otherwise. The pages and the prompt do"
            "it by themselves; API clients find it in the error challenge_required."
        }
        let kinds = ["off", "proof_of_work"] + Captcha.Kind.allCases.map(\.rawValue)
        let kind = rules("kind")
            .value("proof_of_work", "one of \(kinds.joined(separator: ", "))", { kinds.contains($0) ? $0 : nil }) {
                "proof_of_work: computing, by ALTCHA's protocol; no other service is involved. Or a captcha of a provider:"
                "turnstile, hcaptcha, recaptcha_v2, recaptcha_v3, friendly_captcha. off: only a server that sends vouched"
                "gets through."
            }
        let standard = WorkPolicy.standard
        let easiest = rules("easiest").integer(standard.easiest, in: 100...1_000_000_000) {
            "How many numbers have to be tried at most where the guard has just begun to doubt; each five of a sample"
            "double it. The standard is a tenth of a second in a browser at most."
        }
        let hardest = rules("hardest").integer(standard.hardest, in: 100...4_000_000_000) {
            "The same at the worst, and while a prefix or network is blocked. The standard costs whoever uses the fastest"
            "program 11 seconds of processor time a message, and a browser 100, which all its processors share."
        }
        let wait = rules("wait_seconds").duration(orNever: .seconds(60), of: .seconds(1), in: 0...600) {
            "How long a person without JavaScript waits instead: once an hour from one address, five times a day for one"
            "prefix. 0 if nobody can."
        }
        do {
            let work = try WorkPolicy(easiest: easiest, hardest: hardest)
            let captcha = captcha(rules, Captcha.Kind(rawValue: kind))
            return kind == "off" ? nil : ChallengePolicy(captcha: captcha, work: work, wait: wait)
        } catch {
            reader.failTogether("challenge: \(error)")
            return nil
        }
    }

    private static func limitPolicy(_ limits: SettingsSection) -> LimitPolicy {
        var policy = LimitPolicy.standard
        limits("address_sends").set(&policy.sendsByAddress) { "Messages per client address." }
        limits("address_checks").set(&policy.checksByAddress) {
            "Codes checked per client address; the codes of devices that people type have as much of their own."
        }
        limits("address_signups").set(&policy.signupsByAddress) {
            "Guided signups begun per client address; sign-ins that devices begin have as much of their own."
        }
        limits("session_changes").set(&policy.changesBySession) {
            "Whatever else is stored for one session or guided signup: sign-ins for clients, refreshes, edits of an"
            "account or of a signup, changes of number. A program that stores each keystroke needs many."
        }
        limits("address_changes").set(&policy.changesByAddress) {
            "The same per client address, but for refreshes, which the server of a client makes for everybody from"
            "one address."
        }
        limits("device_sends").set(&policy.sendsByDevice) {
            "Messages per device, as the request names it (signals.device_id). Only a keyed digest of it is stored."
        }
        limits("fingerprint_sends").set(&policy.sendsByFingerprint) {
            "Messages per kind of client: platform, user agent and JA4 together, as the request names them. Thousands of"
            "people may have the same."
        }
        limits("prefix_sends").set(&policy.sendsByPrefix) {
            "Messages per block of ten thousand numbers, which differ only in their last four digits."
        }
        limits("country_sends").set(&policy.sendsByCountry) { "Messages per country." }
        limits("service_sends").set(&policy.sendsByService) { "Messages in total." }
        let budget = limits("daily_budget").integer(policy.dailyBudget ?? 0, in: 0...100_000_000) {
            "Maximum number of messages in any 24 hours, which limits what fraud can cost. 0 for no maximum."
        }
        policy.dailyBudget = budget == 0 ? nil : budget
        return policy
    }

    private static func guardPolicy(_ reader: SettingsReader) -> GuardPolicy {
        let rules = reader.section("guard") {
            "Protects against toll fraud (SMS pumping): somebody who earns from messages to certain numbers requests"
            "thousands of codes for them and enters none. The guard compares the messages and the approvals of the"
            "last day, per prefix (all but the last four digits), country and client network. `phoneproof guard` shows"
            "its decisions and overrides them."
        }
        let level = rules("level").choice(GuardPolicy.Level.standard) {
            "How soon the guard doubts: basic, standard or max, by how many messages to a prefix, from a network or to a"
            "country and what percentage of them led to an approval. Below it they are stopped, at first unless the caller"
            "vouches for the person (guard-challenge); once the codes have expired, for everybody (guard-block). off is as"
            "mode: off. What each refuses is in the article on abuse."
        }
        let standard = GuardPolicy(level: level)
        do {
            return try GuardPolicy(
                mode: rules("mode").choice(standard.mode) {
                    "enforce stops messages. shadow sends them, and records what enforce would have stopped."
                },
                answer: rules("answer").choice(standard.answer) {
                    "How a stopped request is answered. refuse: with the error rate_limited and the policy"
                    "guard-block. silent: like any other request, but no message is sent."
                },
                prefixSample: rules("prefix_sample").integer(standard.prefixSample, in: 5...100_000) {
                    "Number of messages to a prefix, or from a client address, before the guard judges it, if not that of"
                    "the level. The /56 and the /48 of an IPv6 address take twice as many."
                },
                prefixPercent: standard.prefixPercent,
                countrySample: standard.countrySample,
                countryPercent: standard.countryPercent
            )
        } catch {
            reader.failTogether("guard: \(error)")
            return standard
        }
    }

    /// - Parameters:
    ///   - policy: must accept the numbers.
    ///   - region: whose plan a number without `+` is read by.
    private static func testNumbers(
        _ tests: SettingsSection,
        _ policy: VerificationPolicy,
        _ region: Region
    ) -> TestNumbers {
        let pairs = tests("numbers")
            .list(
                [(PhoneNumber, VerificationCode)](),
                "a number that can get a code (verification.allowed_regions), an equals sign and a code of \(policy.codeLength) digits, such as "
                    + "+821000000001=123456",
                isSecret: true,
                { text -> (PhoneNumber, VerificationCode)? in
                    guard let (number, code) = text.pair,
                        let number = try? policy.phoneNumber(in: number, region: region),
                        let code = VerificationCode(code), code.digits.utf8.count == policy.codeLength
                    else { return nil }
                    return (number, code)
                }
            ) { "The test numbers, each with its code: +821000000001=123456." }
        let until = tests("until")
            .value(example: "2027-01-31T00:00:00Z", "a time such as 2027-01-31T00:00:00Z", { Timestamp(rfc3339: $0) }) {
                "When the test numbers expire, with all verifications begun for them. Required if there are any."
            }
        if pairs.isEmpty { return .none }
        guard let until else {
            tests.reader.failTogether("test_numbers.until is not set; set the time when the test numbers expire")
            return .none
        }
        let numbers = Dictionary(pairs) { first, _ in first }
        if numbers.count < pairs.count {
            tests.reader.failTogether("test_numbers.numbers contains a number twice; keep one of its codes")
        }
        return TestNumbers(numbers, until: until)
    }
}

extension Settings {
    package struct Accounts {
        package var policy: AccountPolicy
        /// Where a change of number is undone, if it is set; see ``Settings/undoAddress``.
        package let undoAddress: UndoAddress?

        package init(_ reader: SettingsReader) {
            var policy = AccountPolicy.standard
            let accounts = reader.section("accounts")
            policy.recycling = accounts("recycling").choice(policy.recycling) {
                "What happens when somebody proves the number of a dormant account. sign_in: it counts as the same"
                "person. quarantine: it counts as somebody else, who gets a new account, and the old account loses"
                "the number. ask: the signup gets the error account_dormant; a program with an API key of the scope"
                "accounts decides within ten minutes at /v1/signups/{id}/dormant-account, where the person too can"
                "choose a new account. An existing account can change to such a number only with quarantine."
            }
            policy.dormantAfter = accounts("dormant_days").duration(
                orNever: policy.dormantAfter,
                of: .days(1),
                in: 0...3650
            ) {
                "Days without any use after which an account is dormant; 0 for never. In the United States a number"
                "can be reassigned after 45 days."
            }
            accounts("hold_days").set(&policy.holdTime, of: .days(1), in: 1...3650) {
                "Days until an account without a number is deleted. Until then a device that is still signed in can"
                "give it another number; none is if tokens.idle_days is less than dormant_days."
            }
            accounts("deletion_grace_days").set(&policy.deletionGrace, of: .days(1), in: 0...365) {
                "Days between a deletion request and the deletion, which also waits for undo_hours. Signing in"
                "cancels the request."
            }
            accounts("undo_hours").set(&policy.undoTime, of: .seconds(3600), in: 1...720) {
                "How many hours the holder of the old number has to undo a change of number."
            }
            undoAddress = accounts("undo_url")
                .value(
                    example: "https://app.example.com/undo/",
                    "an https URL that ends in /, = or #, such as https://app.example.com/undo/; http only for this machine",
                    { text in UndoAddress(text).flatMap { $0.isPlain ? nil : $0 } }
                ) {
                    "The page to undo a change of number. The old number gets its URL by SMS with a secret at the"
                    "end, so keep it short. By default it is the service's own page, /undo/ under tokens.issuer. A"
                    "page of your own posts the secret to /v1/number-changes/undo, and must be in"
                    "server.cors.origins."
                }
            policy.freshProof = accounts("fresh_proof_minutes")
                .duration(orNever: policy.freshProof, of: .seconds(60), in: 0...525_600) {
                    "How many minutes after signing in a number can be changed. 0 for the whole session."
                }
            self.policy = policy
        }
    }

    /// Access tokens, which any program can verify by the keys at /.well-known/jwks.json, and refresh tokens.
    package struct Tokens {
        /// Who signs access tokens (`iss`), if it is set; see ``Settings/issuer``.
        package let issuer: String?
        /// Whom they are for (`aud`), if it is set; see ``Settings/audience``.
        package let audience: String?
        /// How access tokens are signed.
        package let algorithm: SigningAlgorithm
        package let sessions: SessionPolicy
        package var signingKeys: SigningKeyPolicy { SigningKeyPolicy(accessTokenTTL: sessions.accessTokenTTL) }

        package init(_ reader: SettingsReader) {
            let tokens = reader.section("tokens")
            issuer = tokens("issuer")
                .value(
                    example: "https://phone.example.com",
                    "an https URL without a user, a query or a fragment, such as https://phone.example.com; http only for "
                        + "this machine",
                    { Self.isIssuer($0) ? $0 : nil }
                ) {
                    "The issuer of access tokens (iss): the public URL of this service, which verifiers compare"
                    "exactly. By default it is the address that the service listens on."
                }
            audience = tokens("audience")
                .value(
                    example: "https://api.example.com",
                    "1 to 255 ASCII characters without spaces, such as https://api.example.com",
                    { Self.isName($0) ? $0 : nil }
                ) { "The audience of access tokens (aud): who accepts them. By default the issuer." }
            algorithm = tokens("algorithm")
                .value(.es256, "ES256 or RS256", shown: SigningAlgorithm.es256.rawValue, SigningAlgorithm.init) {
                    "How access tokens are signed. RS256 costs about 0.3 ms of processor time each. ID tokens have the"
                    "algorithm of their client."
                }
            var policy = SessionPolicy.standard
            tokens("access_ttl_seconds").set(&policy.accessTokenTTL, in: 60...3600) {
                "How long an access token is valid. Other services verify it without asking this one, so after a"
                "sign-out they accept it until then."
            }
            tokens("refresh_grace_seconds").set(&policy.refreshGrace, in: 0...300) {
                "How long a used refresh token stays valid, for a client that lost the response or has several tabs;"
                "for that time the next one is not replaced. Later its use ends the session, because somebody has a"
                "copy."
            }
            tokens("session_days").set(&policy.lifetime, of: .days(1), in: 1...3650) {
                "Maximum length of a session, in days."
            }
            tokens("idle_days").set(&policy.idleTime, of: .days(1), in: 1...3650) {
                "Days without use after which a session ends."
            }
            tokens("browser_hours").set(&policy.browserTime, of: .seconds(3600), in: 1...720) {
                "For how many hours a browser stays signed in, for clients of OpenID Connect and for the service's own pages."
            }
            sessions = policy
        }

        /// RFC 8414 section 2. It is compared letter by letter, so there must be one way to write it.
        private static func isIssuer(_ text: String) -> Bool {
            guard isName(text), let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
            let rest = text.dropFirst(scheme.count)
            let path = rest.firstIndex(of: "/") ?? rest.endIndex
            guard let origin = WebOrigin(String(text[..<path])), !origin.isPlain else { return false }
            return rest[path...].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/-._~".contains($0)) }
        }

        private static func isName(_ text: String) -> Bool {
            (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }
}

extension Setting {
    fileprivate func set(_ limits: inout [RateLimit], @Sentences help: () -> String) {
        let wanted = "a quota per period such as 30/1h or 10/1m, several of them, or off"
        func limit(_ text: String) -> RateLimit?? { text == "off" ? .some(nil) : RateLimit(text).map(Optional.some) }
        let standard = limits.map(Optional.some)
        limits = list(standard, wanted, shown: { $0?.description ?? "off" }, limit, help: help).compactMap(\.self)
        if Set(limits.map(\.window)).count < limits.count {
            reader.fail("\(key) has two limits for the same period; keep the lower one")
        }
    }
}
