import Foundation
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneService

extension Settings {
    /// What `check-config` prints of them.
    fileprivate var lines: [String] { ConfigurationCheck(self, at: Timestamp(seconds: 0)).findings.map(\.line) }

    /// What would not start, and what is unsafe.
    fileprivate var doubts: [String] { lines.filter { $0.hasPrefix("error ") || $0.hasPrefix("warning ") } }
}

/// What is said of settings that are valid.
struct ConfigurationCheckTests {
    private let folder = SettingsFolder()

    @Test(arguments: shown)
    func whatIsSetIsShown(change: [String: String], line: String) throws {
        let lines = try Settings(SettingsRuleTests.complete.merging(change) { $1 }).lines
        #expect(lines.contains(line), "\(lines)")
        #expect(!lines.contains { $0.contains("s3cret") || $0.contains("t0ken") || $0.contains("k3y") })
    }

    @Test(arguments: unsafe)
    func whatIsUnsafeIsSaid(change: [String: String], says: [String]) throws {
        let usual = try Settings().doubts
        let doubts = try Settings(SettingsRuleTests.complete.merging(change) { $1 }).doubts
            .filter { !usual.contains($0) }
        #expect(doubts.count == says.count && zip(doubts, says).allSatisfy { $0.contains($1) }, "\(doubts)")
    }

