import CoreMetrics
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import Tracing

extension Settings.Webhooks {
    /// Signs and posts to the endpoint.
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

    /// Tells what the store keeps.
    ///
    /// - Parameters:
    ///   - store: what keeps it.
    ///   - signal: woken when something was announced.
    ///   - clock: says what time it is.
    ///   - observation: measures and traces it.
    ///   - logger: is told what goes wrong.
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
