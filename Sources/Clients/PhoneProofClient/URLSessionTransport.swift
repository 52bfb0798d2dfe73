// On Linux Foundation has it too, at the price of 40 MB: test_package.py checks the types of this file that way.
#if canImport(Darwin) || PHONEPROOF_CHECK_URLSESSION
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Requests by `URLSession`.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession

    /// A session without cookies and without a cache, in which a request may take 15 s.
    public convenience init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 15
        self.init(configuration: configuration)
    }

    public init(configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: RedirectionRefusal(), delegateQueue: nil)
    }

    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let (data, response) = try await session.data(for: urlRequest)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let headers = response.allHeaderFields.map { (String(describing: $0).lowercased(), String(describing: $1)) }
        return HTTPTransportResponse(
            status: response.statusCode,
            headers: Dictionary(headers) { first, _ in first },
            body: Array(data)
        )
    }
}

private final class RedirectionRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
#endif
