import PhoneDelivery
import ServiceLifecycle

/// The outbox, drained for as long as the service runs.
struct DispatcherService: Service {
    let dispatcher: OutboxDispatcher

    func run() async {
        await cancelWhenGracefulShutdown { await dispatcher.run() }
    }
}
