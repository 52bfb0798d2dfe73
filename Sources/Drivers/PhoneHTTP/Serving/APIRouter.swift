package import HTTPTypes
import PhoneDomain

/// What a route does, in a task.
package typealias RouteHandler = @Sendable (Request, APIContext) async throws -> Response

/// What a short route does: all of its work, up to the store, on the connection's event loop, where the store's result
/// becomes the response. So it must neither wait nor take long. Its request has the whole body. It answers once, or
/// throws before it has.
package typealias ShortRouteHandler = @Sendable (Request, APIContext, @escaping Answer) throws -> Void

/// Called from any thread, with what makes the response on the connection's event loop.
package typealias Answer = @Sendable (@escaping @Sendable () throws -> Response) -> Void

/// Decides about a request before the routes behind it see it, and adds to its context.
package protocol RequestFilter: Sendable {
    /// - Throws: what the client gets instead of the route's response.
    func check(_ request: Request, _ context: inout APIContext) async throws
    /// The same where nothing has to be waited for.
    ///
    /// - Returns: whether that is so. If not, ``check(_:_:)`` decides.
    func checkAtOnce(_ request: Request, _ context: inout APIContext) throws -> Bool
}

extension RequestFilter {
    package func checkAtOnce(_ request: Request, _ context: inout APIContext) throws -> Bool { false }
}

/// Writes the errors of all requests below a path in the words of another API.
package typealias ErrorWriter = @Sendable (any Error, Request, APIContext) -> Response

typealias NotFoundPage = @Sendable (Request) throws -> Response

/// The routes of a service: which methods of which paths it responds to, and how. A path has literal parts, captures
/// such as `{id}`, and perhaps `**` at its end, which takes what no other path does.
public final class APIRouter {
    package struct Route: Sendable {
        package let path: String
        package let method: HTTPRequest.Method
        /// Whether pages or monitors request it every few seconds, so that a line of each would hide the others.
        let isPolled: Bool
        fileprivate let filters: [any RequestFilter]
        fileprivate let handler: Handler

        fileprivate enum Handler: Sendable {
            case short(ShortRouteHandler)
            case suspending(RouteHandler)
        }

        /// Without a task, if the route is short, its request is there and its filters need not wait.
        func respond(to request: Request, _ context: APIContext, _ answer: @escaping Answer) {
            do {
                if case .short(let handle) = handler, case .whole = request.body {
                    var context = context
                    if try filters.allSatisfy({ try $0.checkAtOnce(request, &context) }) {
                        return try handle(request, context, answer)
                    }
                }
            } catch {
                return answer { throw error }
            }
            Task(executorPreference: context.executor) {
                do {
                    var (request, context) = (request, context)
                    for filter in filters { try await filter.check(request, &context) }
                    switch handler {
                    case .suspending(let handle):
                        let response = try await handle(request, context)
                        answer { response }
                    case .short(let handle):
                        request.body = .whole(try await request.collectBody())
                        try handle(request, context, answer)
                    }
                } catch {
                    answer { throw error }
                }
            }
        }
    }

    /// What a router and its groups share.
    private final class Table {
        var routes: [Route] = []
        var errorWriters: [(root: String, write: ErrorWriter)] = []
        var pageAreas: [PageArea] = []
        var notFoundPage: NotFoundPage?
    }

    private let table: Table
    private let path: String
    private var filters: [any RequestFilter]

    public convenience init() { self.init(Table(), "", []) }

    private init(_ table: Table, _ path: String, _ filters: [any RequestFilter]) {
        (self.table, self.path, self.filters) = (table, path, filters)
    }

    package var routes: [Route] { table.routes }
    var errorWriters: [(root: String, write: ErrorWriter)] { table.errorWriters }
    var pageAreas: [PageArea] { table.pageAreas }
    /// What a browser shows for a path that nothing responds to; nil for the problem that programs get.
    var notFoundPage: NotFoundPage? {
        get { table.notFoundPage }
        set { table.notFoundPage = newValue }
    }

