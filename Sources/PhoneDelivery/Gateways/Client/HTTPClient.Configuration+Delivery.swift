import AsyncHTTPClient
import NIOCore
import PhoneDomain

extension HTTPClient.Configuration {
    /// How everything is sent that goes out: over HTTP/1.1, to the one address that was named.
    ///
    /// - Parameter connectTimeout: how long to wait for a connection, the handshake of TLS among it.
    static func delivery(connectTimeout: Duration) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        // Secrets and numbers are for the address that was named, and for no other.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .milliseconds(connectTimeout.wholeMilliseconds)
        configuration.connectionPool.retryConnectionEstablishment = false
        // How many are on their way is for the dispatchers to say.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
        // Long enough for a burst. A connection that the server closes in the moment when it is used again leaves a message
        // of unknown fate, and costs a webhook an attempt. No server gives up on one as soon as this.
        configuration.connectionPool.idleTimeout = .seconds(1)
        return configuration
    }
}
