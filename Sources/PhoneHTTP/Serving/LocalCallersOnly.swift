import HTTPTypes
import Hummingbird

/// Lets nobody through but programs on the machine itself, where what they do is served to whoever can reach it.
///
/// A server that listens on loopback alone is reached by others all the same: through a proxy on the machine, and
/// through a browser on it that was sent to a name which resolves to 127.0.0.1 (DNS rebinding). Both show in the request:
/// the one by the fields that a proxy adds or by the name that it passes on, the other by that name.
struct LocalCallersOnly: RouterMiddleware {
    typealias Context = BasicRequestContext

    private static let names: Set<Substring> = ["localhost", "127.0.0.1", "[::1]"]

    private static let fieldsOfProxies: [HTTPField.Name] = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isLocal(request) else {
            throw Problem.unauthorized(
                "This is served to programs on the machine itself only; call it at 127.0.0.1, and not through a proxy."
            )
        }
        return try await next(request, context)
    }

    static func isLocal(_ request: Request) -> Bool {
        guard let authority = request.head.authority?.lowercased() else { return false }
        let port = authority.reversed().prefix { $0.isASCII && $0.isNumber }
        let name = authority.dropLast(port.count)
        let host = name.last == ":" && !port.isEmpty ? name.dropLast() : authority[...]
        return names.contains(host) && !fieldsOfProxies.contains { request.headers.contains($0) }
    }
}
