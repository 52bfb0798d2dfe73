import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings.Webhooks {
    /// Signs and posts to the endpoint.
    func poster(clock: any WallClock) -> WebhookPoster {
        WebhookPoster(
            transport: HTTPWebhookTransport(endpoint: endpoint, connectTimeout: min(timeout / 2, .seconds(5))),
            signer: OpenSSLEventSigner(secrets: secrets),
            timeout: timeout,
            wallClock: clock
        )
    }

    /// Tells what the store keeps.
    ///
    /// - Parameter signal: woken when something was announced.
    func dispatcher(
        of store: any EventStore,
        signal: WakeSignal,
        clock: any WallClock,
        logger: Logger
    ) -> WebhookDispatcher {
        var configuration = WebhookConfiguration()
        configuration.timeout = timeout
        configuration.maxAttempts = maxAttempts
        return WebhookDispatcher(
            store: store,
            poster: poster(clock: clock),
            configuration: configuration,
            signal: signal,
            logger: logger
        )
    }
}
