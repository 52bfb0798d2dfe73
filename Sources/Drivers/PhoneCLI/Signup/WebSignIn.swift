public import CoreEncodings
import PhoneProofAsyncHTTPClient
import PhoneProofClient

/// Signs a terminal in by a browser on another device, such as the person's phone (RFC 8628).
public struct WebSignIn: Sendable {
    /// What the person is to open there.
    public struct Invitation: Sendable {
        public let address, completeAddress, code: String
    }

    /// Why nobody was signed in, in one line.
    public enum Failure: Error, Hashable, Sendable {
        case unreachable(String)
        case refused(String)
    }

    private let server: EndpointURL
    private let clientID: String

    public init(at server: EndpointURL, as clientID: String) { (self.server, self.clientID) = (server, clientID) }

    /// Returns what the server knows of the person (`sub`, and `phone_number`), once they have said yes.
    public func run(show: (Invitation) -> Void) async throws(Failure) -> JSON {
        let started = try await post("/oauth2/device_authorization", [("scope", "openid phone")])
        guard let code = started["device_code"]?.string, let userCode = started["user_code"]?.string,
            let address = started["verification_uri"]?.string, var interval = started["interval"]?.integer,
            (1...600).contains(interval)
        else { throw Self.refusal(started) }
        let complete = started["verification_uri_complete"]?.string ?? address
        show(Invitation(address: address, completeAddress: complete, code: userCode))
        while true {
            do { try await Task.sleep(for: .seconds(interval)) } catch { throw .refused("canceled") }
            let fields = [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)]
            let answer = try await post("/oauth2/token", fields)
            switch answer["error"]?.string {
            case "authorization_pending": continue
            case "slow_down": interval = min(interval + 5, 600)
            case nil where answer["access_token"]?.string != nil:
                let token = answer["access_token"]?.string ?? ""
                return try await call("GET", "/oauth2/userinfo", ["Authorization": "Bearer \(token)"], [])
            default: throw Self.refusal(answer)
            }
        }
    }

    private static func refusal(_ answer: JSON) -> Failure {
        .refused(answer["detail"]?.string ?? "the server did not answer as PhoneProof does; check --server")
    }

    private func post(_ path: String, _ fields: [(String, String)]) async throws(Failure) -> JSON {
        let form = ([("client_id", clientID)] + fields).map { "\($0.percentEncoded)=\($1.percentEncoded)" }
        let headers = ["Content-Type": "application/x-www-form-urlencoded", "User-Agent": "phoneproof"]
        return try await call("POST", path, headers, Array(form.joined(separator: "&").utf8))
    }

    private func call(
        _ method: String,
        _ path: String,
        _ headers: [String: String],
        _ body: [UInt8]
    ) async throws(Failure) -> JSON {
        let url = server.description + path
        let request = HTTPTransportRequest(method: method, url: url, headers: headers, body: body)
        guard let response = try? await SignupServer.transport.response(to: request) else {
            throw .unreachable("\(server) cannot be reached; check that the server is running and --server is right")
        }
        return response.body.withUnsafeBytes { JSON(parsing: $0) } ?? .null
    }
}
