import HTTPTypes
public import Hummingbird
import NIOCore

/// The metrics of the service, for Prometheus to read.
public struct MetricsPage: Sendable {
    /// What to answer.
    public struct Content: Sendable {
        /// The media type.
        public let type: String
        /// The body.
        public let text: String

        /// A text of this type.
        public init(type: String, text: String) {
            self.type = type
            self.text = text
        }
    }

    private let read: @Sendable (_ accept: String?) async -> Content

    /// - Parameter read: makes the text, in the format that suits the value of `Accept` best.
    public init(_ read: @escaping @Sendable (_ accept: String?) async -> Content) {
        self.read = read
    }

    /// A router that has nothing but this, at `/metrics`, for a listener of its own.
    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.get("/metrics", use: show)
        return router
    }

    @Sendable func show(request: Request, context: APIContext) async throws -> Response {
        let content = await read(request.headers[.accept])
        return Response(
            status: .ok,
            headers: [.contentType: content.type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: content.text))
        )
    }
}
