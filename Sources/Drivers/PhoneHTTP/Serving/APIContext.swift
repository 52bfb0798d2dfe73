package import Logging
package import PhoneDomain
import Synchronization

/// What is known of a request beside itself.
package struct APIContext: Sendable {
    /// The ID that the request came with, or a new one; set by ``APIResponder``.
    var id: String?
    private let serverLogger: Logger
    /// Made for those who write a line, with the request's ID.
    package var logger: Logger {
        var logger = serverLogger
        if let id { logger[metadataKey: "request.id"] = .string(id) }
        return logger
    }
    /// Where its route runs, if that is a task: on the connection's event loop. Nil for anywhere.
    let executor: (any TaskExecutor)?
    /// The other end of the connection, a client or a proxy; nil if it is unknown.
    let peer: IPAddress?
    /// Whether the connection has been closed already, so that its address is lost.
    let isAbandoned: Bool
    /// The language of messages for people, unless the client prefers another; set by ``APIResponder``.
    package var language = LanguageTag.english
    /// The template of the path, such as `/v1/verifications/{id}`; nil if no route matched. Set by ``APIResponder``, as
    /// are the parameters.
    var route: String?
    package var parameters = PathParameters()
    /// The address by which limits know the client, if there is one.
    package var address: ClientAddress?
    /// Set by ``CallersOnly``.
    var caller: Caller?
    /// The client of an API in somebody else's words, set by a filter of its own.
    package var client: (any Sendable)?
    /// Set by ``SignedInOnly``.
    var signedIn: SignedIn?

    /// - Parameter peer: nil for a request of this process itself.
    package init(peer: Peer?, executor: (any TaskExecutor)? = nil, logger: Logger) {
        (self.peer, isAbandoned) = (peer?.address, peer?.isAbandoned ?? false)
        (self.executor, serverLogger) = (executor, logger)
    }

    /// Whether a line of this level is written.
    func logs(_ level: Logger.Level) -> Bool { serverLogger.logLevel <= level }
}

/// IDs of requests that brought none: unique in this process, and by chance among all. They are no secret.
enum RequestID {
    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    static func make() -> String {
        start.paddedHexadecimal + count.wrappingAdd(1, ordering: .relaxed).newValue.paddedHexadecimal
    }
}
