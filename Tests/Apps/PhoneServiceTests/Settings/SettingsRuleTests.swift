import PhoneAdministration
import PhoneDelivery
import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneService

/// What is said of values that will not do. No error quotes a secret.
struct SettingsRuleTests {
    /// - Parameter variables: without `PHONEPROOF_`.
    private func settings(_ variables: [String: String]) throws(SettingsError) -> Settings {
        let environment = Dictionary(uniqueKeysWithValues: variables.map { ("PHONEPROOF_" + $0.key, $0.value) })
        return try Settings(file: nil, environment: environment)
    }

    private func errors(_ variables: [String: String]) -> [String] {
        do {
            _ = try settings(variables)
            return []
        } catch {
            for secret in ["s3cr", "of-the-test", "of-the test"] {
                #expect(!error.description.contains(secret))
            }
            return error.lines
        }
    }

    private func expect(_ says: String, of variables: [String: String]) {
        let errors = errors(variables)
        #expect(errors.count == 1 && errors[0].contains(says), "\(variables): \(errors)")
    }

    /// What is said of a file and of variables where the names on the left are old ones.
    private func renamed(_ file: String, _ variables: [String: String] = [:]) throws -> (Settings?, [String]) {
        let folder = SettingsFolder()
        let path = try folder.write("settings.yaml", file)
        defer { withExtendedLifetime(folder) {} }
        let names = ["server.address": "server.host", "abuse": "guard", "webhooks.key": "webhooks.secrets"]
        do {
            let settings = try Settings(file: path, environment: variables, renamed: names)
            return (settings, settings.oldNames)
        } catch {
            return (nil, error.lines)
        }
    }

