import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import TextEncodings

extension Settings {
    static func policy(_ reader: SettingsReader) -> VerificationPolicy {
        let standard = VerificationPolicy.standard
        let rules = reader.section("verification")
        do {
            return try VerificationPolicy(
                codeLength: rules("code_length").integer(standard.codeLength, in: 4...10),
                codeTTL: rules("code_ttl_seconds").duration(standard.codeTTL, in: 1...600),
                approvalTTL: rules("approval_ttl_seconds").duration(standard.approvalTTL, in: 1...3600),
                maxChecks: rules("max_checks").integer(standard.maxChecks, in: 1...10),
                maxSends: rules("max_sends").integer(standard.maxSends, in: 1...20),
                resendCooldowns: rules("resend_cooldowns_seconds").cooldowns(standard.resendCooldowns),
                maxSendsPerNumberPerDay: rules("max_sends_per_number_per_day")
                    .integer(standard.maxSendsPerNumberPerDay, in: 1...100),
                maxConsecutiveFailures: rules("max_consecutive_failures")
                    .integer(standard.maxConsecutiveFailures, in: 1...100),
                failureLockout: rules("failure_lockout_seconds").duration(standard.failureLockout, in: 0...2_592_000),
                allowedRegions: Set(
                    rules("allowed_regions")
                        .list(
                            nonempty: standard.allowedRegions.sorted { $0.description < $1.description },
                            "ISO 3166-1 codes of regions with a numbering plan, such as KR",
                            orElse: "one region or more",
                            knownRegion
                        )
                ),
                acceptedKinds: Set(
                    rules("accepted_kinds")
                        .list(
                            NumberKind.allCases.filter(standard.acceptedKinds.contains),
                            "kinds of number: \(NumberKind.allCases.map(\.rawValue).joined(separator: ", "))",
                            shown: \.rawValue,
                            NumberKind.init
                        )
                )
            )
        } catch {
            reader.failTogether("verification: \(error)")
            return standard
        }
    }

    static func abuse(
        _ reader: SettingsReader,
        _ policy: VerificationPolicy,
        _ region: Region
    ) -> (limitsAreEnabled: Bool, AbusePolicy, allowsTestNumbersInProduction: Bool) {
        let limits = reader.section("limits")
        let areEnabled = limits("enabled").flag(true)
        let limitPolicy = limitPolicy(limits)
        let guardPolicy = guardPolicy(reader)
        let tests = reader.section("test_numbers")
        let abuse = AbusePolicy(
            limits: areEnabled ? limitPolicy : .none,
            trafficGuard: areEnabled ? guardPolicy : .off,
            testNumbers: testNumbers(tests, policy, region)
        )
        let inProduction = tests("allow_in_production").flag(false)
        return (areEnabled, abuse, inProduction)
    }

    private static func limitPolicy(_ limits: SettingsSection) -> LimitPolicy {
        var policy = LimitPolicy.standard
        set(&policy.sendsByAddress, limits("address_sends"))
        set(&policy.checksByAddress, limits("address_checks"))
        set(&policy.signupsByAddress, limits("address_signups"))
        set(&policy.changesBySession, limits("session_changes"))
        set(&policy.changesByAddress, limits("address_changes"))
        set(&policy.sendsByPrefix, limits("prefix_sends"))
        set(&policy.sendsByCountry, limits("country_sends"))
        set(&policy.sendsByService, limits("service_sends"))
        let budget = limits("daily_budget").integer(policy.dailyBudget ?? 0, in: 0...100_000_000)
        policy.dailyBudget = budget == 0 ? nil : budget
        return policy
    }

    private static func set(_ limits: inout [RateLimit], _ setting: Setting) {
        limits = setting.list(
            limits.map(Optional.some),
            "a quota per period such as 30/1h or 10/1m, several of them, or off",
            shown: { $0?.description ?? "off" }
        ) { text -> RateLimit?? in text == "off" ? .some(nil) : RateLimit(text).map(Optional.some) }
        .compactMap(\.self)
        if Set(limits.map(\.window)).count < limits.count {
            setting.reader.fail("\(setting.key) has two limits for the same period; keep the lower one")
        }
    }

