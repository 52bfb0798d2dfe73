import ArgumentParser
import Hummingbird
import Logging
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import ServiceLifecycle

/// The SMS stub alone.
struct StubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms-stub",
        abstract: "Take text messages in place of a carrier, and show them.",
        discussion: """
            Speaks Twilio's Messages API, so that any program that sends by Twilio can be pointed at it, and shows what \
            came at /inbox and /stub/messages. Posts what became of a message to its StatusCallback, if it has one, signed \
            under the auth token that its sender showed. For programs that know https://api.twilio.com and no other address, \
            name it in sms.stub.hosts, have it resolve to this machine, and give a certificate for it.
            """
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port = 8081

    @Option(help: ArgumentHelp("Speak TLS with the certificate in this file (PEM).", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"))
    var tlsKey: String?

    @OptionGroup var options: ConfigurationOptions

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together; give both or neither.")
        }
    }

    func run() async throws {
        try await reporting {
            var settings = try await options.load()
            (settings.host, settings.port) = (host, port)
            try settings.requireSafeToServe(stub: true)
            let clock = SteadyClock.ofMachine()
            let logger = Logger.standardError(level: settings.logLevel, format: settings.observability.logFormat)
            settings.connectionLimits.maxConnections = min(
                settings.connectionLimits.maxConnections,
                OpenFiles.raiseLimit()
            )
            var tls: (identity: TLSIdentityInUse, service: CertificateService)?
            if let tlsCertificate, let tlsKey {
                let names = (certificate: "--tls-certificate", key: "--tls-key")
                let files = TLSFiles(certificate: tlsCertificate, key: tlsKey, names: names)
                // No header for browsers: a name that is somebody else's must not be theirs to come back to by TLS alone.
                let settings = Settings.TLS(files: files, transportSecurity: .zero)
                tls = try await settings.makeIdentity(clock: clock, logger: logger)
            }
            let stub = SMSStub(identifiers: OpenSSLRandom(), wallClock: clock)
            let server = Application(
                serving: StubAPI(
                    stub: stub,
                    identifiers: OpenSSLRandom(),
                    clock: clock,
                    servesAnyone: settings.allowsRemoteStub,
                    hosts: settings.stubHosts
                ).makeRouter(),
                host: host,
                port: port,
                limits: settings.connectionLimits,
                identity: tls?.identity,
                clock: clock,
                logger: logger,
                onServerRunning: { [host, isSecure = tls != nil] port in
                    Ready(host: host, port: port, isSecure: isSecure).announce()
                }
            )
            var services: [any Service] = [StubService(stub: stub, logger: logger), server]
            if let tls { services.insert(tls.service, at: 1) }
            try await runServices(services, logger: logger, at: "\(host):\(port)")
            return .done
        }
    }
}
