import PhoneDomain

/// How the settings of `limits`, `guard` and `test_numbers` are read.
extension Settings {
    static func limits(_ reader: inout SettingsReader) throws(SettingsError) -> LimitPolicy {
        let standard = LimitPolicy.standard
        let budget = try reader.integer(
            "limits.daily_budget",
            default: standard.dailyBudget ?? 0,
            in: 0...100_000_000
        )
        return LimitPolicy(
            sendsByAddress: try limits("limits.address_sends", default: standard.sendsByAddress, &reader),
            checksByAddress: try limits("limits.address_checks", default: standard.checksByAddress, &reader),
            signupsByAddress: try limits("limits.address_signups", default: standard.signupsByAddress, &reader),
            sendsByPrefix: try limits("limits.prefix_sends", default: standard.sendsByPrefix, &reader),
            sendsByCountry: try limits("limits.country_sends", default: standard.sendsByCountry, &reader),
            sendsByService: try limits("limits.service_sends", default: standard.sendsByService, &reader),
            dailyBudget: budget == 0 ? nil : budget
        )
    }

    private static func limits(
        _ key: String,
        default standard: [RateLimit],
        _ reader: inout SettingsReader
    ) throws(SettingsError) -> [RateLimit] {
        let limits = try reader.list(
            key,
            default: standard.map(Optional.some),
            wanted: "a quota and a time such as 30/1h or 10/1m, several of them, or off"
        ) { text -> RateLimit?? in text == "off" ? .some(nil) : RateLimit(text).map(Optional.some) }
        let windows = limits.compactMap { $0?.window }
        guard Set(windows).count == windows.count else {
            throw SettingsError("\(key) has two limits for the same time; keep the lower one")
        }
        return limits.compactMap(\.self)
    }

    static func trafficGuard(_ reader: inout SettingsReader) throws(SettingsError) -> GuardPolicy {
        let standard = GuardPolicy.standard
        let mode = try reader.value(
            "guard.mode",
            default: standard.mode,
            wanted: "off, shadow or enforce",
            GuardPolicy.Mode.init
        )
        let answer = try reader.value(
            "guard.answer",
            default: standard.answer,
            wanted: "refuse or silent",
            GuardPolicy.Answer.init
        )
        let prefixSample = try reader.integer("guard.prefix_sample", default: standard.prefixSample, in: 5...100_000)
        let prefixPercent = try reader.integer("guard.prefix_percent", default: standard.prefixPercent, in: 1...90)
        let countrySample = try reader.integer(
            "guard.country_sample",
            default: standard.countrySample,
            in: 5...1_000_000
        )
        let countryPercent = try reader.integer("guard.country_percent", default: standard.countryPercent, in: 1...90)
        let blockTime = try reader.seconds("guard.block_seconds", default: standard.blockTime, in: 60...2_592_000)
        do {
            return try GuardPolicy(
                mode: mode,
                answer: answer,
                prefixSample: prefixSample,
                prefixPercent: prefixPercent,
                countrySample: countrySample,
                countryPercent: countryPercent,
                blockTime: blockTime
            )
        } catch {
            throw SettingsError("guard: \(error)")
        }
    }

    /// - Parameters:
    ///   - policy: must accept the numbers, since they go the way of any other.
    ///   - region: by whose plan a number without `+` is read.
    static func testNumbers(
        _ reader: inout SettingsReader,
        policy: VerificationPolicy,
        region: Region
    ) throws(SettingsError) -> TestNumbers {
        let pairs = try reader.list(
            "test_numbers.numbers",
            default: [(PhoneNumber, VerificationCode)](),
            wanted: "a number that may have a code, an equals sign and a code of \(policy.codeLength) digits, such as "
                + "+821000000001=123456",
            isSecret: true
        ) { text -> (PhoneNumber, VerificationCode)? in
            guard let equals = text.firstIndex(of: "="),
                let number = try? policy.phoneNumber(in: String(text[..<equals]), region: region),
                let code = VerificationCode(String(text[text.index(after: equals)...])),
                code.digits.utf8.count == policy.codeLength
            else { return nil }
            return (number, code)
        }
        let until = try reader.value(
            "test_numbers.until",
            default: nil,
            wanted: "a time such as 2027-01-31T00:00:00Z"
        ) { Timestamp(rfc3339: $0).map(Optional.some) }
        if pairs.isEmpty { return .none }
        guard let until else {
            throw SettingsError("test_numbers.until is not set; say until when the test numbers are to be ones")
        }
        let numbers = Dictionary(pairs) { first, _ in first }
        guard numbers.count == pairs.count else {
            throw SettingsError("test_numbers.numbers has one number twice; keep one of its codes")
        }
        return TestNumbers(numbers, until: until)
    }

    /// What is doubtful about the test numbers; nil if nothing is.
    func doubtAboutTestNumbers(at now: Timestamp) -> String? {
        let testNumbers = abusePolicy.testNumbers
        guard testNumbers.count > 0, testNumbers.until <= now else { return nil }
        return
            "the test numbers ended at \(testNumbers.until) and are numbers like others: messages go to them; remove "
            + "them, or set test_numbers.until to a moment to come"
    }
}
