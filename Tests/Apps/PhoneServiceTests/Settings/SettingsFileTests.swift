import Foundation
import PhoneDomain
import Testing

@testable import PhoneService

/// A folder with files that settings name, which goes with the value: it must outlive what reads the files.
final class SettingsFolder {
    let path = FileManager.default.temporaryDirectory.appending(component: "phoneproof-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Returns: the path of the file.
    @discardableResult
    func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let folder = URL(filePath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }
}

extension Settings {
    /// Settings of a file with this text, and of variables without `PHONEPROOF_`; the database is in memory if neither
    /// says where it is.
    init(
        _ variables: [String: String] = [:],
        file text: String? = nil,
        docks: [any Dock.Type] = [],
        beside others: [String: String] = [:]
    ) throws {
        let variables = variables.merging(["DATABASE_URL": "sqlite::memory:"]) { first, _ in first }
        let environment = others.merging(variables.map { ("PHONEPROOF_" + $0.key, $0.value) }) { $1 }
        let folder = SettingsFolder()
        let file = try text.map { try folder.write("settings.yaml", $0) }
        self = try withExtendedLifetime(folder) { try Settings(file: file, environment: environment, docks: docks) }
    }

    /// What is said of a file with this text, a line for each mistake.
    fileprivate static func errors(
        _ variables: [String: String] = [:],
        file text: String? = nil,
        docks: [any Dock.Type] = []
    ) throws -> [String] {
        do {
            _ = try Settings(variables, file: text, docks: docks)
            return []
        } catch let error as SettingsError {
            return error.lines
        }
    }
}

/// What is said of a file of settings: which line is wrong, and what would do.
struct SettingsFileTests {
    @Test(arguments: mistakes)
    func aMistakeIsNamedWithWhatWouldDo(more: String, says: String) throws {
        let twilio = ["SMS_TWILIO_ACCOUNT_SID": "AC" + String(repeating: "0", count: 32), "SMS_TWILIO_AUTH_TOKEN": "t"]
        let errors = try Settings.errors(twilio, file: Self.gateways + more)
        #expect(errors.count == 1 && errors[0].contains(says), "\(errors)")
    }

    @Test(arguments: ["Viber", "inbound", "all"])
    func noOtherChannelHasSuchAName(_ name: String) throws {
        let errors = try Settings.errors(file: Self.gateways.replacing("[viber]", with: "[\(name)]"))
        #expect(errors.contains { $0.hasPrefix("sms.gateways.vib.serves is '\(name)'; it must be some of sms, call") })
    }

    @Test(arguments: [
        ("server:\n  prt: 1\n", 2, "server.prt", "server.port"),
        ("server:\n  prot: 1\n", 2, "server.prot", "server.port"),
        ("server:\n  Port: 1\n", 2, "server.Port", "server.port"),
        ("server:\n  ports: 1\n", 2, "server.ports", "server.port"),
        ("SERVER:\n  port: 1\n", 2, "SERVER.port", "server.port"),
        ("sms:\n  gatway: [stub]\n", 2, "sms.gatway", "sms.gateway"),
        ("log:\n  lvl: info\n", 2, "log.lvl", "log.level"),
        ("# guard\n\nguard: {mod: off}\n", 3, "guard.mod", "guard.mode"),
        ("tokens:\n  isuer: https://a.example\n", 2, "tokens.isuer", "tokens.issuer"),
        ("limits:\n  address_send: 1/1h\n", 2, "limits.address_send", "limits.address_sends"),
        ("sms:\n  http:\n    header: []\n", 3, "sms.http.header", "sms.http.headers"),
        ("sms: {twilio: {auth_tokn_file: x}}\n", 1, "sms.twilio.auth_tokn_file", "sms.twilio.auth_token_file"),
        ("twilio:\n  from: \"1\"\n", 2, "twilio.from", "sms.twilio.from"),
        ("sms:\n  vonage:\n  from: Ace\n", 3, "sms.from", "sms.vonage.from"),
        ("server:\nport: 1\n", 2, "port", "server.port"), ("port: 1\n", 1, "port", "server.port"),
        ("dock:\nlog:\n  level: info\ncount: 1\n", 4, "count", "dock.count"),
    ])
    func aMisspeltSettingHasItsLineAndTheRightName(text: String, line: Int, key: String, meant: String) throws {
        let errors = try Settings.errors(file: text, docks: [SettingsRuleTests.DockSettings.self])
        #expect(errors.count == 1)
        #expect(
            errors[0].hasSuffix("settings.yaml, line \(line): there is no setting \(key); did you mean \(meant)?"),
            "\(errors)"
        )
    }

