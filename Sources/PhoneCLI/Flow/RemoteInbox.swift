public import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Shows what the SMS stub of a server was handed, where the server has one that may be read.
public actor RemoteInbox {
    private struct Listing: Decodable {
        struct Message: Decodable {
            let sid: String
            let body: String
        }

        let messages: [Message]
    }

    private let server: ServerAddress
    private let client: HTTPClient
    private let ticks: any Clock<Duration>
    private var shown: Set<String> = []

    /// The inbox of this server.
    ///
    /// - Parameters:
    ///   - server: where it is.
    ///   - client: makes the calls; it is not shut down here.
    ///   - ticks: paces the looks at the inbox.
    public init(server: ServerAddress, client: HTTPClient = .shared, ticks: any Clock<Duration> = ContinuousClock()) {
        self.server = server
        self.client = client
        self.ticks = ticks
    }

    /// The message that has just been sent to this number, if it comes within two seconds; nil at once where there is
    /// no stub to look at.
    public func note(_ sent: SignupView.SentCode) async -> String? {
        for _ in 0..<20 {
            guard let listing = await listing(to: sent.e164) else { return nil }
            if let message = listing.messages.first, shown.insert(message.sid).inserted { return message.body }
            try? await ticks.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func listing(to e164: String) async -> Listing? {
        let request = HTTPClientRequest(
            url: server.description + "/stub/messages?limit=1&to=" + e164.replacing("+", with: "%2B")
        )
        guard let response = try? await client.execute(request, timeout: .seconds(5)), response.status == .ok,
            let body = try? await response.body.collect(upTo: 64 * 1024)
        else { return nil }
        return try? JSONDecoder().decode(Listing.self, from: Data(body.readableBytesView))
    }
}
