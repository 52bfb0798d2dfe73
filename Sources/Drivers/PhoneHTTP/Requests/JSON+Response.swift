package import CoreEncodings
package import HTTPTypes
import NIOCore
import PhoneAccounts
import PhoneDomain
import PhoneSignup
import ServiceLifecycle

extension Response {
    package init(
        _ status: HTTPResponse.Status = .ok,
        json: JSON,
        contentType: String = "application/json",
        headers: HeaderFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: .whole(json.bytes))
    }

    /// The body, if it is whole and JSON.
    var json: JSON? {
        guard case .whole(let bytes) = body else { return nil }
        return bytes.withUnsafeReadableBytes { JSON(parsing: $0) }
    }

    package init(
        _ status: HTTPResponse.Status = .ok,
        html: HTML,
        contentSecurityPolicy: String,
        headers: HeaderFields = [:]
    ) {
        self.init(status, text: html.text, contentType: "text/html; charset=utf-8", headers: headers)
        self.headers[.contentSecurityPolicy] = contentSecurityPolicy
        // A page that opens this one gets no reference to its window, which may show codes (HTML, section 7.1.3).
        self.headers[.crossOriginOpenerPolicy] = "same-origin"
    }

    package init(_ status: HTTPResponse.Status = .ok, text: String, contentType: String, headers: HeaderFields = [:]) {
        self.init(status: status, headers: headers, body: .whole(ByteBuffer(string: text)))
        self.headers[.contentType] = contentType
    }

    /// Server-sent events (HTML, section 9.2), each with its empty line, until the client has gone, they end, or the
    /// service stops. Browsers connect again after that.
    package init<Events: AsyncSequence & Sendable>(events: Events, headers: HeaderFields = [:])
    where Events.Element == String {
        self.init(
            status: .ok,
            headers: headers,
            body: .streamed { send in
                for try await event in events.cancelOnGracefulShutdown() { try await send(ByteBuffer(string: event)) }
            }
        )
        self.headers[.contentType] = "text/event-stream"
    }
}

extension [any ProofTokens] {
    func json(_ make: (any ProofTokens) async throws -> SecretToken) async throws -> JSON {
        var members: [JSON.Member] = []
        for tokens in self { members.append(JSON.Member(tokens.name, .string(try await make(tokens).text))) }
        return .object(members)
    }
}

extension JSON {
    /// The whole seconds until a moment, rounded up, so that nobody comes too early; 0 if it has passed.
    static func seconds(until moment: Timestamp, from now: Timestamp) -> JSON {
        .integer(max(0, (moment - now).wholeSecondsRoundedUp))
    }

    func adding(_ name: String, _ value: JSON) -> JSON { .object(members + [Member(name, value)]) }

    /// The value as text, without whitespace.
    var bytes: ByteBuffer { ByteBuffer(bytes: utf8) }
}