    private func join(_ part: String) -> String {
        part.isEmpty || part.hasPrefix("/") ? path + part : "\(path)/\(part)"
    }

    /// A router for the routes below a path, with the filters of this one so far.
    package func group(_ path: String = "") -> APIRouter { APIRouter(table, join(path), filters) }

    /// Filters the routes that are added after it.
    @discardableResult
    package func add(_ filter: some RequestFilter) -> Self {
        filters.append(filter)
        return self
    }

    /// Has every error below the path written so, that of an unknown path too.
    package func writeErrors(_ write: @escaping ErrorWriter) { table.errorWriters.append((path, write)) }

    /// Lets pages of the allowed other sites (``CrossOrigins``) use what is below the path: send these fields, and read
    /// these.
    package func openToPages(sending requestFields: [String], reading exposedFields: [String]) {
        table.pageAreas.append(PageArea(path, sending: requestFields, reading: exposedFields))
    }

    @discardableResult
    package func on(
        _ path: String = "",
        _ method: HTTPRequest.Method,
        isPolled: Bool = false,
        use handler: @escaping RouteHandler
    ) -> Self { add(path, method, isPolled, .suspending(handler)) }

    private func add(_ path: String, _ method: HTTPRequest.Method, _ isPolled: Bool, _ handler: Route.Handler) -> Self {
        table.routes.append(
            Route(path: join(path), method: method, isPolled: isPolled, filters: filters, handler: handler)
        )
        return self
    }

    @discardableResult
    package func get(_ path: String = "", isPolled: Bool = false, use handler: @escaping RouteHandler) -> Self {
        on(path, .get, isPolled: isPolled, use: handler)
    }

    @discardableResult
    package func post(_ path: String = "", use handler: @escaping RouteHandler) -> Self {
        on(path, .post, use: handler)
    }

    @discardableResult
    package func post(_ path: String = "", short handler: @escaping ShortRouteHandler) -> Self {
        add(path, .post, false, .short(handler))
    }

    @discardableResult
    package func put(_ path: String = "", use handler: @escaping RouteHandler) -> Self {
        on(path, .put, use: handler)
    }

    @discardableResult
    package func patch(_ path: String = "", use handler: @escaping RouteHandler) -> Self {
        on(path, .patch, use: handler)
    }

    @discardableResult
    package func delete(_ path: String = "", use handler: @escaping RouteHandler) -> Self {
        on(path, .delete, use: handler)
    }
}

/// What a path has where its route has a capture.
package struct PathParameters: Sendable {
    fileprivate var values: [(name: String, text: String)] = []

    package func get(_ name: String) -> String? { values.first { $0.name == name }?.text }
}

/// The routes of an ``APIRouter``, found by path.
struct RouteTable: Sendable {
    /// A path and what it does by each method; HEAD is what GET is, if it has no route of its own.
    final class Endpoint: Sendable {
        let path: String
        let routes: [HTTPRequest.Method: APIRouter.Route]
        fileprivate let captures: [String]

        fileprivate init?(_ routes: [APIRouter.Route]) {
            guard let path = routes.first?.path else { return nil }
            self.path = path
            var byMethod = Dictionary(routes.map { ($0.method, $0) }) { _, last in last }
            byMethod[.head] = byMethod[.head] ?? byMethod[.get]
            self.routes = byMethod
            captures = path.split(separator: "/").filter(Node.isCapture).map { String($0.dropFirst().dropLast()) }
        }
    }

    private final class Node: Sendable {
        let endpoint: Endpoint?
        let literals: [(part: [UInt8], node: Node)]
        let capture: Node?
        let others: Endpoint?

