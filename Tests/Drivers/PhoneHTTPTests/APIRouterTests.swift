import PhoneHTTP
import PhoneTestSupport
import Testing

import struct HTTPTypes.HTTPRequest

/// Which route a path leads to, shown by what it responds.
@Suite struct APIRouterTests {
    private static func router() -> APIRouter {
        let router = APIRouter()
        func add(_ path: String, _ method: HTTPRequest.Method = .get) {
            router.on(path, method) { _, context in
                let values = ["id", "part"].compactMap { context.parameters.get($0) }
                return Response(text: "\(path) \(values.joined(separator: " "))", contentType: "text/plain")
            }
        }
        for path in ["/a/{id}", "/a/b", "/a/b/c/d", "/a/{id}/{part}/e", "/a/**"] { add(path) }
        add("/a/{id}", .delete)
        return router
    }

    @Test(arguments: [
        ("/a/b", "/a/b "), ("//a///b/", "/a/b "), ("/a/b?c=d", "/a/b "), ("/a/bb", "/a/{id} bb"),
        ("/a/%62", "/a/{id} %62"),
        ("/a/B", "/a/{id} B"), ("/a/b/c/d", "/a/b/c/d "), ("/a/b/c/e", "/a/{id}/{part}/e b c"),
        ("/a/x/y/e", "/a/{id}/{part}/e x y"), ("/a/x/y/f", "/a/** "), ("/a/b/c", "/a/** "), ("/a/b/c/d/e", "/a/** "),
    ])
    func literalsPrecedeCapturesAndThoseAllElse(path: String, route: String) async throws {
        try await RunningServer.run(Self.router(), clock: ManualClock(), logger: LogRecorder().logger, contract: nil) {
            server in
            let answer = try await server.send("GET", path)
            answer.expect(200, route)
        }
    }

    @Test func aPathKnowsItsMethods() async throws {
        try await RunningServer.run(Self.router(), clock: ManualClock(), logger: LogRecorder().logger, contract: nil) {
            server in
            func expect(_ method: String, _ path: String, _ status: Int, _ allowed: String?) async throws {
                let answer = try await server.send(method, path)
                #expect(answer.status == status, "\(method) \(path)")
                #expect(answer.headers["allow"] == allowed, "\(method) \(path)")
            }
            try await expect("HEAD", "/a/x", 200, nil)
            try await expect("DELETE", "/a/x", 200, nil)
            // Though another path that fits has no DELETE, and a literal one precedes it.
            try await expect("DELETE", "/a/b", 405, "GET, HEAD, OPTIONS")
            try await expect("PUT", "/a/x", 405, "DELETE, GET, HEAD, OPTIONS")
            try await expect("OPTIONS", "/a/x", 204, "DELETE, GET, HEAD, OPTIONS")
            try await expect("PUT", "/a/x/y/z", 405, "GET, HEAD, OPTIONS")
            for path in ["/", "/a", "/b", "/b/a"] { try await expect("GET", path, 404, nil) }
        }
    }
}