    private static func guardPolicy(_ reader: SettingsReader) -> GuardPolicy {
        let standard = GuardPolicy.standard
        let rules = reader.section("guard")
        do {
            return try GuardPolicy(
                mode: rules("mode").choice(standard.mode),
                answer: rules("answer").choice(standard.answer),
                prefixSample: rules("prefix_sample").integer(standard.prefixSample, in: 5...100_000),
                prefixPercent: rules("prefix_percent").integer(standard.prefixPercent, in: 1...90),
                countrySample: rules("country_sample").integer(standard.countrySample, in: 5...1_000_000),
                countryPercent: rules("country_percent").integer(standard.countryPercent, in: 1...90),
                blockTime: rules("block_seconds").duration(standard.blockTime, in: 60...2_592_000)
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
                isSecret: true
            ) { text -> (PhoneNumber, VerificationCode)? in
                guard let (number, code) = text.pair,
                    let number = try? policy.phoneNumber(in: number, region: region),
                    let code = VerificationCode(code), code.digits.utf8.count == policy.codeLength
                else { return nil }
                return (number, code)
            }
        let until = tests("until")
            .value(example: "2027-01-31T00:00:00Z", "a time such as 2027-01-31T00:00:00Z") { Timestamp(rfc3339: $0) }
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
    struct Accounts {
        let policy: AccountPolicy
        /// Where a change of number is undone, if it is set; see ``Settings/undoAddress``.
        let undoAddress: UndoAddress?

        init(_ reader: SettingsReader) {
            var policy = AccountPolicy.standard
            let accounts = reader.section("accounts")
            policy.recycling = accounts("recycling").choice(policy.recycling)
            policy.dormantAfter = accounts("dormant_days").duration(
                orNever: policy.dormantAfter,
                of: .days(1),
                in: 0...3650
            )
            accounts("hold_days").set(&policy.holdTime, of: .days(1), in: 1...3650)
            accounts("deletion_grace_days").set(&policy.deletionGrace, of: .days(1), in: 0...365)
            accounts("undo_hours").set(&policy.undoTime, of: .seconds(3600), in: 1...720)
            undoAddress = accounts("undo_url")
                .value(
                    example: "https://app.example.com/undo/",
                    "an https URL that ends in /, = or #, such as https://app.example.com/undo/; http only for this machine"
                ) { text in UndoAddress(text).flatMap { $0.isPlain ? nil : $0 } }
            policy.freshProof = accounts("fresh_proof_minutes")
                .duration(orNever: policy.freshProof, of: .seconds(60), in: 0...525_600)
            self.policy = policy
        }
    }

    /// Access tokens, which any program can verify by the keys at /.well-known/jwks.json, and refresh tokens.
    struct Tokens {
        /// Who signs access tokens (`iss`), if it is set; see ``Settings/issuer``.
        let issuer: String?
        /// Whom they are for (`aud`), if it is set; see ``Settings/audience``.
        let audience: String?
        let sessions: SessionPolicy
        let signingKeys: SigningKeyPolicy

        init(_ reader: SettingsReader) {
            let tokens = reader.section("tokens")
            issuer = tokens("issuer")
                .value(
                    example: "https://phone.example.com",
                    "an https URL without a user, a query or a fragment, such as https://phone.example.com; http only for "
                        + "this machine"
                ) { Self.isIssuer($0) ? $0 : nil }
            audience = tokens("audience")
                .value(
                    example: "https://api.example.com",
                    "1 to 255 ASCII characters without spaces, such as https://api.example.com"
                ) { Self.isName($0) ? $0 : nil }
            var policy = SessionPolicy.standard
            tokens("access_ttl_seconds").set(&policy.accessTokenTTL, in: 60...3600)
            tokens("refresh_grace_seconds").set(&policy.refreshGrace, in: 0...300)
            tokens("session_days").set(&policy.lifetime, of: .days(1), in: 1...3650)
            tokens("idle_days").set(&policy.idleTime, of: .days(1), in: 1...3650)
            tokens("browser_hours").set(&policy.browserTime, of: .seconds(3600), in: 1...720)
            sessions = policy
            signingKeys = SigningKeyPolicy(
                ahead: tokens("signing_key_ahead_seconds").duration(SigningKeyPolicy.standard.ahead, in: 1...604_800),
                accessTokenTTL: policy.accessTokenTTL
            )
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
    /// The waits between messages, in seconds.
    func cooldowns(_ standard: [Duration]) -> [Duration] {
        list(
            nonempty: standard,
            "whole numbers from 0 to 3600",
            orElse: "one number or more",
            shown: { "\($0.components.seconds)" }
        ) { Self.integer($0, in: 0...3600).map { .seconds($0) } }
    }
}
