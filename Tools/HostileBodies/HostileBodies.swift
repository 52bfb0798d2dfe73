import CoreEncodings
import Counter
import Dispatch
import Glibc
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneService

// The keys of its API, if this dock is there.
#if canImport(TwilioVerify)
@testable import TwilioVerify
#endif

/// Sends hostile bodies to every route of a service with all its docks, and a plain one of the same size, in one
/// process without sockets. Under callgrind each request is counted; the test reads the counts.
///
/// `HostileBodies BYTES STRIDE` sends one hostile body in STRIDE to each route, by turns.
@main struct HostileBodies {
    /// Not `async`: then libdispatch would end the main thread in a way that makes Valgrind 3.19 crash.
    static func main() {
        let hasEnded = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
                try await run(size: numbers[0], stride: numbers[1])
            } catch {
                print(error)
                exit(1)
            }
            hasEnded.signal()
        }
        hasEnded.wait()
    }

    private static func run(size: Int, stride: Int) async throws {
        let visitor = try await Visitor()
        let bodies = Bodies(size: size)
        let routes = visitor.routes.filter { [.post, .put, .patch].contains($0.method) }
        // What is made once falls out.
        for route in routes { _ = try await visitor.send(route, visitor.plain(bodies, route.path)) }
        counter_start()
        for (index, route) in routes.enumerated() {
            let isForm = visitor.takesForms(route.path)
            let hostile = bodies.hostile(isForm: isForm, fields: visitor.fields(of: route.path))
            let turns = hostile.indices.filter { ($0 + index) % stride == 0 }
            for (kind, body) in [("plain", visitor.plain(bodies, route.path))] + turns.map({ hostile[$0] }) {
                counter_reset()
                let status = try await visitor.send(route, body)
                counter_write("\(route.method.rawValue) \(route.path)|\(kind)|\(status)")
            }
        }
    }
}

/// Bodies of about this many bytes.
private struct Bodies {
    let size: Int

    /// - Parameter field: what the route keeps of a body, so that it goes as far with this one.
    func plain(isForm: Bool, in field: String?) -> String {
        let filler = String(repeating: "x", count: size)
        let json = #"{"filler":"\#(filler)"}"#
        return isForm ? "filler=" + filler : field.map { object($0, json) } ?? json
    }

    /// - Parameter fields: those that the route may read, whose texts are hostile as well.
    func hostile(isForm: Bool, fields: [String]) -> [(kind: String, body: String)] {
        // U+1D15E must be normalised, and combining marks in disorder must be sorted, to compare texts.
        let names = (0..<size / 8).map { "\u{1D15E}\(10000 + $0)" }
        var bodies = isForm ? forms(names) : objects(names, fields)
        if fields.contains("credential") { bodies += credentials() }
        for field in fields {
            for (kind, unit) in [("letters", "a\u{301}\u{323}"), ("spaces", "\u{2003}")] {
                let text = repeated(unit)
                bodies.append(("\(field) of \(kind)", isForm ? "\(field)=\(text)" : object(field, "\"\(text)\"")))
            }
        }
        return bodies
    }

