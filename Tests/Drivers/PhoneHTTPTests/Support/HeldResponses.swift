import NIOCore
import Synchronization

@testable import PhoneHTTP

/// The requests of an embedded connection, each of which waits until the test responds.
final class HeldResponses: Sendable {
    private let held = Mutex<(requests: [Request], waiting: [Int: UnsafeContinuation<Response, Never>])>(([], [:]))
    /// What is streamed; the test writes it.
    private let (streamed, continuation) = AsyncStream<StreamedResponse>.makeStream()

    var requests: [Request] { held.withLock { $0.requests } }

    func responder(for channel: any Channel) -> Responder {
        Responder(
            { request, _ in
                await withUnsafeContinuation { response in
                    self.held.withLock {
                        $0.waiting[$0.requests.count] = response
                        $0.requests.append(request)
                    }
                }
            },
            streamedResponses: continuation,
            for: channel
        )
    }

    /// Responds to the request with this index.
    func answer(_ index: Int, _ response: Response) {
        held.withLock { $0.waiting.removeValue(forKey: index) }?.resume(returning: response)
    }
}
