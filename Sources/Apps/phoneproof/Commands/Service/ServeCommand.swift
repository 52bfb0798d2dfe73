import ArgumentParser
import PhoneDomain
import PhoneService

private func listeningHost(_ text: String) throws -> String {
    guard let host = Settings.listeningHost(text) else {
        throw ValidationError("it must be \(Settings.listeningHostForm)")
    }
    return host
}

struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the HTTP service.",
        discussion: """
            Prints its URL, and what to open next, when it is ready. In a terminal, in local development, each request is a short \
            line, and messages are shown. On SIGTERM it finishes pending requests and exits with 0. If a service \
            manager passes a listening socket (systemd.socket), it listens on that one instead of host and port.
            """
    )

    @Option(help: "The address to listen on.", transform: listeningHost) var host: String?
    @Option(help: "The port to listen on; 0 for any free port.") var port: Int?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Accept requests without an API key.",
            discussion: "For trying it out; only with a loopback address."
        )
    )
    var insecureNoKeys = false

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let socket = try InheritedSocket.take()
        let load = { @Sendable [options, insecureNoKeys, host, port, address = socket?.address] in
            var settings = try options.load()
            if insecureNoKeys { settings.server.servesWithoutKeys = true }
            settings.server.host = host ?? settings.server.host
            settings.server.port = port ?? settings.server.port
            if let address { (settings.server.host, settings.server.port) = address }
            return settings
        }
        let settings = try load()
        try settings.requireSafeToServe()
        let (logger, threshold) = settings.adjustableLogger
        let service = try await buildService(
            settings,
            socket: socket,
            keyCommand: options.command("keys", "create", "--name", "my-app"),
            reloading: load,
            threshold: threshold,
            logger: logger
        )
        defer { service.core.store.close() }
        try await service.run()
    }
}

struct StubCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sms-stub",
        abstract: "Run a fake SMS gateway that captures messages.",
        discussion: """
            Implements Twilio's Messages API, so that programs that send with Twilio can use it, and shows the messages at \
            /inbox and /stub/messages. Posts delivery statuses to a message's StatusCallback, signed with the auth token of \
            its sender. For programs with a fixed https://api.twilio.com, add that name to sms.stub.hosts, let it resolve to \
            this machine, and provide a certificate for it.
            """
    )

    @Option(help: "The address to listen on.", transform: listeningHost) var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 for any free port.") var port = 8081

    @Option(
        help: ArgumentHelp("Serve HTTPS with the certificate in this file (PEM).", valueName: "file"),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"), completion: .file())
    var tlsKey: String?

    @OptionGroup var options: ConfigurationOptions

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key must be set together")
        }
    }

    func execute() async throws {
        var settings = try options.load()
        (settings.server.host, settings.server.port) = (host, port)
        try settings.requireSafeToServe(stub: true)
        var files: TLSFiles?
        if let tlsCertificate, let tlsKey {
            let names = (certificate: "--tls-certificate", key: "--tls-key")
            files = TLSFiles(certificate: tlsCertificate, key: tlsKey, names: names)
        }
        try await runStub(settings, tls: files, logger: settings.logger)
    }
}