    /// A passkey's response, whose client data are JSON in base64url, and its attestation CBOR.
    private func credentials() -> [(kind: String, body: String)] {
        let count = size / 4 * 3
        func credential(_ data: [UInt8], _ object: [UInt8]) -> String {
            let response =
                #"{"clientDataJSON":"\#(data.base64URL)","attestationObject":"\#(object.base64URL)""#
                + #","authenticatorData":"AA","signature":"AA","userHandle":"AA"}"#
            return #"{"credential":{"id":"AA","rawId":"AA","type":"public-key","response":\#(response)}}"#
        }
        func data(_ challenge: String) -> [UInt8] {
            Array(#"{"type":"webauthn.create","origin":"http://localhost","challenge":"\#(challenge)"}"#.utf8)
        }
        let marks = String(repeating: "a\u{301}\u{323}", count: count / 5)
        let members = (0..<count / 12).map { "\"\u{1D15E}\($0)\":1" }
        let names = "{" + members.joined(separator: ",") + "}"
        // CBOR (RFC 8949): arrays within arrays; a map of many names; and as the one of the format a wall of marks.
        let arrays = [UInt8](repeating: 0x81, count: count)
        let pairs = count / 10
        var map: [UInt8] = [0xB9, UInt8(pairs >> 8), UInt8(pairs & 0xFF)]
        for index in 0..<pairs { map += [0x68] + Array("\u{1D15E}\(1000 + index % 9000)".utf8) + [0x00] }
        let wall = Array(marks.utf8)
        let format: [UInt8] =
            [0xA1, 0x63] + Array("fmt".utf8) + [0x79, UInt8(wall.count >> 8), UInt8(wall.count & 0xFF)]
        return [
            ("client data of marks", credential(data(marks), [])),
            ("client data of names", credential(Array(names.utf8), [])),
            ("attestation of arrays", credential(data(""), arrays)),
            ("attestation of names", credential(data(""), map)),
            ("attestation of marks", credential(data(""), format + wall)),
        ]
    }

    private func forms(_ names: [String]) -> [(kind: String, body: String)] {
        let marks = repeated("\u{301}\u{323}")
        return [
            ("empty fields", repeated("a&")),
            ("names", names.map { $0 + "=1" }.joined(separator: "&")),
            ("few names", names.prefix(99).map { $0 + "=\u{301}\u{323}" }.joined(separator: "&")),
            ("marks", "\(marks)=\(marks)"),
            ("escapes", "filler=" + repeated("%CC%81%CC%A3")),
            ("pluses", "filler=" + repeated("+%")),
        ]
    }

    private func objects(_ names: [String], _ fields: [String]) -> [(kind: String, body: String)] {
        let members = names.map { "\"\($0)\":1" }
        let nested = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let inner = "{" + members.prefix(1500).joined(separator: ",") + "}"
        return [
            ("names", "{" + members.joined(separator: ",") + "}"),
            ("few names", "{" + members.prefix(2000).joined(separator: ",") + "}"),
            ("inner names", object(fields.first ?? "data", inner)),
            ("one name", "{" + repeated("\"a\":1,") + "\"a\":1}"),
            ("arrays", object("filler", "[" + repeated(nested + ",") + "1]")),
            ("numbers", object("filler", "[" + repeated("1,") + "1]")),
            ("digits", object("filler", repeated("1"))),
            ("escapes", object("filler", "\"" + repeated("\\u0041") + "\"")),
            ("surrogates", object("filler", "\"" + repeated("\\ud83d\\ude00") + "\"")),
            ("marks", object("filler", "\"" + repeated("\u{301}\u{323}") + "\"")),
            ("open", repeated("{\"a\":")),
        ]
    }

    private func object(_ name: String, _ value: String) -> String { "{\"\(name)\":\(value)}" }

    private func repeated(_ text: String) -> String { String(repeating: text, count: size / text.utf8.count) }
}

/// Whom all routes let in.
private struct Visitor {
    let service: BuiltService
    let peer: Peer
    let logger = Logger(label: "hostile") { _ in SwiftLogNoOpLogHandler() }
    /// Bearer tokens, by the beginnings of paths.
    private var tokens: [String: String] = [:]
    /// What stands in paths, by what it stands for.
    private var names: [String: String] = [:]
    private var cookie = ""
    private var formToken = ""
    private let twilio: String

    private static let secret = "0123456789abcdef0123456789abcdef"

