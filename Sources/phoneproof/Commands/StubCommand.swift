import ArgumentParser
import Hummingbird
import Logging
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneHTTP

/// The SMS stub alone.
struct StubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms-stub",
        abstract: "Take text messages in place of a carrier, and show them.",
        discussion: """
            Speaks Twilio's Messages API, so that any program that sends by Twilio can be pointed at it, and shows what \
            came at /inbox and /stub/messages. Posts what became of a message to its StatusCallback, if it has one, signed \
            under the auth token that its sender showed.
            """
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port = 8081

    @OptionGroup var options: ConfigurationOptions

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
            let stub = SMSStub(identifiers: OpenSSLRandom(), wallClock: clock)
            let server = Application(
                serving: StubAPI(
                    stub: stub,
                    identifiers: OpenSSLRandom(),
                    clock: clock,
                    servesAnyone: settings.allowsRemoteStub
                ).makeRouter(),
                host: host,
                port: port,
                limits: settings.connectionLimits,
                clock: clock,
                logger: logger,
                onServerRunning: { [host] port in Ready(host: host, port: port).announce() }
            )
            try await runServices(
                [StubService(stub: stub, logger: logger), server],
                logger: logger,
                at: "\(host):\(port)"
            )
            return .done
        }
    }
}