    @Test(arguments: [
        ("server: 8080\n", "line 1: there is no setting server; it is a section; did you mean server.port?"),
        ("sms:\n  gateways: [stub]\n", "there is no setting sms.gateways; it is a section; did you mean sms.gateway?"),
        ("server:\n  frobnicate: 1\n", "setting server.frobnicate; remove it, or see config/reference.yaml"),
        ("server:\n  port: http\n", "from 0 to 65535 (line 2, or set PHONEPROOF_SERVER_PORT)"),
        ("locale: {region: UK}\n", "(line 1, or set PHONEPROOF_LOCALE_REGION); did you mean GB?"),
        ("verification:\n  allowed_regions: [KR, UK]\n", "allowed_regions is 'UK'"),
        ("verification: {allowed_regions: [KR, UK]}\n", "PHONEPROOF_VERIFICATION_ALLOWED_REGIONS); did you mean GB?"),
        ("webhooks: {secrets: [whsec_s3cret]}\n", "webhooks.secrets is a secret; put it in a file of its own"),
        ("sms: {twilio: {auth_token: s3cret}}\n", "name that by sms.twilio.auth_token_file, or set PHONE"),
        ("tracing: {headers: a=s3cret}\n", "tracing.headers is a secret; put it in a file of its own"),
        ("database: [1\n", "is not valid YAML of keys and values"),
    ])
    func whatIsWrongIsNamed(text: String, says: String) throws {
        let errors = try Settings.errors(file: text)
        #expect(errors.count == 1 && errors[0].contains(says) && !errors[0].contains("s3cret"), "\(errors)")
    }

    @Test(arguments: [
        ("VERIFICATION_MAX_CHEKS", "PHONEPROOF_VERIFICATION_MAX_CHECKS"),
        ("SMS_TWILIO_AUTH_TOKN", "PHONEPROOF_SMS_TWILIO_AUTH_TOKEN"), ("PORT", "PHONEPROOF_SERVER_PORT"),
    ])
    func aMisspeltVariableIsAnError(name: String, meant: String) throws {
        let says = "PHONEPROOF_\(name) is not a setting; did you mean \(meant)?"
        #expect(try Settings.errors([name: "9090"]) == [says])
    }

    @Test func whatKubernetesSetsForAServiceOfThisNameIsNoSetting() throws {
        let variables = ["SERVICE_HOST": "10.0.0.1", "PORT": "tcp://10.0.0.1:80", "PORT_80_TCP": "x"]
        _ = try Settings(variables, beside: ["KUBERNETES_SERVICE_HOST": "10.0.0.1"])
    }

    @Test func aVariableOverridesTheFile() throws {
        let file = "verification:\n  code_length: 7\n  max_checks: 3\n"
        let policy = try Settings(["VERIFICATION_MAX_CHECKS": "2"], file: file).policy
        #expect((policy.codeLength, policy.maxChecks) == (7, 2))
    }

    private static let gateways = """
        sms:
          gateways:
            lgu: {kind: http, url: "https://a.example", body: '["{{to}}", "{{body}}"]'}
            vib: {kind: http, url: "https://a.example", body: '["{{to}}", "{{body}}"]', serves: [viber]}
            kav: {kind: http, url: "https://a.example", body: '["{{to}}", "{{code}}"]'}
            twilio-us: {kind: twilio, from: "+15005550006", serves: [sms, call]}

        """

    /// What follows the gateways.
    static let mistakes: [(more: String, says: String)] = [
        (
            "  routes: {KR: [nobody]}\n",
            "sms.routes.KR is 'nobody'; it must be gateways in use, among kav, lgu, twilio-us, vib"
        ),
        ("  routes: {ZZ: [lgu]}\n", "sms.routes.ZZ: it is for a region such as KR"),
        ("  routes: {KR: {email: [lgu]}}\n", "sms.routes.KR.email: it is for"),
        ("  routes: {KR: {vibre: [vib]}}\n", "sms.routes.KR.vibre: it is for a region"),
        ("  routes: {KR: {call: [lgu]}}\n", "sms.routes.KR.call names lgu, which does not serve call"),
        ("  routes: {KR: {notice: [kav]}}\n", "sms.routes.KR.notice names kav, which takes messages with a code alone"),
        ("  channels: {KR: [pigeon]}\n", "sms.channels.KR is 'pigeon'; it must be some of kakaotalk, sms, whatsapp"),
        (
            "  channels: {KR: []}\n",
            "sms.channels.KR is ''; it must be some of kakaotalk, sms, whatsapp, call, viber, each"
        ),
        ("  channel_names: [Viber]\n", "sms.channel_names is 'Viber'"),
        ("  routing: clever\n", "sms.routing is 'clever'; it must be order or learn"),
        ("  prices: {lgu: {KR: much}}\n", "sms.prices.lgu.KR is 'much'; it must be a price from 0 to 1000"),
        (
            "  prices: {vib: {KR: {vibre: 1}}}\n",
            "and below it for kakaotalk, sms, whatsapp, call, viber, notice or all"
        ),
        ("  prices: {other: {KR: 1}}\n", "sms.prices.other is no gateway in use"),
        ("  gateway: [lgu, lgu]\n", "sms.gateway is 'lgu, lgu'"),
        ("    Big: {kind: twilio}\n", "a name is 1 to 32 lower-case letters"),
        ("    odd: {kind: pigeon}\n", "sms.gateways.odd.kind is 'pigeon'"),
        ("    wa: {kind: twilio, from: \"+15005550006\", serves: [whatsapp]}\n", "content_sid"),
        ("    voice: {kind: twilio, from: Acme, serves: [call]}\n", "needs a number as sms.gateways.voice.from"),
        ("  inbound: {KR: \"+82215881234\"}\n", "sms.inbound needs a gateway in use that passes messages on"),
        ("  inbound: {ZZ: \"+82215881234\"}\n", "sms.inbound.ZZ: it is for a region such as KR"),
        ("  inbound: {KR: \"call us\"}\n", "sms.inbound.KR must be a number such as"),
    ]
}
