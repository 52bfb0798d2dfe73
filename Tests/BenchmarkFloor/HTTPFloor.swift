import Glibc
import Hummingbird
import Logging

/// A Hummingbird server as its own documentation shows one: JSON in and out by Codable, no middleware, no log line for a
/// request. The threads are those that Hummingbird takes by itself, as for PhoneProof.
enum HTTPFloor {
    static func serve() async throws {
        let router = Router()
        router.post("start") { request, context in
            VerificationAnswer(of: try await request.decode(as: StartRequest.self, context: context).phoneNumber)
        }
        router.post("check") { request, context in
            VerificationAnswer(of: try await request.decode(as: CheckRequest.self, context: context).code)
        }
        // Forms, as Twilio's programs send them.
        for (path, isCheck) in [("twilio-start", false), ("twilio-check", true)] {
            router.post(RouterPath(path)) { request, _ in
                _ = try await request.body.collect(upTo: 65_536)
                return TwilioAnswer(isCheck: isCheck)
            }
        }
        var logger = Logger(label: "floor")
        logger.logLevel = .error
        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), backlog: 4096),
            onServerRunning: { channel in
                print("BenchmarkFloor is ready at http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            },
            logger: logger
        )
        try await server.runService()
    }
}