        /// - Parameter routes: each with the parts of its path that are left.
        init(_ routes: [(parts: ArraySlice<Substring>, route: APIRouter.Route)]) {
            func endpoint(whereNext part: Substring?) -> Endpoint? {
                Endpoint(routes.filter { $0.parts.first == part }.map(\.route))
            }
            func node(whereNext isNext: (Substring) -> Bool) -> Node? {
                let deeper = routes.filter { $0.parts.first.map(isNext) == true }
                return deeper.isEmpty ? nil : Node(deeper.map { ($0.parts.dropFirst(), $0.route) })
            }
            self.endpoint = endpoint(whereNext: nil)
            others = endpoint(whereNext: "**")
            capture = node(whereNext: Self.isCapture)
            let names = Set(routes.compactMap(\.parts.first).filter { $0 != "**" && !Self.isCapture($0) })
            literals = names.compactMap { name in node { $0 == name }.map { (Array(name.utf8), $0) } }
        }

        static func isCapture(_ part: Substring) -> Bool { part.hasPrefix("{") }

        func endpoint(
            of path: Slice<UnsafeBufferPointer<UInt8>>,
            _ captured: inout [Slice<UnsafeBufferPointer<UInt8>>]
        ) -> Endpoint? {
            let path = path.drop { $0 == UInt8(ascii: "/") }
            if path.isEmpty { return endpoint }
            let part = path.prefix { $0 != UInt8(ascii: "/") }
            let rest = path[part.endIndex...]
            for literal in literals where literal.part.count == part.count && part.elementsEqual(literal.part) {
                if let found = literal.node.endpoint(of: rest, &captured) { return found }
            }
            if let capture {
                captured.append(part)
                if let found = capture.endpoint(of: rest, &captured) { return found }
                captured.removeLast()
            }
            return others
        }
    }

    private let root: Node
    private let allMethods: Set<HTTPRequest.Method>
    private let errorWriters: [(root: String, write: ErrorWriter)]
    private let notFoundPage: NotFoundPage?

    init(_ router: APIRouter) {
        root = Node(router.routes.map { ($0.path.split(separator: "/")[...], $0) })
        allMethods = Set(router.routes.map(\.method)).union([.head])
        errorWriters = router.errorWriters
        notFoundPage = router.notFoundPage
    }

    /// - Parameter parameters: gets what the path has for the captures of its route.
    func endpoint(of path: String, _ parameters: inout PathParameters) -> Endpoint? {
        var path = path
        return path.withUTF8 { bytes in
            var captured: [Slice<UnsafeBufferPointer<UInt8>>] = []
            let endpoint = root.endpoint(of: bytes[...], &captured)
            if let endpoint {
                parameters.values = zip(endpoint.captures, captured).map { ($0, String(decoding: $1, as: UTF8.self)) }
            }
            return endpoint
        }
    }

    /// Who writes the errors of a request instead of ``Problem``.
    func errorWriter(for request: Request) -> ErrorWriter? {
        errorWriters.first { request.isAtOrBelow($0.root) }?.write
    }

    /// What a request gets that no route responds to.
    ///
    /// - Throws: ``Problem`` for an unknown path, and for another method of a known one, with `Allow` (RFC 9110 section
    ///   15.5.6).
    func response(to request: Request, at endpoint: Endpoint?) throws -> Response {
        // `OPTIONS *` is about the server, not about a path (RFC 9110 section 9.3.7).
        let isAboutAll = request.method == .options && request.target == "*"
        guard let methods = isAboutAll ? allMethods : endpoint.map({ Set($0.routes.keys) }) else {
            if let notFoundPage, request.isOfBrowser { return try notFoundPage(request) }
            throw Self.notFound
        }
        let allowed = methods.union([.options]).map(\.rawValue).sorted().joined(separator: ", ")
        if request.method == .options { return Response(status: .noContent, headers: [.allow: allowed]) }
        throw Problem(.methodNotAllowed, "This path allows \(allowed).", headers: [.allow: allowed])
    }

    private static let notFound = Problem(.notFound, "There is no such path.")
}

extension Request {
    /// Whether a person may read the response: a browser asks for HTML, and not below the API.
    fileprivate var isOfBrowser: Bool {
        [.get, .head].contains(method) && headers[.accept]?.contains("text/html") == true && !isAtOrBelow("/v1")
    }
}
