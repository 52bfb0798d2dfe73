import AsyncHTTPClient
import CoreEncodings
import Glibc
import Logging
import NIOCore
import NIOHTTP1
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// The address that limits use, over real connections from 127.0.0.1.
@Suite struct ClientAddressingTests {
    private static func behind(_ block: String, _ header: ForwardedHeader = .xForwardedFor) throws -> TrustedProxies {
        TrustedProxies(blocks: [try #require(AddressBlock(block))], header: header)
    }

    /// A whole signup, whose last request has the last of these headers, and what it left in the audit log.
    @Test(
        arguments: [
            (
                nil, [["X-Forwarded-For": "6.6.6.6", "Forwarded": "for=6.6.6.6", "X-Real-IP": "6.6.6.6"]],
                ["begin 127.0.0.1", "approve 127.0.0.1", "sign_up 127.0.0.1"]
            ),
            (
                "127.0.0.0/8", [["X-Forwarded-For": "6.6.6.6, 203.0.113.7", "Forwarded": "for=9.9.9.9"]],
                ["begin 203.0.113.7", "approve 203.0.113.7", "sign_up 203.0.113.7"]
            ),
            (
                "127.0.0.1", [["X-Forwarded-For": "203.0.113.7"], ["X-Forwarded-For": "198.51.100.9"]],
                ["begin 203.0.113.7", "approve 198.51.100.9", "sign_up 198.51.100.9"]
            ),
        ] as [(String?, [[String: String]], [String])]
    )
    func itIsThatOfTheRequestAsATrustedProxyReportsIt(
        block: String?,
        fields: [[String: String]],
        acts: [String]
    ) async throws {
        try await TestServer.run(proxies: try block.map { try Self.behind($0) } ?? .none) { server in
            let signup = try await GuidedSignup(server, server.send("POST", "/v1/signups", headers: fields[0]))
            let number = #"{"phone_text":"01012345678"}"#
            #expect(try await signup.call("POST", "/send", number, headers: fields[0]).status == 202)
            #expect(try await signup.signUp(headers: fields[fields.count - 1]).status == 201)
            #expect(await server.store.acts == acts)
        }
    }

    @Test func aServerSaysFromWhereThePersonCame() async throws {
        try await TestServer.run(proxies: try Self.behind("10.0.0.0/8")) { server in
            let path = "/v1/verifications"
            let addresses = [
                #","client_address":"203.0.113.7""#, #","client_address":"2001:db8:1:2::3""#,
                #","client_address":null"#, "",
            ]
            for (number, address) in addresses.enumerated() {
                _ = try await server.send("POST", path, #"{"phone_number":"0101234567\#(number)"\#(address)}"#)
            }
            let checks = "\(path)/\(id("ver", 1))/checks"
            _ = try await server.send("POST", checks, #"{"code":"000000"}"#)
            let approved = try await server.send(
                "POST",
                checks,
                #"{"code":"314159","client_address":"::ffff:203.0.113.7"}"#
            )
            #expect(approved.status == 200)
            #expect(
                await server.store.acts == [
                    "begin 203.0.113.7", "begin 2001:db8:1:2::/64", "begin -", "begin -", "mismatch -",
                    "approve 203.0.113.7",
                ]
            )
        }
    }

    @Test(arguments: [
        (#""unknown""#, "client_address must be an IP address, such as 203.0.113.7 or 2001:db8::1."),
        (#""""#, "client_address must be an IP address, such as 203.0.113.7 or 2001:db8::1."),
        (#""203.0.113.7:80""#, "client_address must be an IP address, such as 203.0.113.7 or 2001:db8::1."),
        ("7", "client_address must be a string."),
    ])
    func whatIsNoAddressIsNamed(value: String, detail: String) async throws {
        try await TestServer.run { server in
            let begun = try await server.send(
                "POST",
                "/v1/verifications",
                #"{"phone_number":"01012345678","client_address":\#(value)}"#
            )
            let path = "/v1/verifications/\(id("ver", 1))/checks"
            let checked = try await server.send("POST", path, #"{"code":"314159","client_address":\#(value)}"#)
            for refused in [begun, checked] {
                refused.expect(422, code: "invalid_request", field: "client_address", detail: detail)
            }
            #expect(await server.store.acts.isEmpty)
        }
    }

    @Test func aRequestThroughATrustedProxyIsNotLocal() async throws {
        for header in ForwardedHeader.allCases {
            try await TestServer.run(proxies: try Self.behind("127.0.0.1", header)) { server in
                for fields in [["X-Forwarded-For": "127.0.0.1"], ["Forwarded": "for=127.0.0.1"]] {
                    for path in ["/v1/verifications/ver_1", "/stub/messages", "/inbox"] {
                        let refused = try await server.send("GET", path, headers: fields)
                        #expect(refused.status == 401)
                    }
                }
            }
        }
    }

    @Test(arguments: [([], "127.0.0.1"), (["127.0.0.1"], "203.0.113.7")] as [([String], String)])
    func `a socket of the Unix domain is of this machine, and a proxy behind it may be trusted`(
        trusted: [String],
        address: String
    ) async throws {
        let path = "/tmp/phoneproof-\(UInt64.random(in: 0 ... .max)).socket"
        let router = APIRouter()
        let proxies = TrustedProxies(blocks: trusted.compactMap { AddressBlock($0) }, header: .xForwardedFor)
        router.add(ClientAddressing(proxies: proxies))
        router.get("address") { _, context in Response(json: ["address": .string(context.address?.description)]) }
        let (running, isRunning) = AsyncStream<Void>.makeStream()
        var options = ServerOptions(host: "", port: 0)
        options.socket = try Self.listen(at: path)
        let service = HTTPService(
            serving: router,
            options,
            clock: ManualClock(),
            logger: LogRecorder().logger,
            onServerRunning: { _ in isRunning.yield() }
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            for await _ in running {
                var request = HTTPClientRequest(url: "http+unix://\(path.replacing("/", with: "%2F"))/address")
                request.headers.add(name: "Host", value: "localhost")
                request.headers.add(name: "X-Forwarded-For", value: "203.0.113.7")
                let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                #expect(String(buffer: try await answer.body.collect(upTo: 1024)) == #"{"address":"\#(address)"}"#)
                break
            }
            group.cancelAll()
        }
    }

    private static func listen(at path: String) throws -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let isBound = try SocketAddress(unixDomainSocketPath: path).withSockAddr {
            bind(socket, $0, socklen_t($1)) == 0
        }
        try #require(isBound && Glibc.listen(socket, 1) == 0)
        return socket
    }
}
