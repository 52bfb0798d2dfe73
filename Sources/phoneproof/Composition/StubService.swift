import Logging
import OpenSSLCrypto
import PhoneDelivery
import ServiceLifecycle

/// Moves the messages in the SMS stub on, and tells their senders, until the program is to end.
struct StubService: Service {
    private let stub: SMSStub
    private let callbacks: StubCallbacks

    init(stub: SMSStub, logger: Logger) {
        self.stub = stub
        callbacks = StubCallbacks(
            authenticator: OpenSSLRequestAuthenticator(),
            identifiers: OpenSSLRandom(),
            logger: logger
        )
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            async let moving: Void = stub.run()
            await callbacks.run(stub.changes)
            await moving
        }
    }
}
