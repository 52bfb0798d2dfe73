import NIOCore
import Synchronization

@testable import PhoneHTTP

/// The requests of an embedded connection, each of which waits until the test responds.
final class HeldResponses: Sendable {
    private typealias Send = @Sendable (@escaping @Sendable () -> Response) -> Void
    private let held = Mutex<(requests: [Request], waiting: [Int: Send])>(([], [:]))
    /// What is streamed; the test writes it.
    private let (streamed, continuation) = AsyncStream<StreamedResponse>.makeStream()

    var requests: [Request] { held.withLock { $0.requests } }

    func responder(for channel: any Channel) -> Responder {
        Responder(
            { request, _, _, send in
                self.held.withLock {
                    $0.waiting[$0.requests.count] = send
                    $0.requests.append(request)
                }
            },
            streamedResponses: continuation,
            for: channel
        )
    }

    /// Responds to the request with this index.
    func answer(_ index: Int, _ response: Response) {
        held.withLock { $0.waiting.removeValue(forKey: index) }? { response }
    }
}
