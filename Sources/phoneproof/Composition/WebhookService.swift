import PhoneDelivery
import ServiceLifecycle

/// Events, told for as long as the service runs.
struct WebhookService: Service {
    let dispatcher: WebhookDispatcher

    func run() async {
        await cancelWhenGracefulShutdown { await dispatcher.run() }
    }
}
