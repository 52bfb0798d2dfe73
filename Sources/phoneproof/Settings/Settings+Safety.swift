import PhoneCLI
import PhoneDelivery
import PhoneDomain

extension Settings {
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
