import PhoneCLI
import PhoneDelivery
import PhoneDomain
import SQLiteStore
import TextEncodings

extension Settings {
    /// What others on this machine can read or change though it is for the service only, except keys, which are refused then.
    func exposures(file: String?) -> [String] {
        var exposures: [String] = []
        func check(_ path: String, _ key: String, isFolder: Bool = false) {
            guard isExposed(path) else { return }
            exposures.append(
                "others on this machine can read or change \(path); chmod \(isFolder ? "700" : "600") it (\(key))"
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
                    "others can read \(file), and the password in it; chmod 600 it, or set PHONEPROOF_DATABASE_URL "
                        + "(database.url)"
                )
            }
        }
        for file in secretFiles { check(file.path, file.key) }
        return exposures
    }

    var isLoopback: Bool { Self.isLoopback(server.host) }

    /// Whether only this machine can reach what listens there: at its own name, ::1, or an address of 127.0.0.0/8
    /// (RFC 1122 section 3.2.1.3), and at no name that only looks like one.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// - Parameter stub: whether only the SMS stub is served.
    func requireSafeToServe(stub: Bool = false) throws {
        guard (0...65_535).contains(server.port) else { throw Failure.usage("--port must be from 0 to 65535") }
        if !stub, profile == .production { try requireProduction() }
        if !stub, server.servesWithoutKeys, !isLoopback {
            throw Failure.configuration(
                "without API keys whoever can reach \(server.host) sends messages at your cost; listen on 127.0.0.1, or leave "
                    + "out --insecure-no-keys (server.insecure_no_keys) and make keys by `phoneproof keys create`"
            )
        }
        if stub || sms.gateways.contains(.stub), !isLoopback, !sms.allowsRemoteStub {
            throw Failure.configuration(
                "the SMS stub shows every code to anyone who can reach \(server.host); listen on 127.0.0.1, choose another "
                    + "sms.gateway, or set sms.stub.allow_remote to true if that is meant"
            )
        }
    }

    private func requireProduction() throws {
        if server.servesWithoutKeys {
            throw Failure.configuration(
                "profile is production, where no program is served without an API key; leave out --insecure-no-keys "
                    + "(server.insecure_no_keys), or set profile to development"
            )
        }
        if abusePolicy.testNumbers.count > 0, !allowsTestNumbersInProduction {
            throw Failure.configuration(
                "whoever knows a test number's code is signed up by it; remove test_numbers.numbers, or set "
                    + "test_numbers.allow_in_production to true if that is meant"
            )
        }
        if let endpoint = webhooks?.endpoint, endpoint.isPlain, !endpoint.isLoopback {
            throw Failure.configuration(
                "profile is production, and numbers can be read on their way to \(endpoint.origin); name an https address by "
                    + "webhooks.url, or set profile to development"
            )
        }
        if let local = sms.gateways.first(where: { $0 == .stub || $0 == .console }) {
            throw Failure.configuration(
                "profile is production, and no message leaves the service by sms.gateway \(local.rawValue); choose another "
                    + "gateway, or set profile to development"
            )
        }
    }

    var doubtAboutIssuer: String? {
        guard tokens.issuer == nil, !isLoopback || profile == .production else { return nil }
        return
            "access tokens bear \(issuer) as their issuer, where those who verify them may find nothing, and which changes "
            + "with the address that is listened at; set tokens.issuer to the https address by which others reach the service"
    }

    /// About the links in notices to old numbers.
    var doubtAboutUndoAddress: String? {
        guard accounts.undoAddress == nil, tokens.issuer == nil,
            !isLoopback || profile == .production || sms.gateways.contains(.twilio)
        else { return nil }
        return
            "whoever is told that a number was changed is given a link to \(undoAddress?.description ?? issuer), where their "
            + "phone may find nothing; set accounts.undo_url, or tokens.issuer"
    }

    func doubtAboutTestNumbers(at now: Timestamp) -> String? {
        let testNumbers = abusePolicy.testNumbers
        guard testNumbers.count > 0, testNumbers.until <= now else { return nil }
        return
            "the test numbers ended at \(testNumbers.until) and are numbers like others: messages go to them; remove "
            + "them, or set test_numbers.until to a moment to come"
    }
}
