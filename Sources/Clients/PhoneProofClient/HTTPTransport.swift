/// Performs the client's requests: `URLSessionTransport` on Apple's systems, `AsyncHTTPClientTransport` of the product
/// PhoneProofAsyncHTTPClient on servers, and whatever else there is to be had elsewhere.
public protocol HTTPTransport: Sendable {
    /// Performs one request, and throws if there is no response. It follows no redirection, since the tokens in a
    /// request are for the server that was named, and waits for some seconds at most.
    func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse
}

public struct HTTPTransportRequest: Hashable, Sendable {
    public var method: String
    public var url: String
    public var headers: [String: String]
    public var body: [UInt8]

    public init(method: String, url: String, headers: [String: String] = [:], body: [UInt8] = []) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

public struct HTTPTransportResponse: Hashable, Sendable {
    /// The most bytes of a body that a transport needs to read, more than any response of the service has.
    public static let longestBody = 256 * 1024

    public var status: Int
    /// The values by names in lower case.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}
