import PhoneCLI
import PhoneDelivery
import PhoneDomain
import SQLiteStore

extension Settings {
    /// What others on this machine can read or change though it is for the service alone, and what to do about it. The keys are
    /// not among it, which are refused then.
    ///
    /// - Parameter file: the file of settings, if there is one.
    func exposures(file: String?) -> [String] {
        var exposures: [String] = []
        func look(_ path: String, _ key: String, isFolder: Bool = false) {
            guard isExposed(path) else { return }
            exposures.append(
                "others on this machine can read or change \(path); chmod \(isFolder ? "700" : "600") it (\(key))"
            )
        }
        switch database {
        case .memory: break
        case .file(let path):
            let file = SQLiteStore.file(at: path)
            look(file.lastIndex(of: "/").map { String(file[...$0]) } ?? ".", "database.url", isFolder: true)
            for suffix in ["", "-wal", "-shm"] { look(file + suffix, "database.url") }
        case .postgresql(let text):
            let bearsSecret = (try? PostgreSQLURL(text).bearsSecret) ?? false
            if let file, bearsSecret, databaseURLIsInFile, isExposed(file, by: 0o066) {
                exposures.append(
                    "others can read \(file), and the password in it; chmod 600 it, or set PHONEPROOF_DATABASE_URL "
                        + "(database.url)"
                )
            }
        }
        for file in secretFiles { look(file.path, file.key) }
        return exposures
    }

    /// Whether only this machine can reach the service.
    var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether only this machine can reach what listens there: at its own name, ::1, or an address of 127.0.0.0/8
    /// (RFC 1122 section 3.2.1.3), and at no name that only looks like one.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Refuses to serve what must not be served.
    ///
    /// - Parameter stub: whether the SMS stub is served whatever the gateway.
    /// - Throws: ``Failure`` with what to do.
    func requireSafeToServe(stub: Bool = false) throws {
        guard (0...65_535).contains(port) else { throw Failure(.usage, "--port must be from 0 to 65535") }
        if !stub {
            try requireSafeProfile()
            try requireKeysOfStrangers()
        }
        if stub || gateways.contains(.stub), !isLoopback, !allowsRemoteStub {
            throw Failure(
                .configuration,
                "the SMS stub shows every code to anyone who can reach \(host); listen on 127.0.0.1, choose another "
                    + "sms.gateway, or set sms.stub.allow_remote to true if that is meant"
            )
        }
    }

    /// Refuses to serve without keys where others than the machine itself can call.
    private func requireKeysOfStrangers() throws {
        guard servesWithoutKeys, !isLoopback else { return }
        throw Failure(
            .configuration,
            "without API keys whoever can reach \(host) sends messages at your cost; listen on 127.0.0.1, or leave out "
                + "--insecure-no-keys (server.insecure_no_keys) and make keys by `phoneproof keys create`"
        )
    }

    private func requireSafeProfile() throws {
        guard profile == .production else { return }
        if servesWithoutKeys {
            throw Failure(
                .configuration,
                "profile is production, where no program is served without an API key; leave out --insecure-no-keys "
                    + "(server.insecure_no_keys), or set profile to development"
            )
        }
        if abusePolicy.testNumbers.count > 0, !allowsTestNumbersInProduction {
            throw Failure(
                .configuration,
                "whoever knows a test number's code is signed up by it; remove test_numbers.numbers, or set "
                    + "test_numbers.allow_in_production to true if that is meant"
            )
        }
        if let webhooks, webhooks.endpoint.isPlain, !webhooks.endpoint.isLoopback {
            throw Failure(
                .configuration,
                "profile is production, and numbers can be read on their way to \(webhooks.endpoint.origin); name an https "
                    + "address by webhooks.url, or set profile to development"
            )
        }
        if let inner = gateways.first(where: { $0 == .stub || $0 == .console }) {
            throw Failure(
                .configuration,
                "profile is production, and no message leaves the service by sms.gateway \(inner.rawValue); choose "
                    + "another gateway, or set profile to development"
            )
        }
    }
}
