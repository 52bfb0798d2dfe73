import PhoneCLI

extension Settings {
    /// Whether only this machine can reach the service.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Refuses to serve what must not be served.
    ///
    /// - Parameter stub: whether the SMS stub is served whatever the gateway.
    /// - Throws: ``Failure`` with what to do.
    func requireSafeToServe(stub: Bool = false) throws {
        guard (0...65_535).contains(port) else { throw Failure(.usage, "--port must be from 0 to 65535") }
        if stub || gateway == .stub, !isLoopback, !allowsRemoteStub {
            throw Failure(
                .configuration,
                "the SMS stub shows every code to anyone who can reach \(host); listen on 127.0.0.1, choose another "
                    + "sms.gateway, or set sms.stub.allow_remote to true if that is meant"
            )
        }
    }
}