    init() async throws {
        let settings = try Settings(
            file: nil,
            environment: Dictionary(
                uniqueKeysWithValues: [
                    "DATABASE_URL": "sqlite::memory:", "SERVER_INSECURE_NO_KEYS": "true", "LIMITS_ENABLED": "false",
                    "SUPABASE_ENABLED": "true", "SUPABASE_API_KEYS": "sb_publishable_x",
                    "TWILIO_VERIFY_ENABLED": "true", "CAMARA_ENABLED": "true", "CONSOLE_PORT": "1",
                    "PASSKEYS_ENABLED": "true", "TOKENS_ISSUER": "http://localhost",
                    "AUTH_HOOKS_GENERIC_SECRET": Self.secret, "AUTH_HOOKS_LOGTO_SECRET": Self.secret,
                    "TEST_NUMBERS_NUMBERS": "+821000000001=123456,+821000000002=123456",
                    "TEST_NUMBERS_UNTIL": "2099-01-01T00:00:00Z",
                ].map { ("PHONEPROOF_" + $0.key, $0.value) }
            ),
            docks: docks
        )
        service = try await buildService(settings, logger: logger)
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        peer = Peer(channel)
        guard let name = CallerName("hostile") else { fatalError() }
        #if canImport(TwilioVerify)
        let key = try await TenantKeys(keys: service.core.keys).create(name: name)
        twilio = "Basic " + Array("AC\(key.key.id.hexadecimal):\(key.secret.text)".utf8).base64
        #else
        twilio = ""
        #endif
        try await enter(name)
    }

