import CoreMetrics
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import SMSStub
import Tracing

extension Settings {
    /// - Returns: nil if what the gateway needs is not set.
    func makeGateway(_ gateway: Gateway, stub: SMSStub?, clock: any WallClock) -> (any MessageGateway)? {
        switch gateway {
        case .stub:
            stub.map { StubGateway(stub: $0, sender: messageContext.service.description) }
        case .console: ConsoleGateway(write: { line in StandardError.write(line) })
        case .twilio:
            sms.twilio.map {
                TwilioGateway(
                    account: $0.account,
                    sender: $0.sender,
                    address: $0.address,
                    statusCallback: $0.statusCallback,
                    connectTimeout: connectTimeout
                )
            }
        case .sens:
            sms.sens.map {
                SENSGateway(
                    account: $0.account,
                    sender: $0.sender,
                    allowsLongMessages: messages.allowsLong,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    wallClock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .solapi:
            sms.solapi.map {
                SolapiGateway(
                    account: $0.account,
                    sender: $0.sender,
                    alimtalk: $0.alimtalk,
                    allowsLongMessages: messages.allowsLong,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    identifiers: OpenSSLRandom(),
                    wallClock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .sns:
            sms.amazonSNS.map {
                SNSGateway(
                    credentials: $0.credentials,
                    region: $0.region,
                    sender: $0.sender,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    clock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .vonage:
            sms.vonage.map {
                VonageGateway(
                    account: $0.account,
                    sender: $0.sender,
                    address: $0.address,
                    connectTimeout: connectTimeout
                )
            }
        case .http:
            sms.http.map { HTTPGateway(configuration: $0, connectTimeout: connectTimeout) }
        }
    }

    private var connectTimeout: Duration { min(sms.timeout / 2, .seconds(5)) }

    /// Receives Twilio's receipts; nil without `sms.twilio.status_callback_url`.
    func makeTwilioReceipts(recordedBy dispatcher: OutboxDispatcher) -> TwilioReceipts? {
        guard let twilio = sms.twilio, let address = twilio.statusCallback else { return nil }
        return TwilioReceipts(
            account: twilio.account,
            address: address,
            authenticator: OpenSSLRequestAuthenticator(),
            dispatcher: dispatcher
        )
    }
}

extension Settings.Webhooks {
    func poster(clock: any WallClock, observation: Observation = .none) -> WebhookPoster {
        WebhookPoster(
            transport: HTTPWebhookTransport(endpoint: endpoint, connectTimeout: min(timeout / 2, .seconds(5))),
            signer: OpenSSLEventSigner(secrets: secrets),
            timeout: timeout,
            wallClock: clock,
            metrics: observation.metrics,
            tracer: observation.tracer
        )
    }

    /// - Parameter signal: woken when the store has a new event.
    func dispatcher(
        of store: any EventStore,
        signal: WakeSignal,
        clock: any WallClock,
        observation: Observation,
        logger: Logger
    ) -> WebhookDispatcher {
        var configuration = WebhookConfiguration()
        configuration.timeout = timeout
        configuration.maxAttempts = maxAttempts
        return WebhookDispatcher(
            store: store,
            poster: poster(clock: clock, observation: observation),
            configuration: configuration,
            signal: signal,
            logger: logger
        )
    }
}

extension Settings.SMS {
    var dispatching: DispatcherConfiguration {
        var configuration = DispatcherConfiguration.standard
        configuration.maxConcurrentSends = maxConcurrentSends
        configuration.sendTimeout = timeout
        configuration.lease = timeout * 6
        configuration.maxAttempts = maxAttempts
        configuration.breakerFailures = breakerFailures
        configuration.breakerOpenTime = breakerOpenTime
        configuration.longestBreakerOpenTime = max(breakerOpenTime, .seconds(120))
        return configuration
    }
}
