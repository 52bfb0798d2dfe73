package import HTTPTypes
public import Hummingbird
import PhoneDomain

/// The routes of a service: which methods of which paths it responds to, and how. A path has literal parts, captures such as `{id}`,
/// and perhaps `**` at its end, which takes what no other path does.
///
/// Not Hummingbird's own: that takes each path apart by characters, which was a seventh of the instructions that the HTTP side took
/// for a check of a code.
public final class APIRouter: RouterMethods {
    public typealias Context = APIContext

    package struct Route: Sendable {
        package let path: String
        package let method: HTTPRequest.Method
        let responder: any HTTPResponder<APIContext>
    }

    package private(set) var routes: [Route] = []
    private var filters: [any MiddlewareProtocol<Request, Response, APIContext>] = []

    public init() {}

    @discardableResult
    public func on<Responder: HTTPResponder>(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        responder: Responder
    ) -> Self where Responder.Context == APIContext {
        let filtered = filters.reversed().reduce(responder as any HTTPResponder<APIContext>) { next, filter in
            if let filter = filter as? any RequestFilter { return CheckingResponder(filter: filter, next: next) }
            return FilteredResponder(filter: filter, next: next)
        }
        routes.append(Route(path: path.description, method: method, responder: filtered))
        return self
    }

    /// For the routes that are added after it.
    @discardableResult
    public func add(middleware: any MiddlewareProtocol<Request, Response, APIContext>) -> Self {
        filters.append(middleware)
        return self
    }
}

/// What ``RequestFilter/handle(_:context:next:)`` does, without the closure and its way to the executor and back.
private struct CheckingResponder: HTTPResponder {
    let filter: any RequestFilter
    let next: any HTTPResponder<APIContext>

    func respond(to request: Request, context: APIContext) async throws -> Response {
        var context = context
        try await filter.check(request, &context)
        return try await next.respond(to: request, context: context)
    }
}

private struct FilteredResponder: HTTPResponder {
    let filter: any MiddlewareProtocol<Request, Response, APIContext>
    let next: any HTTPResponder<APIContext>

    func respond(to request: Request, context: APIContext) async throws -> Response {
        try await filter.handle(request, context: context) { try await next.respond(to: $0, context: $1) }
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
        let responders: [HTTPRequest.Method: any HTTPResponder<APIContext>]
        fileprivate let captures: [String]

        fileprivate init?(_ routes: [APIRouter.Route]) {
            guard let path = routes.first?.path else { return nil }
            self.path = path
            var responders = Dictionary(routes.map { ($0.method, $0.responder) }) { _, last in last }
            responders[.head] = responders[.head] ?? responders[.get]
            self.responders = responders
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

    init(_ router: APIRouter) {
        root = Node(router.routes.map { ($0.path.split(separator: "/")[...], $0) })
        allMethods = Set(router.routes.map(\.method)).union([.head])
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

    /// What a request gets that no route responds to.
    ///
    /// - Throws: ``Problem`` for an unknown path, and for another method of a known one, with `Allow` (RFC 9110 section
    ///   15.5.6).
    func response(to request: Request, at endpoint: Endpoint?) throws -> Response {
        // `OPTIONS *` is about the server, not about a path (RFC 9110 section 9.3.7).
        let isAboutAll = request.method == .options && request.head.path == "*"
        guard let methods = isAboutAll ? allMethods : endpoint.map({ Set($0.responders.keys) }) else {
            throw Self.notFound
        }
        let allowed = methods.union([.options]).map(\.rawValue).sorted().joined(separator: ", ")
        if request.method == .options { return Response(status: .noContent, headers: [.allow: allowed]) }
        throw Problem(.methodNotAllowed, "This path allows \(allowed).", headers: [.allow: allowed])
    }

    private static let notFound = Problem(.notFound, "There is no such path.")
}
