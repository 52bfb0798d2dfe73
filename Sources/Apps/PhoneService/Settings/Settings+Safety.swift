import CoreEncodings
package import PhoneAdministration
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
package import PhoneSignup
import PhoneStore

extension Settings {
    /// What others on this machine can read or change though it is for the service only, except keys, which are refused
    /// then.
    private var exposures: [String] {
        var exposures: [String] = []
        func check(_ path: String, _ key: String, isFolder: Bool = false) {
            guard isExposed(path) else { return }
            exposures.append(
                "other users of this machine can access \(path); chmod \(isFolder ? "700" : "600") it (\(key))"
            )
        }
        switch database.place {
        case .memory: break
        case .file(let path):
            let file = SQLiteStore.file(at: path)
            check(file.lastIndex(of: "/").map { String(file[...$0]) } ?? ".", "database.url", isFolder: true)
            for suffix in ["", "-wal", "-shm"] { check(file + suffix, "database.url") }
        case .postgresql(let text):
            let containsPassword = (try? PostgreSQLURL(text).containsPassword) ?? false
            if let file, containsPassword, database.urlIsInFile, isExposed(file, by: 0o066) {
                exposures.append(
                    "other users of this machine can read \(file) and the password in it; chmod 600 it, or set "
                        + "PHONEPROOF_DATABASE_URL (database.url)"
                )
            }
        }
        for file in secretFiles { check(file.path, file.key) }
        return exposures
    }

    /// - Parameter stub: whether only the SMS stub is served.
    /// - Throws: ``Failure`` with a line for each reason.
    package func requireSafeToServe(stub: Bool = false) throws {
        guard (0...65_535).contains(server.port) else { throw Failure.usage("--port must be from 0 to 65535") }
        var lines = !stub && profile == .production ? reasonsAgainstProduction : []
        if !stub, server.servesWithoutKeys, !isLoopback {
            lines.append(
                "without API keys anyone who can reach \(server.host) can send messages at your cost; listen on 127.0.0.1, or "
                    + "drop --insecure-no-keys (server.insecure_no_keys) and create keys with `phoneproof keys create`"
            )
        }
        if stub || sms.gateways.contains(.stub), !isLoopback, !sms.allowsRemoteStub {
            lines.append(
                "the SMS stub shows every code to anyone who can reach \(server.host); listen on 127.0.0.1, choose another "
                    + "sms.gateway, or set sms.stub.allow_remote to true if that is intended"
            )
        }
        if !stub, let listener = observability.listener, listener.port == server.port, server.port != 0,
            listener.host == server.host
                || ![listener.host, server.host].allSatisfy({ !["0.0.0.0", "::"].contains($0) })
        {
            lines.append("metrics.port and server.port are both \(server.port); choose another metrics.port")
        }
        if !lines.isEmpty { throw Failure(status: .configuration, lines: lines) }
    }

    private var reasonsAgainstProduction: [String] {
        var lines: [String] = []
        if server.servesWithoutKeys {
            lines.append(
                "profile is production, which requires API keys; drop --insecure-no-keys (server.insecure_no_keys), or set "
                    + "profile to development"
            )
        }
        if abusePolicy.testNumbers.count > 0, !allowsTestNumbersInProduction {
            lines.append(
                "anyone who knows a test number's code can sign up with it; remove test_numbers.numbers, or set "
                    + "test_numbers.allow_in_production to true if that is intended"
            )
        }
        if let endpoint = webhooks?.endpoint, endpoint.isPlain, !endpoint.isLoopback {
            lines.append(
                "profile is production, and \(endpoint.origin) is plain HTTP: numbers can be read in transit; set webhooks.url "
                    + "to an https URL, or set profile to development"
            )
        }
        if let local = sms.gateways.first(where: { [.stub, .console].contains($0.kind) }) {
            lines.append(
                "profile is production, and no message leaves the service with sms.gateway \(local); choose another "
                    + "gateway, or set profile to development"
            )
        }
        return lines
    }

    /// What the log says at a start, and `check-config`.
    package func doubts(at now: Timestamp) -> [Finding] {
        var lines = oldNames + exposures
        if !limitsAreEnabled { lines.append("only the limits per verification and per number are on (limits.enabled)") }
        let testNumbers = abusePolicy.testNumbers
        if testNumbers.count > 0, testNumbers.until <= now {
            lines.append(
                "the test numbers expired at \(testNumbers.until) and are treated like any other number; remove them, or set "
                    + "a time in the future (test_numbers.until)"
            )
        }
        let isForOthers = !isLoopback || profile == .production
        if tokens.issuer == nil, isForOthers {
            lines.append(
                "the issuer of access tokens is the listen address, \(issuer), which verifiers may not reach; set tokens.issuer "
                    + "to the public https URL of the service"
            )
        }
        if accounts.undoAddress == nil, tokens.issuer == nil,
            isForOthers || sms.gateways.contains(where: { $0.kind == .twilio })
        {
            lines.append(
                "notices of number changes link to \(undoAddress?.description ?? issuer), which phones may not reach; set "
                    + "accounts.undo_url or tokens.issuer"
            )
        }
        return lines.map(Finding.warning)
    }
}
