import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PhoneDomain

/// Sends by Twilio's Messages API, or by whatever speaks it, such as `phoneproof sms-stub`.
///
/// Twilio knows no key by which to tell a repetition, so a message of unknown fate is not handed over again.
public final class TwilioGateway: MessageGateway {
    /// Twilio itself.
    public static let standardAddress = "https://api.twilio.com"

    /// More than any answer about one message has.
    private static let longestAnswer = 64 * 1024

    public let name = "twilio"

    private let account: TwilioAccount
    private let sender: TwilioSender
    private let url: String
    private let client: HTTPClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - account: who pays.
    ///   - sender: whom messages come from.
    ///   - address: where the API is.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(account: TwilioAccount, sender: TwilioSender, address: GatewayAddress, connectTimeout: Duration) {
        self.account = account
        self.sender = sender
        url = "\(address)/2010-04-01/Accounts/\(account.sid)/Messages.json"
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        // The secret is for the address that was named, and for no other.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .milliseconds(connectTimeout.wholeMilliseconds)
        configuration.connectionPool.retryConnectionEstablishment = false
        // How many messages are on their way is for the dispatcher to say.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
        // A connection that the server closes in the moment when it is used again leaves a message of unknown fate. No
        // server gives up on one as soon as this.
        configuration.connectionPool.idleTimeout = .seconds(1)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        _ = client.shutdown()
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let form = OneTimeForm([("To", message.to.e164), (sender.field, sender.description), ("Body", message.body)])
        return try await answer(to: form).receipt()
    }

    private func answer(to form: OneTimeForm) async throws(GatewayFailure) -> TwilioAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.setBasicAuth(username: account.sid, password: account.authToken)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "Accept", value: "application/json")
        if let place = TraceParent.current { request.headers.add(name: "traceparent", value: place.description) }
        request.body = .stream(form, length: .known(Int64(form.count)))
        let response: HTTPClientResponse
        do {
            // Whoever sends sets the time limit, by cancellation.
            response = try await client.execute(request, deadline: .distantFuture)
        } catch {
            throw Self.failure(error, form)
        }
        // What cannot be read is no reason to forget the status.
        let body = try? await response.body.collect(upTo: Self.longestAnswer)
        return TwilioAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After"),
            body: body.map { Array($0.readableBytesView) }
        )
    }

    private static func failure(_ error: any Error, _ form: OneTimeForm) -> GatewayFailure {
        let isLate = error is CancellationError || error as? HTTPClientError == .cancelled
        if form.mayHaveBeenSent {
            return isLate ? .ambiguous("no answer in time") : .ambiguous("the connection ended before the answer")
        }
        return isLate || error as? HTTPClientError == .connectTimeout
            ? .retry("the gateway was not reached in time") : .retry("the gateway cannot be reached")
    }
}
