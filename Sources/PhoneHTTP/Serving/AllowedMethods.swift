import HTTPTypes
import Hummingbird

/// Which methods a path knows, for requests that no route takes.
struct AllowedMethods: Sendable {
    private struct Path: Sendable {
        let path: RouterPath
        let methods: Set<HTTPRequest.Method>
    }

    private let paths: [Path]

    /// The methods of this router, whose responder must have been built: only then does it know HEAD.
    init(of router: Router<APIContext>) {
        paths = Dictionary(grouping: router.routes, by: \.path.description).values.compactMap { routes in
            routes.first.map { Path(path: $0.path, methods: Set(routes.map(\.method))) }
        }
    }

    /// What to answer a request that no route took.
    ///
    /// - Throws: ``Problem`` for an unknown path, and for a known one by another method, with `Allow`
    ///   (RFC 9110 section 15.5.6).
    func answer(to request: Request) throws -> Response {
        guard let allowed = allowed(to: request) else {
            throw Self.notFound
        }
        if request.method == .options { return Response(status: .noContent, headers: [.allow: allowed]) }
        throw Self.problem(allowed: allowed)
    }

    static let notFound = Problem(.notFound, "There is nothing at this path.")

    /// What is answered by any other method than these.
    static func problem(allowed: String) -> Problem {
        var problem = Problem(.methodNotAllowed, "This path takes \(allowed).")
        problem.headers[.allow] = allowed
        return problem
    }

    private func allowed(to request: Request) -> String? {
        // OPTIONS * asks of the server, and of no path of it (RFC 9110 section 9.3.7).
        let isAboutAll = request.method == .options && request.head.path == "*"
        let parts = request.uri.path.split(separator: "/")
        let matching = paths.filter { isAboutAll || $0.path.matches(parts) }
        // What takes whatever nobody else takes says nothing of a path that somebody has.
        let named = matching.filter { !$0.path.description.hasSuffix("**") }
        let methods = (named.isEmpty ? matching : named).reduce(into: Set<String>()) { names, path in
            names.formUnion(path.methods.map(\.rawValue))
        }
        guard !methods.isEmpty else { return nil }
        return methods.union(["OPTIONS"]).sorted().joined(separator: ", ")
    }
}

extension RouterPath {
    fileprivate func matches(_ parts: [Substring]) -> Bool {
        components.count == parts.count && zip(components, parts).allSatisfy { $0 ~= $1 }
    }
}
