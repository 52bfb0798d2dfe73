public import PhoneProofClient
public import PhoneSignup
import Synchronization

/// A server that gives these answers, one after another, and records what it was asked.
public final class ScriptedTransport: HTTPTransport {
    public enum Answer: Sendable {
        case response(Int, String, headers: [String: String] = [:])
        case lost
    }

    private struct State {
        var answers: [Answer]
        var requests: [HTTPTransportRequest] = []
        var pauses: [Duration] = []
        var keys = 0
    }

    private struct Lost: Error, CustomStringConvertible { let description = "connection reset" }

    private let state: Mutex<State>

    public init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

    public convenience init(_ answers: Answer...) { self.init(answers) }

    /// Method, path and body of each request.
    public var requests: [String] {
        state.withLock { $0.requests }.map { request in
            let path = String(request.url.dropFirst("https://phone.test".count))
            let body = String(decoding: request.body, as: UTF8.self)
            return "\(request.method) \(path)" + (body.isEmpty ? "" : " \(body)")
        }
    }

    public func headers(_ name: String) -> [String?] { state.withLock { $0.requests.map { $0.headers[name] } } }

    /// How long the client waited before each repetition.
    public var pauses: [Duration] { state.withLock { $0.pauses } }

    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        // Others get their turn, as with a real network.
        await Task.yield()
        let answer: Answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? .lost : state.answers.removeFirst()
        }
        guard case .response(let status, let body, let headers) = answer else { throw Lost() }
        return HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    /// A client of this server, by default on 1970-01-01T00:16:40Z.
    public func client(
        retries: PhoneProofClient.Retries = PhoneProofClient.Retries(),
        now: @escaping @Sendable () -> Timestamp = { Timestamp(seconds: 1000) }
    ) -> PhoneProofClient? {
        PhoneProofClient(
            server: "https://phone.test/",
            language: "ko",
            transport: self,
            retries: retries,
            pause: { duration in self.state.withLock { $0.pauses.append(duration) } },
            makeKey: {
                self.state.withLock {
                    $0.keys += 1
                    return "key-\($0.keys)"
                }
            },
            now: now
        )
    }
}
