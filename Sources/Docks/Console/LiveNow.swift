import HTTPTypes
import PhoneAdministration
package import PhoneDomain
package import PhoneHTTP

/// The part of Now that changes, for all who look at it. However many streams there are, it is made once an interval,
/// and not at all while there are none.
package actor LiveNow {
    /// Streams take connections. Each browser window has one while it is seen.
    package static let mostStreams = 50
    /// As many as windows of one operator may be seen at a time: nobody keeps the others out.
    package static let mostStreamsOfOne = 10

    private let pause: @Sendable () async throws -> Void
    private let make: @Sendable () async throws -> HTML
    private var watchers: [Int: (owner: Owner, stream: AsyncStream<String>.Continuation)] = [:]
    private var lastWatcher = 0
    private var work: Task<Void, Never>?

    /// - Parameters:
    ///   - pause: returns after the interval, and throws if the task is cancelled.
    ///   - make: makes the part.
    package init(pause: @escaping @Sendable () async throws -> Void, make: @escaping @Sendable () async throws -> HTML)
    {
        (self.pause, self.make) = (pause, make)
    }

    /// The part after each interval from now on, as an event. Nil if there are too many streams, or of this owner.
    package func parts(for owner: Owner) -> AsyncStream<String>? {
        guard watchers.count < Self.mostStreams,
            watchers.values.count(where: { $0.owner == owner }) < Self.mostStreamsOfOne
        else { return nil }
        let (parts, watcher) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let ticket = lastWatcher
        watchers[ticket] = (owner, watcher)
        watcher.onTermination = { _ in Task { await self.forget(ticket) } }
        if work == nil { work = Task { await run() } }
        return parts
    }

    private func forget(_ ticket: Int) {
        watchers[ticket] = nil
        guard watchers.isEmpty else { return }
        work?.cancel()
        work = nil
    }

    private func run() async {
        while (try? await pause()) != nil, !Task.isCancelled {
            // A comment shows whether the client is still there.
            let part = (try? await make().event) ?? ":\n\n"
            for watcher in watchers.values { watcher.stream.yield(part) }
        }
    }
}

extension ConsoleRoutes {
    /// Server-sent events, while somebody is signed in. The page asks anew after some minutes: a client may have gone
    /// unnoticed.
    func events(_ request: Request, _ context: APIContext, _ live: LiveNow) async throws -> Response {
        guard let visitor = try await sessions.visitor(of: request, from: context.address) else {
            // The page loads again, and so shows the sign-in.
            return Response(text: "event: end\ndata:\n\n", contentType: "text/event-stream")
        }
        guard let parts = await live.parts(for: visitor.owner) else { return Response(status: .serviceUnavailable) }
        return Response(
            events: parts.prefix(100).map { part in
                guard try await sessions.visitor(of: request, from: nil) != nil else { throw ConsoleRefusal.role }
                return part
            }
        )
    }
}
