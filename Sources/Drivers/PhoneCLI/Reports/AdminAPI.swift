public import CoreEncodings
public import PhoneDomain
package import PhoneProofClient

/// `/v1/admin` as commands call it, wherever it is: in this process, or that of a service.
public struct AdminAPI: Sendable {
    /// A path below `/v1/admin` with its query, and a body. Returns the body of the response, null if it has none.
    public typealias Send = @Sendable (_ method: String, _ path: String, _ body: JSON?) async throws -> JSON

    private let send: Send
    /// The most items that one response has.
    public let longestPage: Int
    private let reason: AuditReason?

    /// - Parameters:
    ///   - reason: why the operator acts, which is sent with each act.
    public init(longestPage: Int, reason: AuditReason?, send: @escaping Send) {
        (self.longestPage, self.reason, self.send) = (longestPage, reason, send)
    }

    /// The API of a running service, which requires an API key with the scope `admin`.
    package init(server: EndpointURL, key: String, reason: AuditReason?, transport: (any HTTPTransport)? = nil) {
        let transport = transport ?? SignupServer.transport
        self.init(longestPage: 200, reason: reason) { method, path, body in
            var request = HTTPTransportRequest(method: method, url: server.description + "/v1/admin" + path)
            request.headers = ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
            request.body = body?.utf8 ?? []
            let response: HTTPTransportResponse
            do {
                response = try await transport.response(to: request)
            } catch {
                throw AdminRefusal(status: 503, detail: "\(server) cannot be reached: \(error)")
            }
            let json = response.body.withUnsafeBytes { JSON(parsing: $0) }
            if (200..<300).contains(response.status) { return json ?? .null }
            let detail = json?["detail"]?.string ?? "\(server) answered with status \(response.status)"
            throw AdminRefusal(status: response.status, detail: detail, field: json?["field"]?.string)
        }
    }

    public func get(_ path: String, _ query: KeyValuePairs<String, String?> = [:]) async throws -> JSON {
        try await get(path, query.map { ($0.key, $0.value) })
    }

    private func get(_ path: String, _ query: [(name: String, value: String?)]) async throws -> JSON {
        let fields = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return try await send("GET", path + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&")), nil)
    }

    /// - Parameter members: those of the body; null ones are left out.
    public func post(_ path: String, _ members: KeyValuePairs<String, JSON> = [:]) async throws -> JSON {
        try await post(path, members.map { ($0.key, $0.value) })
    }

    public func post(_ path: String, _ members: [(String, JSON)], method: String = "POST") async throws -> JSON {
        var body = members.filter { $0.1 != .null }.map { JSON.Member($0.0, $0.1) }
        if let reason { body.append(JSON.Member("reason", .string(reason.description))) }
        return try await send(method, path, .object(body))
    }

    /// The first items of a list, page after page. The result is one page of them, with what else the last page had.
    public func list(_ path: String, _ query: KeyValuePairs<String, String?> = [:], limit: Int = .max) async throws
        -> JSON
    {
        var (items, rest): ([JSON], [JSON.Member]) = ([], [])
        let cursor = try await pages(path, query, limit: limit) { page in
            rest = page.members.filter { $0.name != "items" && $0.name != "next_cursor" }
            items += page["items"]?.array ?? []
        }
        return .object([.init("items", .array(items)), .init("next_cursor", .string(cursor))] + rest)
    }

    /// - Returns: where the list goes on behind them; nil at its end.
    public func pages(
        _ path: String,
        _ query: KeyValuePairs<String, String?>,
        limit: Int,
        longest: Int = .max,
        _ use: (JSON) throws -> Void
    ) async throws -> String? {
        var (count, cursor) = (0, String?.none)
        repeat {
            let size = min(limit - count, longestPage, longest)
            let fields = query.map { ($0.key, $0.value) } + [("limit", "\(size)"), ("cursor", cursor)]
            let page = try await get(path, fields)
            try use(page)
            count += page["items"]?.array?.count ?? 0
            cursor = page["next_cursor"]?.string
        } while cursor != nil && count < limit
        return cursor
    }

    /// The whole ID that somebody means: the text itself, unless it is short for the ID of one item of a list.
    public func id(_ text: String, in path: String) async throws -> String {
        guard let short = ShortName(text), !short.isWhole else { return text }
        var found: Set<String> = []
        _ = try await pages(path, [:], limit: .max) { page in
            for item in page["items"]?.array ?? [] {
                if let id = item["id"]?.string, short.matches(id) { found.insert(id) }
            }
        }
        guard found.count < 2 else {
            throw AdminRefusal(
                status: 409,
                detail: "\(text) is short for \(found.count) IDs; use the whole ID, as in --json"
            )
        }
        guard let only = found.first else {
            throw AdminRefusal(status: 404, detail: "\(text) not found")
        }
        return only
    }
}

/// Why the admin API did not do what it was asked for.
public struct AdminRefusal: Error, Hashable, Sendable {
    public let status: Int
    public let detail: String
    /// The member of the request that is wrong.
    public let field: String?

    public init(status: Int, detail: String, field: String? = nil) {
        (self.status, self.detail, self.field) = (status, detail, field)
    }

    /// The exit code of a command that it ends.
    public var exitStatus: ExitStatus {
        switch status {
        case 401, 403: .configuration
        case 422 where field != nil && field != "phone_number": .usage
        case 500...: .unreachable
        default: .failed
        }
    }
}