    @Test func aRenamedSettingIsReadUnderItsOldNameWithAWarning() throws {
        let (settings, said) = try renamed("server:\n  port: 1\n  address: 127.0.0.2\nabuse:\n  mode: shadow\n")
        #expect(settings?.server.host == "127.0.0.2" && settings?.abusePolicy.trafficGuard.mode == .shadow)
        let lines = [
            "abuse.mode is the old name of guard.mode; rename it in line 5 (guard.mode)",
            "server.address is the old name of server.host; rename it in line 3 (server.host)",
        ]
        #expect(said == lines)
        let warnings = try #require(settings).doubts(at: Timestamp(seconds: 0))
        #expect(lines.allSatisfy { warnings.contains(.warning($0)) })
        let (other, variables) = try renamed(
            "",
            ["PHONEPROOF_SERVER_ADDRESS": "127.0.0.3", "PHONEPROOF_ABUSE_MODE": "off"]
        )
        #expect(other?.server.host == "127.0.0.3" && other?.abusePolicy.trafficGuard.mode == .off)
        #expect(
            variables == [
                "PHONEPROOF_ABUSE_MODE is the old name of PHONEPROOF_GUARD_MODE; rename it (guard)",
                "PHONEPROOF_SERVER_ADDRESS is the old name of PHONEPROOF_SERVER_HOST; rename it (server.host)",
            ]
        )
        // The file of a secret is renamed with it.
        #expect(
            try renamed("webhooks:\n  url: https://a.example/\n  key_file: /nowhere\n").1.first?.contains(
                "webhooks.secrets_file: cannot read /nowhere"
            ) == true
        )
        #expect(try renamed("server:\n  host: 127.0.0.2\n").1 == [])
    }

    @Test func aSettingUnderItsOldAndItsNewNameIsAnError() throws {
        let both = "server:\n  address: 127.0.0.2\n  host: 127.0.0.3\n"
        #expect(
            try renamed(both).1 == [
                "server.address is the old name of server.host, and both are set; remove server.address"
            ]
        )
        let file = "server:\n  address: 127.0.0.2\n"
        #expect(
            try renamed(file, ["PHONEPROOF_SERVER_HOST": "127.0.0.3"]).1
                == ["server.address is the old name of server.host, and both are set; remove server.address"]
        )
        #expect(
            try renamed("server:\n  host: 127.0.0.2\n", ["PHONEPROOF_SERVER_ADDRESS": "127.0.0.3"]).1
                == [
                    "PHONEPROOF_SERVER_ADDRESS is the old name of PHONEPROOF_SERVER_HOST, and both are set; unset PHONEPROOF_SERVER_ADDRESS"
                ]
        )
    }

    /// No entry of the table hides a setting, and each leads to one.
    @Test func oldNamesAreNoSettings() throws {
        let keys = try Settings.read([]).descriptions.map(\.key)
        for (old, new) in SettingsReader.renamed {
            #expect(!keys.contains { $0 == old || $0.hasPrefix(old + ".") }, "\(old)")
            #expect(keys.contains { $0 == new || $0.hasPrefix(new + ".") }, "\(new)")
        }
    }

    @Test func eachSettingSaysWhatItMustBe() throws {
        var count = 0
        // Any line may be a header field, or a digest.
        let lines = ["sms.http.headers", "sms.http.sign"]
        for setting in try Settings.read([]).descriptions where !lines.contains(setting.key) {
            guard let range = setting.range else { continue }
            let name = String(SettingsError.environmentName(of: setting.key).trimmingPrefix("PHONEPROOF_"))
            var wrong = [range == "values that are not empty" ? "," : "?\u{1}?"]
            if let ends = range.wholeMatch(of: /a whole number from (\d+) to (\d+)/), let lowest = Int(ends.1),
                let highest = Int(ends.2)
            {
                wrong += ["\(lowest - 1)", "\(highest + 1)"]
                #expect(errors([name: "\(lowest)"]).allSatisfy { !$0.hasPrefix("\(setting.key) is '") })
            }
            for value in wrong {
                let said = "; it must be \(range) (or set PHONEPROOF_\(name))"
                let errors = errors([name: value])
                #expect(
                    errors.contains { $0.hasPrefix(setting.key + " is ") && $0.hasSuffix(said) },
                    "\(name): \(errors)"
                )
            }
            count += 1
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("[::]", "::"), ("[::1]", "::1"),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1"), ("[fe80::1%eth0]", "fe80::1%eth0"), ("localhost", "localhost"),
        ("phone.example.com", "phone.example.com"), ("3f2b4c", "3f2b4c"), ("a_b-c", "a_b-c"),
    ])
    func whereAServerMayListen(_ text: String, host: String) throws {
        #expect(try settings(["SERVER_HOST": text]).server.host == host)
    }

    @Test(arguments: [
        "*", "[::1", "::1]", "[127.0.0.1]", "[localhost]", "127.1", "0", "0x7f000001", "127.0.0.1:8080", "[::1]:8080",
        "::1%",
        "127.0.0.1%eth0", "a..b", "a b", "http://127.0.0.1", "한국.example", "010.0.0.1",
    ])
    func whereNoServerCanListen(_ text: String) {
        for name in ["SERVER_HOST", "METRICS_HOST"] {
            expect("it must be an IP address, such as 0.0.0.0 or ::, or a host name", of: [name: text])
        }
    }

    @Test(arguments: vendors)
    func aVendorNeedsAllOfIts(gateway: String, change: [String: String], says: String) {
        expect(says, of: Self.complete.merging(change) { $1 }.merging(["SMS_GATEWAY": gateway]) { $1 })
    }

    @Test(arguments: databases)
    func aDatabaseIsNamedByAURL(url: String, says: String) { expect(says, of: ["DATABASE_URL": url]) }

    @Test(
        arguments: [
            ([:], nil), (["PAGES_PRIVACY_URL": "https://a.example/p"], nil),
            (["PAGES_TERMS_URL": "https://a.example/t"], false),
            (["PAGES_TERMS_URL": "https://a.example/t", "PAGES_CONSENT": "none"], nil),
            (["PAGES_PRIVACY_URL": "https://a.example/p", "PAGES_CONSENT": "required"], true),
        ] as [([String: String], Bool?)]
    )
    func consentIsANoticeWhereThereAreTerms(pages: [String: String], isRequired: Bool?) throws {
        let consent = try settings(pages).accounts.policy.consent
        #expect(consent?.isRequired == isRequired)
        #expect(consent.map(\.version) == isRequired.map { _ in "1" })
    }

    @Test(arguments: ["s3cret", "=s3cret", "a b=s3cret", "a=s3cret%0d%0ab: c", "a=s3cret%", "a=s3cret%C3%A9"])
    func headersOfTracesArePairs(_ text: String) {
        let says = "tracing.headers is invalid; it must be name=value pairs"
        expect(says, of: ["TRACING_OTLP_ENDPOINT": "http://127.0.0.1:9", "TRACING_HEADERS": text])
    }

    @Test(arguments: others)
    func valuesFitTogether(change: [String: String], says: String) { expect(says, of: change) }

    @Test func aSectionThatIsAddedIsReadAndItsSettingsAreKnown() throws {
        let environment = ["PHONEPROOF_DOCK_COUNT": "3"]
        #expect(throws: SettingsError.self) { try Settings(file: nil, environment: environment) }
        let settings = try Settings(file: nil, environment: environment, docks: [DockSettings.self])
        #expect(settings.docks.compactMap { $0 as? DockSettings }.map(\.count) == [3])
        #expect(settings.messageContext.longestCode == 9)
        #expect(try Settings.reference(docks: [DockSettings.self]).contains("  # How many. Range: 1 to 4."))
    }

    struct DockSettings: Dock {
        let count: Int
        let longestCode: Int? = 9
        let findings: [Finding] = []

        init(_ reader: SettingsReader) { count = reader.section("dock")("count").integer(2, in: 1...4) { "How many." } }
    }

    static let vendors: [(gateway: String, change: [String: String], says: String)] = [
        ("sns", ["SMS_SNS_REGION": ""], "sms.sns.region"),
        ("sns", ["SMS_SNS_ACCESS_KEY_ID": ""], "sms.sns.access_key_id"),
        ("sns", ["SMS_SNS_ACCESS_KEY_ID": "s3cret of it"], "at least 11 letters and digits"),
        ("sns", ["SMS_SNS_SECRET_ACCESS_KEY": ""], "sms.sns.secret_access_key_file"),
        ("vonage", ["SMS_VONAGE_API_KEY": ""], "sms.vonage.api_key"),
        ("vonage", ["SMS_VONAGE_API_KEY": "s3cret-of-it"], "8 letters and digits"),
        ("vonage", ["SMS_VONAGE_API_SECRET": ""], "sms.vonage.api_secret_file"),
        ("vonage", ["SMS_VONAGE_FROM": ""], "sms.vonage.from"),
        ("http", ["SMS_HTTP_URL": ""], "sms.http.url"),
        ("http", ["SMS_HTTP_URL": "sms.example.com/s3cret-of-it"], "sms.http.url"),
        ("http", ["SMS_HTTP_BODY": ""], "sms.http.body"),
        ("http", ["SMS_HTTP_BODY": #"{"s3cret-of-it": {{to}}}"#], "sms.http.body must be JSON"),
        ("http", ["SMS_HTTP_BODY": #"{"to": "{{to}}"}"#], "sms.http.body must have {{body}}"),
        ("http", ["SMS_HTTP_BODY": #"{"to": "{{number}}"}"#], "sms.http.body has {{number}}"),
        ("http", ["SMS_HTTP_HEADERS": "s3cret-of-it"], "sms.http.headers must each"),
        ("http", ["SMS_HTTP_HEADERS": "X: a\r\nY: s3cret-of-it"], "sms.http.headers must each"),
        ("http", ["SMS_HTTP_SECRET": ""], "sms.http.secret_file"),
        ("http", ["SMS_HTTP_FROM": "Acme"], "sms.http.from is set"),
        ("http", ["SMS_HTTP_TEMPLATES": "ko=T1"], "sms.http.templates must have one for any language"),
        ("http", ["SMS_HTTP_TEMPLATES": "*=T1"], "sms.http.templates is set, and neither"),
        ("http", ["SMS_HTTP_SIGN": "s3cret-of-it"], "sms.http.sign must each be"),
        ("http", ["SMS_HTTP_IDEMPOTENT": "true", "SMS_HTTP_BODY": #"["{{to}}", "{{body}}"]"#], "sms.http.idempotent"),
        ("http", ["SMS_HTTP_ANSWER_SUCCESS_VALUES": ""], "sms.http.answer.success_values"),
        ("http", ["SMS_HTTP_ANSWER_SUCCESS_POINTER": ""], "sms.http.answer is inconsistent"),
        ("http", ["SMS_HTTP_ANSWER_RETRY_CODES": "17"], "sms.http.answer is inconsistent"),
        ("http", ["SMS_HTTP_ANSWER_RETRY_STATUSES": "204"], "sms.http.answer.retry_statuses"),
        ("sens", ["SMS_SENS_SERVICE_ID": ""], "sms.sens.service_id"),
        ("sens", ["SMS_SENS_SERVICE_ID": "SKDEMO-of-the-test"], "as the console shows it"),
        ("sens", ["SMS_SENS_ACCESS_KEY": ""], "sms.sens.access_key"),
        ("sens", ["SMS_SENS_SECRET_KEY": ""], "PHONEPROOF_SMS_SENS_SECRET_KEY"),
        ("sens", ["SMS_SENS_SECRET_KEY": "SKDEMO-of-the test"], "one word"),
        ("sens", ["SMS_SENS_FROM": ""], "sms.sens.from"),
        ("sens", ["SMS_SENS_FROM": "112"], "sms.sens.from"),
        ("solapi", ["SMS_SOLAPI_API_KEY": ""], "sms.solapi.api_key"),
        ("solapi", ["SMS_SOLAPI_API_SECRET": ""], "PHONEPROOF_SMS_SOLAPI_API_SECRET"),
        ("solapi", ["SMS_SOLAPI_ALIMTALK_CHANNEL_ID": "KA01PF1"], "sms.solapi.alimtalk"),
        ("solapi", ["SMS_SOLAPI_ALIMTALK_VARIABLES": "code={{code}}"], "sms.solapi.alimtalk.variables"),
        ("twilio", ["SMS_TWILIO_ACCOUNT_SID": ""], "sms.twilio.account_sid"),
        ("twilio", ["SMS_TWILIO_ACCOUNT_SID": "t0ken-of-the-test"], "AC and 32 hexadecimal digits"),
        ("twilio", ["SMS_TWILIO_AUTH_TOKEN": ""], "PHONEPROOF_SMS_TWILIO_AUTH_TOKEN"),
        ("twilio", ["SMS_TWILIO_AUTH_TOKEN": "t0ken of-the test"], "one word"),
        ("twilio", ["SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": "/nowhere"], "cannot read /nowhere"),
        ("twilio", ["SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": "/dev/null"], "/dev/null is empty"),
        ("twilio", ["SMS_TWILIO_FROM": ""], "sms.twilio.from"),
        ("twilio", ["SMS_TWILIO_SENDERS": "+15005550006=1,+15005550006=2"], "each once"),
        ("twilio", ["SMS_TWILIO_SENDERS": "+15005550006=1,Acme=1", "SMS_TWILIO_SERVES": "sms,call"], "names call"),
        ("http", ["SMS_HTTP_SENDERS": "Acme=1"], "sms.http.from"),
    ]

    /// All that each vendor needs.
    static let complete = [
        "SMS_SNS_REGION": "ap-northeast-2",
        "SMS_SNS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "SMS_SNS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "SMS_VONAGE_API_KEY": "abcd1234",
        "SMS_VONAGE_API_SECRET": "s3cret-of-it",
        "SMS_VONAGE_FROM": "Acme",
        "SMS_SENS_SERVICE_ID": "ncp:sms:kr:000000000000:demo",
        "SMS_SENS_ACCESS_KEY": "AKDEMO",
        "SMS_SENS_SECRET_KEY": "SKDEMO-of-the-test",
        "SMS_SENS_FROM": "02-1234-5678",
        "SMS_SOLAPI_API_KEY": "KEYDEMO",
        "SMS_SOLAPI_API_SECRET": "SECRETDEMO-of-the-test",
        "SMS_SOLAPI_FROM": "1588-1234",
        "SMS_TWILIO_ACCOUNT_SID": "ACa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        "SMS_TWILIO_AUTH_TOKEN": "t0ken-of-the-test",
        "SMS_TWILIO_FROM": "+15005550006",
        "SMS_TWILIO_STATUS_CALLBACK_URL": "https://phone.example/v1/receipts/twilio",
        "SMS_HTTP_BODY": #"{"to": "{{to_national}}", "text": "{{body}}", "reference": "{{id}}"}"#,
        "SMS_HTTP_HEADERS": "Authorization: Bearer {{secret}}",
        "SMS_HTTP_SECRET": "s3cret-of-it",
        "SMS_HTTP_ANSWER_SUCCESS_POINTER": "/result/ok",
        "SMS_HTTP_ANSWER_SUCCESS_VALUES": "true",
        "SMS_HTTP_ANSWER_ID_POINTER": "/result/id",
        "SMS_HTTP_ANSWER_CODE_POINTER": "/result/code",
        "SMS_HTTP_ANSWER_REFUSE_CODES": "17,18",
        "SMS_HTTP_URL": "https://sms.example.com/v1?key=k3y",
    ]

    static let databases: [(url: String, says: String)] = [
        ("mysql://ace:s3cr3t@db.example.com", "it must be sqlite:PATH, sqlite::memory:"),
        ("host=db.example.com password=s3cr3t", "it must be sqlite:PATH, sqlite::memory:"),
        ("sqlite:", "it must be sqlite:PATH, sqlite::memory:"),
        ("postgresql://ace:x@s3cr3t@db.example.com/p", "URL): invalid database URL: user and password end"),
    ]

    static let others: [(change: [String: String], says: String)] = [
        (["SERVER_TRUSTED_PROXIES": "10.0.0.0/8,fe80::1%eth0"], "server.trusted_proxies is 'fe80::1%eth0'"),
        (["SERVER_TRUSTED_PROXIES": "::1,::ffff:0:0/96"], "list only your proxies"),
        (["SERVER_TRUSTED_PROXIES": "none,::1"], "none alone"),
        (["SERVER_CORS_ORIGINS": "*"], "list only your own sites"),
        (["SERVER_TLS_KEY_FILE": "key.pem"], "server.tls.key_file is set, which needs server.tls.certificate_file"),
        (["LIMITS_ADDRESS_SENDS": "10/1h,20/1h"], "two limits for the same period"),
        (["TEST_NUMBERS_NUMBERS": "+821000000001=123456"], "test_numbers.until is not set"),
        (["TEST_NUMBERS_NUMBERS": "+821000000001=12345"], "a code of 6 digits"),
        (["TEST_NUMBERS_NUMBERS": "+14155550100=123456"], "a number that can get a code"),
        (["VERIFICATION_FAILURE_LOCKOUT_SECONDS": "2592000"], "retention.days is 30; it must be longer"),
        (["WEBHOOKS_URL": "https://a.example/?s3cret"], "phoneproof webhooks secret"),
        (["WEBHOOKS_URL": "https://a.example", "WEBHOOKS_SECRETS": "s3cret"], "whsec_ and 24 to 64 bytes"),
        (["WEBHOOKS_URL": "ftp://s3cret"], "webhooks.url is invalid"),
        (["PAGES_CONSENT": "required"], "pages.consent is required, but there are no rules"),
        (["PAGES_CONSENT_VERSION": "1 2"], "pages.consent_version is '1 2'"),
        (["SMS_GATEWAY": "stub,stub"], "each once, in order of preference"),
        (["VERIFICATION_MAX_CHEKS": "1"], "PHONEPROOF_VERIFICATION_MAX_CHEKS is not a setting"),
        (["TOKENS_ISSUER": "http://phone.example.com"], "tokens.issuer is 'http://phone.example.com'"),
        (["TOKENS_ISSUER": "https://phone.example.com?a"], "tokens.issuer is 'https://phone.example.com?a'"),
        (["TOKENS_ISSUER": "https://phone.example.com/#a"], "tokens.issuer is 'https://phone.example.com/#a'"),
        (["TOKENS_ISSUER": "https://a@phone.example.com"], "tokens.issuer is 'https://a@phone.example.com'"),
        (["TOKENS_ISSUER": "https://Phone.example.com"], "tokens.issuer is 'https://Phone.example.com'"),
        (["TOKENS_ISSUER": "phone.example.com"], "tokens.issuer is 'phone.example.com'"),
        (["TOKENS_ISSUER": "https://"], "tokens.issuer is 'https://'"),
        (["ACCOUNTS_UNDO_URL": "https://app.example/undo"], "accounts.undo_url is 'https://app.example/undo'"),
        (["ACCOUNTS_UNDO_URL": "http://app.example/undo/"], "accounts.undo_url is 'http://app.example/undo/'"),
        (["ACCOUNTS_UNDO_URL": "app.example/"], "accounts.undo_url is 'app.example/'"),
        (["ACCOUNTS_UNDO_URL": "https://"], "accounts.undo_url is 'https://'"),
        (["SERVER_CORS_ORIGINS": "https://a.example/"], "server.cors.origins is 'https://a.example/'"),
        (["MESSAGES_SERVICE_NAME": "a\nb"], "messages.service_name is 'a\nb'; it must be 1 to 30"),
        (["TRACING_SAMPLE_RATIO": "2"], "tracing.sample_ratio is '2'; it must be a number from 0 to 1"),
        (["TOKENS_AUDIENCE": "two words"], "tokens.audience is 'two words'"),
    ]
}