    /// What lets the visitor into each part: tokens of an account, of a client and of an operator, and things to change.
    private mutating func enter(_ name: CallerName) async throws {
        let first = try await ask("/v1/signups", #"{"region":"KR"}"#)
        tokens["/v1/signups/"] = first["token"]?.string
        let path = "/v1/signups/\(first["id"]?.string ?? "")"
        _ = try await ask(path + "/send", #"{"phone_text":"+821000000001"}"#)
        let person = try await ask(path + "/sign-up", #"{"code_text":"123456"}"#)
        for root in ["/v1/accounts/", "/v1/sessions", "/v1/number-changes", "/v1/passkeys"] {
            tokens[root] = person["tokens"]?["access_token"]?.string
        }
        let second = try await ask("/v1/signups", #"{"region":"KR"}"#)
        tokens["/v1/signups/"] = second["token"]?.string
        names["/v1/signups/{id}"] = "/v1/signups/\(second["id"]?.string ?? "")"
        let begun = try await ask("/v1/verifications", #"{"phone_number":"+821000000001"}"#)
        names["/v1/verifications/{id}"] = "/v1/verifications/\(begun["id"]?.string ?? "")"

        // Somebody else, whose sign-out there ends no session here.
        _ = try await ask("/auth/v1/otp", #"{"phone":"+821000000002"}"#)
        let user = try await ask("/auth/v1/verify", #"{"phone":"+821000000002","type":"sms","token":"123456"}"#)
        tokens["/auth/v1/"] = user["access_token"]?.string
        let key = try await service.core.keys.create(name: name, scopes: [.admin]).secret.text
        tokens["/v1/admin/"] = key
        let scope = "one-time-password-sms:send-validate"
        let client = try await ask("/v1/admin/clients", #"{"name":"Camara","scopes":["\#(scope)"],"reason":"test"}"#)
        let secret = client["client_secret"]?.string ?? ""
        let form =
            "grant_type=client_credentials&client_id=\((client["client_id"] ?? client["id"])?.string ?? "")&client_secret=\(secret)"
        tokens["/one-time-password-sms/"] = try await ask("/oauth2/token", form)["access_token"]?.string
        let tenant = try await ask("/v2/Services", "FriendlyName=Acme")["sid"]?.string ?? ""
        names["{service}"] = tenant
        names["{account}"] = "AC" + String(repeating: "0", count: 32)
        names["{limit}"] = try await ask("/v2/Services/\(tenant)/RateLimits", "UniqueName=ip")["sid"]?.string
        let opened = try await respond(.post, "/console/sign-in", "key=" + key)
        cookie = String((opened.headers[.setCookie] ?? "").prefix { $0 != ";" })
        let page = try await respond(.get, "/console/deliveries", "")
        guard case .whole(let bytes) = page.body else { return }
        formToken = String(
            String(buffer: bytes).split(separator: #"name="form_token" value=""#).last?.prefix { $0 != "\"" } ?? ""
        )
    }

    var routes: [(method: HTTPRequest.Method, path: String)] { service.responders.flatMap(\.paths) }

    func takesForms(_ path: String) -> Bool {
        ["/v2/", "/console", "/signup", "/oauth2/", "/2010-04-01/"].contains { path.hasPrefix($0) }
    }

    func plain(_ bodies: Bodies, _ path: String) -> String {
        bodies.plain(isForm: takesForms(path), in: path == "/v1/accounts/me" ? "metadata" : nil)
    }

    /// Names that the routes below a path read.
    func fields(of path: String) -> [String] {
        let known: [(root: String, fields: [String])] = [
            ("/auth/v1/", ["data", "phone", "channel", "type", "token", "refresh_token"]),
            ("/v2/", ["To", "Channel", "Code", "FriendlyName", "Locale", "Status"]),
            ("/signup", ["action", "phone_text", "region", "channel", "proof", "code_text"]),
            ("/oauth2/", ["grant_type", "client_id", "redirect_uri", "scope", "token"]),
            ("/console", ["key", "reason", "form_token"]), ("/v1/hooks", ["phone", "code", "text", "locale"]),
            ("/v1/signups", ["phone_text", "code_text", "region", "locale", "channel", "proof", "decision"]),
            ("/v1/verifications", ["phone_number", "code", "region", "locale", "channel", "proof", "template"]),
            ("/v1/accounts", ["metadata"]), ("/v1/number-changes", ["phone_number", "code", "token"]),
            ("/v1/passkeys", ["credential", "name"]), ("/one-time-password-sms", ["phoneNumber", "message", "code"]),
            ("/v1/admin", ["reason", "phone_number", "prefix", "name", "limit", "subject"]),
        ]
        return known.first { path.hasPrefix($0.root) }?.fields ?? []
    }

    func send(_ route: (method: HTTPRequest.Method, path: String), _ body: String) async throws -> Int {
        let path = names.reduce(route.path) { $0.replacing($1.key, with: $1.value) }
        // Without it no act of the console looks at its form.
        let proven = path.hasPrefix("/console/") ? "form_token=\(formToken)&" + body : body
        return try await respond(route.method, path, proven).status.code
    }

    private func ask(_ path: String, _ body: String) async throws -> JSON {
        let response = try await respond(.post, path, body)
        guard case .whole(let bytes) = response.body else { return .null }
        return bytes.withUnsafeReadableBytes { JSON(parsing: $0) } ?? .null
    }

    private func respond(_ method: HTTPRequest.Method, _ path: String, _ body: String) async throws -> Response {
        var headers: HeaderFields = [
            .contentType: takesForms(path) ? "application/x-www-form-urlencoded" : "application/json",
            .contentLength: String(body.utf8.count), .cookie: cookie,
        ]
        headers[.known("apikey")] = "sb_publishable_x"
        if let token = tokens.first(where: { path.hasPrefix($0.key) })?.value {
            headers[.authorization] = "Bearer " + token
        } else if path.hasPrefix("/v2/") {
            headers[.authorization] = twilio
        } else if path.hasPrefix("/v1/hooks/") {
            headers[.authorization] = "Bearer " + Self.secret
        }
        let first = path.split(separator: "/").first
        let responder = service.responders.first { $0.paths.contains { $0.path.split(separator: "/").first == first } }
        guard let responder else { fatalError(path) }
        let body = RequestBody.whole(ByteBuffer(string: body))
        return await responder.respond(
            to: Request(method, path, authority: "127.0.0.1", headers: headers, body: body),
            APIContext(peer: peer, logger: logger)
        )
    }
}
