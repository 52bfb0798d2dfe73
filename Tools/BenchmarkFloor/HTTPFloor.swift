// For its allocator, which is PhoneProof's too.
import CJemalloc
import Glibc
import HTTPTypes
import Logging
import NIOCore
import PhoneDomain
import PhoneHTTP
import PhoneSignup

/// PhoneProof's own server with nothing behind it: it reads each body and answers with one as long as PhoneProof's.
enum HTTPFloor {
    private struct SystemClock: WallClock {
        func now() -> Timestamp { Timestamp(milliseconds: Int64(time(nil)) * 1000) }
    }

    static func serve() async throws {
        let router = APIRouter()
        // The lengths of the responses to `POST /v1/verifications` and its checks, and to Twilio Verify's two calls.
        for (path, length) in [("start", 341), ("check", 341), ("twilio-start", 617), ("twilio-check", 351)] {
            let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: length)
            router.post(path) { request, _ in
                _ = try await request.body.collect()
                return Response(status: .ok, headers: [.contentType: "application/json"], body: .whole(bytes))
            }
        }
        var logger = Logger(label: "floor")
        logger.logLevel = .error
        let service = HTTPService(
            serving: router,
            ServerOptions(host: "127.0.0.1", port: 0),
            clock: SystemClock(),
            logger: logger,
            onServerRunning: { port in
                print("BenchmarkFloor is ready at http://127.0.0.1:\(port)")
                fflush(nil)
            }
        )
        try await service.run()
    }
}