    @Test func aVerdictCountsErrorsAndWarnings() throws {
        #expect(ConfigurationCheck.verdict(of: [.init("a", "b")]) == "OK: serve would start")
        #expect(ConfigurationCheck.verdict(of: [.warning("a")]) == "OK: serve would start, 1 warning")
        #expect(
            ConfigurationCheck.verdict(of: [.warning("a"), .error("b"), .warning("c"), .error("d")])
                == "FAILED: serve would not start, 2 errors, 2 warnings"
        )
    }

    /// In local development, where nothing leaves this machine, every region may have codes.
    @Test(
        arguments: [
            ([:], "all 245, for local development"), (["SMS_GATEWAY": "console"], "all 245, for local development"),
            (["PROFILE": "production"], "KR"), (["SERVER_HOST": "0.0.0.0"], "KR"),
            (["SERVER_TRUSTED_PROXIES": "127.0.0.1"], "KR"), (["VERIFICATION_ALLOWED_REGIONS": "KR"], "KR"),
            (["SMS_GATEWAY": "twilio"], "KR"), (["SMS_GATEWAY": "stub,twilio"], "KR"),
        ] as [([String: String], String)]
    )
    func regionsThatMayHaveCodes(change: [String: String], regions: String) throws {
        let lines = try Settings(SettingsRuleTests.complete.merging(change) { $1 }).lines
        #expect(lines.contains("regions   \(regions)"), "\(lines)")
    }

    @Test(arguments: [
        (
            "[\"127.0.0.1\", \"::1\", \"FD00::/8\", 10.0.0.0/8]", nil,
            "127.0.0.1, ::1, fd00::/8, 10.0.0.0/8 by x-forwarded-for"
        ),
        ("\"::1\"", "none", "none"), ("\"::1\"", "::ffff:10.0.0.0/104", "10.0.0.0/8 by x-forwarded-for"),
        ("none", nil, "none"), ("[]", nil, "none"), ("[none]", nil, "none"), ("", nil, "none"),
    ])
    func proxiesThatAreTrusted(file: String, variable: String?, proxies: String) throws {
        let variables = variable.map { ["SERVER_TRUSTED_PROXIES": $0] } ?? [:]
        let lines = try Settings(variables, file: "server:\n  trusted_proxies: \(file)\n").lines
        #expect(lines.contains("proxies   \(proxies)"), "\(lines)")
    }

    @Test(arguments: [
        "postgresql:///p", "postgresql:///p?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/p",
        "postgresql://localhost/p", "postgresql://127.0.0.1,[::1],127.3.2.1:5433/p",
        "postgresql://db.example.com/p?sslmode=verify-full", "postgresql://db.example.com/p?sslrootcert=system",
        "postgresql://db.example.com/p?hostaddr=127.0.0.1",
    ])
    func aServerThatSomebodyVouchesForIsSafe(url: String) throws {
        let doubts = try Settings(["DATABASE_URL": url, "KEYS_FILE": "/nowhere/keys"]).doubts
        #expect(!doubts.contains { $0.contains("sslmode") }, "\(doubts)")
    }

    @Test(arguments: [
        ("postgresql://db.example.com/p", "prefer", "db.example.com"),
        ("postgresql://db.example.com/p?sslrootcert=/ca", "prefer", "db.example.com"),
        ("postgresql://db.example.com/p?ssl=true", "require", "db.example.com"),
        ("postgresql://127.0.0.1,10.0.0.7,127.a.example/p?sslmode=verify-ca", "verify-ca", "10.0.0.7, 127.a.example"),
        ("postgresql:///p?host=db.example.com&sslmode=disable", "disable", "db.example.com"),
        ("postgresql://localhost/p?hostaddr=10.0.0.7", "prefer", "10.0.0.7"),
    ])
    func aServerThatNobodyVouchesForIsUnsafeBeyondThisMachine(url: String, mode: String, host: String) throws {
        let doubts = try Settings(["DATABASE_URL": url, "KEYS_FILE": "/nowhere/keys"]).doubts
        #expect(
            doubts.first == "warning   sslmode is \(mode): traffic to \(host) can be read and altered in transit; add "
                + "sslmode=verify-full and sslrootcert=FILE (database.url)"
        )
    }

    @Test func aPasswordFileThatLibpqWouldIgnoreIsNamed() throws {
        let path = folder.path + "/passwords"
        let settings = try Settings([
            "DATABASE_URL": "postgresql://localhost/p?passfile=\(path)", "KEYS_FILE": "/nowhere/keys",
        ])
        let said = { settings.doubts.filter { $0.contains("passwords") } }
        #expect(said() == ["warning   password file \(path) does not exist (PGPASSFILE)"])
        try folder.write("passwords", "*:*:*:*:s3cret\n", mode: 0o640)
        #expect(
            said() == [
                "warning   password file \(path) is ignored because others can access it; chmod 600 it (PGPASSFILE)"
            ]
        )
        try folder.write("passwords", "*:*:*:*:s3cret\n")
        #expect(said() == [])
    }

    @Test(arguments: [(0o644, true), (0o640, true), (0o604, true), (0o600, false)])
    func aPasswordInAFileOfSettingsIsForItsOwnerAlone(mode: Int, isSaid: Bool) throws {
        let text = "database: {url: \"postgresql://ace:s3cret@localhost/p\"}\nkeys: {file: /nowhere/keys}\n"
        let file = try folder.write("settings.yaml", text, mode: mode)
        let said =
            "warning   other users of this machine can read \(file) and the password in it; chmod 600 it, or "
            + "set PHONEPROOF_DATABASE_URL (database.url)"
        let lines = try Settings(file: file, environment: [:]).lines
        #expect(lines.contains(said) == isSaid)
        #expect(!lines.contains { $0.contains("s3cret") })
        // What overrides it is not in the file.
        let other = ["PHONEPROOF_DATABASE_URL": "postgresql://ace:s3cret@localhost/p"]
        #expect(try !Settings(file: file, environment: other).lines.contains(said))
    }

    /// A group may be meant to read what is kept, and nobody else; nobody else may write.
    @Test(arguments: [(0o640, false), (0o644, true), (0o604, true), (0o660, true), (0o600, false)])
    func filesThatOthersCanReadOrChangeAreWarnedOf(mode: Int, isSaid: Bool) throws {
        let (database, secret) = (
            try folder.write("p.sqlite", "", mode: mode), try folder.write("secret", "s3cret", mode: mode)
        )
        try FileManager.default.setAttributes([.posixPermissions: mode | 0o100], ofItemAtPath: folder.path)
        let doubts = try Settings([
            "DATABASE_URL": "sqlite:\(database)", "WEBHOOKS_URL": "https://a.example",
            "WEBHOOKS_SECRETS_FILE": try folder.write("webhook", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            "SMS_GATEWAY": "twilio", "SMS_TWILIO_ACCOUNT_SID": "AC" + String(repeating: "0", count: 32),
            "SMS_TWILIO_FROM": "+15005550006", "SMS_TWILIO_AUTH_TOKEN_FILE": secret,
        ])
        .doubts
        let said = [
            ("\(folder.path)/", "700", "database.url"), (database, "600", "database.url"),
            (secret, "600", "sms.twilio.auth_token_file"),
        ]
        .map { "warning   other users of this machine can access \($0); chmod \($1) it (\($2))" }
        #expect(doubts.filter { $0.contains("can access") } == (isSaid ? said : []))
    }

    @Test func theVariablesOfOpenTelemetryCountUnlessTheySwitchItOff() throws {
        let variables = [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=s3cret%3D%2C",
        ]
        func tracing(_ change: (String, String)? = nil) throws -> [String] {
            let others = change.map { variables.merging([$0]) { $1 } } ?? variables
            return try Settings(beside: others).lines.filter { $0.hasPrefix("tracing ") }
        }
        #expect(try tracing() == ["tracing   ratio 1.0 to http://127.0.0.1:9, with api-key"])
        for off in [
            ("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ] {
            #expect(try tracing(off) == [], "\(off)")
        }
        for name in variables.keys {
            let error = #expect(throws: SettingsError.self) { try tracing((name, "s3cret")) }
            #expect(error?.lines.first?.hasPrefix("\(name) is invalid; it must be") == true)
            #expect(error?.description.contains("s3cret") == false)
        }
    }

    @Test func textsAreListedWithTheLanguagesThatTheyLack() throws {
        func lines(_ variables: [String: String] = [:]) throws -> [String] {
            try Settings(variables.merging(["MESSAGES_DIRECTORY": folder.path]) { $1 }).lines
        }
        try folder.write("templates/order/ko/verification.txt", "{{code}} {{order}}")
        try folder.write("templates/order/en/verification.txt", "{{code}} {{shop}}")
        try folder.write("templates/login/ko/verification.txt", "{{code}}")
        #expect(try lines().contains("templates login (ko), order (en, ko; {{order}} {{shop}})"))
        let said =
            "warning   template login has no text in en: requests for a language it lacks are refused "
            + "(messages.directory)"
        #expect(try lines().contains(said))
        #expect(try !lines(["LOCALE_LANGUAGE": "ko"]).contains { $0.hasPrefix("warning   template") })
        let wrong = try folder.write("templates/order/en/verification.txt", "Hello\n{{code}} {{Shop}}")
        let error =
            "error     \(wrong):2: {{Shop}} can be no variable: a template's own are named by 1 to 20 "
            + "lower-case letters, digits and underscores"
        #expect(try lines().contains(error))
    }

    @Test(arguments: [
        (
            "routes: {KR: [other], \"*\": [alone]}\n",
            "a change of their number (*): every gateway for them takes messages"
        ),
        (
            "routes: {KR: {all: [alone]}, \"*\": [other]}\n",
            "a change of their number (KR): every gateway for them takes"
        ),
        ("routes: {KR: {all: [alone], notice: [other]}, GB: [other]}\n", "no code can be sent to FR, US, which"),
    ])
    func whatReachesNobodyIsSaid(routes: String, says: String) throws {
        let file = """
            verification: {allowed_regions: [KR, GB, FR, US]}
            sms:
              gateways:
                alone: {kind: http, url: "https://a.example", body: '["{{to}}", "{{code}}"]'}
                other: {kind: http, url: "https://a.example", body: '["{{to}}", "{{body}}"]'}
              \(routes)
            """
        let doubts = try Settings(file: file).doubts
        #expect(doubts.contains { $0.contains(says) }, "\(doubts)")
        #expect(doubts.contains { $0.contains("not notified") } == says.hasPrefix("a change"), "\(doubts)")
    }

    static let shown: [(change: [String: String], line: String)] = [
        (
            ["DATABASE_URL": "postgresql://ace:s3cret@db.example.com/p", "KEYS_FILE": "/nowhere/keys"],
            "database  postgresql://ace:***@db.example.com/p"
        ),
        (outages, "challenge turnstile, open in an outage"),
        (outages, "hook      https://hook.example is asked before each message; sent without an answer"),
        (["SMS_GATEWAY": "sns,vonage,http"], "gateways  sns, then vonage, then http"),
        (
            ["SMS_GATEWAY": "sns", "SMS_SNS_SENDER_ID": "Acme", "SMS_SNS_SESSION_TOKEN": "t0ken"],
            "sns       AKIAIOSFODNN7EXAMPLE in ap-northeast-2 from Acme, by https://sns.ap-northeast-2.amazonaws.com"
        ),
        (
            ["SMS_GATEWAY": "sns", "SMS_SNS_BASE_URL": "http://127.0.0.1:9"],
            "sns       AKIAIOSFODNN7EXAMPLE in ap-northeast-2 from a number that Amazon chooses, by http://127.0.0.1:9"
        ),
        (["SMS_GATEWAY": "vonage"], "vonage    abcd1234 from Acme, by https://rest.nexmo.com"),
        (["SMS_GATEWAY": "http"], "http      POST to https://sms.example.com, json"),
        (
            ["SMS_GATEWAY": "twilio"],
            "twilio    ACa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 from +15005550006, by https://api.twilio.com, with delivery "
                + "reports to https://phone.example/v1/receipts/twilio"
        ),
        (
            ["SMS_GATEWAY": "sens", "SMS_SENS_AGENCY": "true", "SMS_SENS_FROM": "112"],
            "sens      ncp:sms:kr:000000000000:demo from 112, by https://sens.apigw.gov-ntruss.com"
        ),
        (
            ["SMS_GATEWAY": "solapi", "SMS_SOLAPI_BASE_URL": "http://solapi.example"],
            "solapi    KEYDEMO from 15881234, by http://solapi.example"
        ),
        (
            [
                "WEBHOOKS_URL": "https://app.example.com/hooks?key=s3cret", "WEBHOOKS_EVENTS": "guard.blocked",
                "WEBHOOKS_SECRETS": "\(webhookSecret),whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            ],
            "webhooks  https://app.example.com, signed with 2 secrets: guard.blocked"
        ),
        (
            ["SERVER_CORS_ORIGINS": "https://a.example, http://localhost:3000"],
            "cors      https://a.example, http://localhost:3000"
        ),
        (
            ["TRACING_OTLP_ENDPOINT": "https://collector.example/s3cret", "TRACING_HEADERS": "a=s3cret,b=s3cret"],
            "tracing   ratio 1.0 to https://collector.example, with a, b"
        ),
        (
            ["SERVER_TRUSTED_PROXIES": "127.0.0.1", "SERVER_FORWARDED_HEADER": "forwarded"],
            "proxies   127.0.0.1 by forwarded"
        ),
        ([:], "undo      http://127.0.0.1:8080/undo/…, for 72 h"),
        (
            ["TOKENS_ISSUER": "https://a.example", "TOKENS_AUDIENCE": "https://b.example"],
            "tokens    issuer https://a.example, audience https://b.example, 900 s; sessions 90 days, 30 days idle"
        ),
        (
            ["METRICS_PORT": "9464", "METRICS_HOST": "0.0.0.0"],
            "metrics   http://0.0.0.0:9464/metrics (other machines too)"
        ),
    ]

    private static let webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let plainWebhooks = [
        "WEBHOOKS_URL": "http://10.0.0.1/hooks", "WEBHOOKS_SECRETS": webhookSecret,
        "TOKENS_ISSUER": "https://a.example",
    ]
    /// What a program outside decides, and what happens while it does not answer.
    private static let outages = [
        "CHALLENGE_KIND": "turnstile", "CHALLENGE_SITE_KEY": "key", "CHALLENGE_SECRET": "s3cret",
        "CHALLENGE_ON_OUTAGE": "open", "HOOKS_BEFORE_SEND_URL": "https://hook.example/s3cret",
        "HOOKS_BEFORE_SEND_SECRETS": webhookSecret, "GUARD_ANSWER": "silent",
    ]
    private static let longUndoURL = "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/undo/"

    /// Beside what is said where nothing is set, in order.
    static let unsafe: [(change: [String: String], says: [String])] = [
        (
            outages,
            ["(guard.answer)", "(challenge.hostnames)", "(challenge.on_outage)", "(hooks.before_send.on_failure)"]
        ),
        (["SMS_GATEWAY": "sns", "SMS_SNS_SESSION_TOKEN": "t0ken"], ["temporary credentials expire within hours"]),
        (
            [
                "SMS_GATEWAY": "sns,vonage,http,solapi", "SMS_HTTP_URL": "http://a.example",
                "SMS_SNS_BASE_URL": "http://b.example", "SMS_VONAGE_BASE_URL": "http://c.example",
                "SMS_SOLAPI_BASE_URL": "http://d.example",
            ],
            [
                "http://b.example is plain HTTP: codes can be read in transit (sms.sns.base_url)",
                "http://c.example is plain HTTP: codes and the secret can be read in transit (sms.vonage.base_url)",
                "http://a.example is plain HTTP: codes and everything else can be read in transit (sms.http.url)",
                "http://d.example is plain HTTP: codes can be read in transit (sms.solapi.base_url)",
            ]
        ),
        (
            ["SMS_GATEWAY": "twilio,console"],
            [
                "messages that other gateways refuse stay here; codes are written to its standard error (sms.gateway)",
                "notices of number changes link to http://127.0.0.1:8080/undo/, which phones may not reach; set",
            ]
        ),
        (
            [
                "SMS_GATEWAY": "twilio", "SMS_TWILIO_BASE_URL": "http://sms.example",
                "TOKENS_ISSUER": "https://phone.example",
            ],
            ["http://sms.example is plain HTTP: codes and the auth token can be read in transit (sms.twilio.base_url)"]
        ),
        (
            ["SMS_GATEWAY": "telegram", "SMS_TELEGRAM_ACCESS_TOKEN": "t0ken"],
            ["a request that names no channel sends nothing to *: put telegram into its order (sms.channels)"]
        ),
        (
            [
                "SMS_GATEWAY": "http,telegram", "SMS_TELEGRAM_ACCESS_TOKEN": "t0ken", "VERIFICATION_CODE_LENGTH": "10",
            ],
            ["telegram sends nothing: it takes codes of 4 to 8 digits (verification.code_length)"]
        ),
        (plainWebhooks, ["http://10.0.0.1 is plain HTTP: numbers can be read in transit (webhooks.url)"]),
        (
            plainWebhooks.merging(["PROFILE": "production", "SMS_GATEWAY": "http"]) { $1 },
            [
                "warning   http://10.0.0.1 is plain HTTP",
                "error     profile is production, and http://10.0.0.1 is plain",
            ]
        ),
        (
            ["METRICS_PORT": "9464", "METRICS_HOST": "0.0.0.0"],
            ["anyone who can reach 0.0.0.0:9464 can read the metrics without a key (metrics.host)"]
        ),
        (
            ["METRICS_PORT": "8080"],
            ["error     metrics.port and server.port are both 8080; choose another metrics.port"]
        ),
        (["METRICS_PORT": "8080", "METRICS_HOST": "127.0.0.2"], []),
        (
            ["METRICS_PORT": "8080", "METRICS_HOST": "::"],
            ["anyone who can reach", "metrics.port and server.port are both"]
        ),
        (["TRACING_OTLP_ENDPOINT": "http://a.example"], ["spans can be read in transit (tracing.otlp_endpoint)"]),
        (
            ["TRACING_OTLP_ENDPOINT": "http://a.example/s3cret", "TRACING_HEADERS": "a=s3cret,b=s3cret"],
            ["http://a.example is plain HTTP: spans and a, b can be read in transit (tracing.otlp_endpoint)"]
        ),
        (
            ["ACCOUNTS_RECYCLING": "ask", "ACCOUNTS_DELETION_GRACE_DAYS": "0"],
            [
                "waits for a program with an API key of scope accounts (accounts.recycling)",
                "(accounts.deletion_grace_days)", "(tokens.idle_days is less than accounts.dormant_days)",
            ]
        ),
        (["ACCOUNTS_RECYCLING": "ask", "TOKENS_IDLE_DAYS": "90"], ["(accounts.recycling)"]),
        (
            ["ACCOUNTS_UNDO_URL": longUndoURL, "LOCALE_LANGUAGE": "ko"],
            ["the notice to the old number takes more than one SMS in ko; shorten accounts.undo_url"]
        ),
        // Of a built-in text that nobody chose there is no word.
        (["ACCOUNTS_UNDO_URL": longUndoURL], []),
        (
            ["SERVER_HOST": "0.0.0.0", "SMS_GATEWAY": "console"],
            [
                "plain HTTP: tokens and numbers can be read in transit (server.tls.certificate_file)",
                "undo links are plain HTTP", "no message leaves this service; codes are written to its standard error",
                "the issuer of access tokens is the listen address, http://0.0.0.0:8080, which verifiers may not reach",
                "notices of number changes link to http://0.0.0.0:8080/undo/, which phones may not reach",
            ]
        ),
        (
            ["SERVER_HOST": "0.0.0.0", "PROFILE": "production", "TOKENS_ISSUER": "https://phone.example"],
            [
                "plain HTTP: tokens and numbers can be read in transit (server.tls.certificate_file)",
                "error     profile is production, and no message leaves the service with sms.gateway stub",
                "error     the SMS stub shows every code to anyone who can reach 0.0.0.0; listen on 127.0.0.1",
            ]
        ),
        (
            ["TEST_NUMBERS_NUMBERS": "+821000000001=123456", "TEST_NUMBERS_UNTIL": "1970-01-01T00:00:00Z"],
            ["the test numbers expired at 1970-01-01T00:00:00.000Z and are treated like any other number"]
        ),
        (
            [
                "TEST_NUMBERS_NUMBERS": "+821000000001=123456", "TEST_NUMBERS_UNTIL": "2100-01-01T00:00:00Z",
                "PROFILE": "production", "SMS_GATEWAY": "http", "TOKENS_ISSUER": "https://phone.example",
            ],
            [
                "warning   anyone who knows a test number's code can sign up with it (test_numbers.numbers)",
                "error     anyone who knows a test number's code can sign up with it; remove test_numbers.numbers",
            ]
        ),
        (
            ["LIMITS_ENABLED": "false"],
            ["no protection against toll fraud", "only the limits per verification and per number are on"]
        ),
        (["SERVER_CORS_ORIGINS": "http://a.example"], ["http://a.example is plain HTTP: its pages can be altered"]),
        (["DATABASE_URL": "sqlite:/etc/passwd/a/p.sqlite"], ["error     folder /etc/passwd is not writable"]),
        (
            [
                "PROFILE": "production", "SMS_GATEWAY": "http", "TOKENS_ISSUER": "https://phone.example",
                "DATABASE_URL": "postgresql://127.0.0.1:1/p", "KEYS_FILE": "/nowhere/keys",
            ],
            ["error     there is no key file at /nowhere/keys, and instances need the same one; create it with"]
        ),
        (
            ["DATABASE_URL": "postgresql://127.0.0.1:1/p"],
            [
                "each instance has its own SMS stub",
                "error     keys.file is not set, which a PostgreSQL database requires",
            ]
        ),
    ]
}
