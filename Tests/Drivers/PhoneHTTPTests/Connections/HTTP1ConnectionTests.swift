import HTTPTypes
import NIOCore
import Testing

@testable import PhoneHTTP

/// When an HTTP/1 connection stays open, when it does not, and what passes through it.
@Suite struct HTTP1ConnectionTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test(arguments: [
        ("GET /a HTTP/1.1\r\nHost: h\r\n\r\n", nil),
        ("GET /a HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n", nil),
        ("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "keep-alive"),
        ("GET /a HTTP/1.0\r\n\r\n", "close"),
        ("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "close"),
        ("GET /a HTTP/1.1\r\nHost: h\r\nConnection: TE, Close\r\n\r\n", "close"),
        // After it the decoder parses no HTTP any more.
        ("GET /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "close"),
        ("CONNECT a:443 HTTP/1.1\r\nHost: h\r\n\r\n", "close"),
    ])
    func staysOpenWhereItMay(_ request: String, _ connection: String?) throws {
        let link = try EmbeddedConnection()
        try link.receive(request + Self.get)
        #expect(link.seen().count == 1)
        link.answer("1")
        #expect(link.seen().count == (connection == "close" ? 0 : 1))
        let field = connection.map { "Connection: \($0)\r\n" } ?? ""
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\(field)\r\n1")
        #expect(link.isHungUp == (connection == "close"))
        #expect(!link.isClosed)
    }

    @Test func nothingIsTakenOrSentBehindTheLastAnswer() throws {
        let link = try EmbeddedConnection()
        try link.receive("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(link.seen() == ["GET /a of h 0"])
        link.answer("1")
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1")
        try link.receive(Self.get)
        #expect(link.seen() == [])
        #expect(try link.sent() == "")
        link.pass(5)
        #expect(link.isClosed)
    }

    @Test func bothHaveHungUp() throws {
        let link = try EmbeddedConnection()
        try link.receive("GET /a HTTP/1.0\r\n\r\n")
        link.answer("1")
        #expect(!link.isClosed)
        link.fire(ChannelEvent.inputClosed)
        #expect(link.isClosed)
    }

    @Test func whatIsNoHTTPIsAnsweredInItsTurn() throws {
        let link = try EmbeddedConnection()
        try link.receive(Self.get + Self.get + "nothing\r\n\r\n")
        #expect(link.seen() == ["GET /a of h 0"])
        link.answer("1")
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
        link.answer("2")
        let sent = try link.sent()
        #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2HTTP/1.1 400 Bad Request\r\n"))
        #expect(link.isHungUp)
    }

    @Test(arguments: ["", "Host: a\r\nHost: b\r\n", "Host: a, b\r\n"])
    func aRequestIsForOneHost(_ hosts: String) throws {
        let link = try EmbeddedConnection()
        try link.receive("GET /a HTTP/1.1\r\n\(hosts)\r\n")
        #expect(link.seen() == [])
        let sent = try link.sent()
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(sent.contains("The request must have exactly one Host field."))
        #expect(link.isHungUp)
    }

    /// An absolute target takes precedence over `Host` (RFC 9112 section 3.2.2).
    @Test(arguments: [
        ("GET http://b/c?d HTTP/1.1", "GET /c?d of b"),
        ("GET HTTPS://b:8443 HTTP/1.1", "GET / of b:8443"),
        ("GET http://[::1]:80?c=http://d/ HTTP/1.1", "GET /?c=http://d/ of [::1]:80"),
        ("OPTIONS http://b HTTP/1.1", "OPTIONS * of b"),
        ("GET http://b/ HTTP/1.0", "GET / of b"),
        ("GET /http://b/ HTTP/1.1", "GET /http://b/ of a"),
        ("OPTIONS * HTTP/1.1", "OPTIONS * of a"),
    ])
    func anAbsoluteTargetSaysWhoIsAsked(_ line: String, _ seen: String) throws {
        let link = try EmbeddedConnection()
        try link.receive("\(line)\r\nHost: a\r\n\r\n")
        #expect(link.seen() == [seen + " 0"])
    }

    @Test(arguments: ["http://", "http:///a", "https://u@b/", "http://u:p@b", "ftp://b/", "gopher://b"])
    func aTargetThatIsNoneOfHTTPIsRefused(_ target: String) throws {
        let link = try EmbeddedConnection()
        try link.receive("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(link.seen() == [])
        #expect(try link.sent().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(link.isHungUp)
    }

    @Test func aBodyThatAwaitsContinueIsAskedForOnce() throws {
        let link = try EmbeddedConnection()
        try link.receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n")
        #expect(link.seen() == ["POST /a of h …"])
        try link.askForBody()
        try link.askForBody()
        #expect(try link.sent() == "HTTP/1.1 100 Continue\r\n\r\n")
        try link.receive("ab")
        #expect(try link.bodyLength()?.get() == 2)
        link.answer("1")
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
        #expect(!link.isHungUp)
    }

    /// A body that comes all the same could not be told from the next request.
    @Test func aBodyThatWasNeverAskedForEndsTheConnection() throws {
        let link = try EmbeddedConnection()
        try link.receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        link.answer("1", status: .unauthorized)
        #expect(try link.sent() == "HTTP/1.1 401 Unauthorized\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1")
        #expect(link.isHungUp)
    }

    @Test(arguments: [
        // It comes unasked.
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\na",
        // There is none.
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
        // HTTP/1.0 has no such thing.
        "POST /a HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n",
    ])
    func nobodyIsAskedForWhatHeDoesNotHoldBack(_ request: String) throws {
        let link = try EmbeddedConnection()
        try link.receive(request)
        try link.askForBody()
        #expect(try link.sent() == "")
        link.answer("1")
        #expect(!link.isHungUp)
    }

    @Test func moreThanIsReadEndsTheConnection() throws {
        var limits = ConnectionLimits()
        limits.maxBodyBytes = 10
        let announced = try EmbeddedConnection(limits)
        try announced.receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n")
        announced.answer("1", status: .contentTooLarge)
        #expect(try announced.sent().contains("\r\nConnection: close\r\n"))
        #expect(announced.isHungUp)

        let chunked = try EmbeddedConnection(limits)
        try chunked.receive("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunked.answer("1", status: .unauthorized)
        try chunked.receive("a\r\n0123456789\r\n")
        #expect(!chunked.isHungUp)
        try chunked.receive("1\r\n0\r\n")
        #expect(chunked.isHungUp)
        #expect(chunked.seen() == ["POST /a of h …"])
    }

    @Test func unansweredRequestsHaveAMaximum() throws {
        var limits = ConnectionLimits()
        limits.maxPipelinedRequests = 2
        let link = try EmbeddedConnection(limits)
        // The decoder gets 36 of them at a time; the rest waits until one of those is left.
        try link.receive(String(repeating: Self.get, count: 100))
        _ = link.reads()
        link.read()
        for answered in 1...98 {
            link.answer("1")
            #expect(link.reads() == 0, "\(answered)")
        }
        link.answer("1")
        #expect(link.reads() == 1)
        link.answer("1")
        #expect(link.seen().count == 100)
        #expect(!link.isHungUp)
    }

    @Test func theEndDoesNotOvertakeWhatWaits() throws {
        var limits = ConnectionLimits()
        limits.maxPipelinedRequests = 1
        let link = try EmbeddedConnection(limits)
        try link.receive(
            String(
                repeating: "GET /a HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 1000))\r\n\r\n",
                count: 3
            )
        )
        link.fire(ChannelEvent.inputClosed)
        for _ in 1...3 {
            #expect(link.seen() == ["GET /a of h 0"])
            link.answer("1")
        }
        #expect(!link.isClosed)
    }

    @Test func theServiceEnds() throws {
        let idle = try EmbeddedConnection()
        idle.fire(ChannelShouldQuiesceEvent())
        #expect(idle.isClosed)

        let busy = try EmbeddedConnection()
        try busy.receive(Self.get + Self.get)
        busy.fire(ChannelShouldQuiesceEvent())
        try busy.receive(Self.get)
        busy.answer("1")
        busy.answer("2")
        #expect(busy.seen().count == 2)
        let sent = try busy.sent()
        #expect(
            sent == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1"
                + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n2"
        )
        #expect(busy.isHungUp)
    }

    @Test func theServiceEndsDuringAResponse() throws {
        let link = try EmbeddedConnection()
        try link.receive(Self.get)
        link.beginStream([.contentLength: "1"])
        link.fire(ChannelShouldQuiesceEvent())
        try link.stream("1")
        try link.endStream()
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
        #expect(link.isHungUp)
    }

    @Test func aBodyOfUnknownLengthIsSentInChunks() throws {
        let link = try EmbeddedConnection()
        try link.receive(Self.get + Self.get)
        link.beginStream()
        for part in ["ab", "", String(repeating: "c", count: 26)] { try link.stream(part) }
        #expect(link.seen().count == 1)
        try link.endStream()
        let chunks = "2\r\nab\r\n1a\r\ncccccccccccccccccccccccccc\r\n0\r\n\r\n"
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks)
        #expect(link.seen().count == 1)
        #expect(!link.isHungUp)
    }

    /// Nothing that a field contains can begin another.
    @Test func aFieldStaysInItsLine() throws {
        let link = try EmbeddedConnection()
        try link.receive(Self.get)
        link.beginStream([.contentLength: "0", .location: "/a\r\nSet-Cookie: b"])
        try link.endStream()
        #expect(try link.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nLocation: /a  Set-Cookie: b\r\n\r\n")
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func requestsAreReadHoweverTheyAreCut(_ size: Int) throws {
        let link = try EmbeddedConnection()
        let long = String(repeating: "a", count: 3000)
        let request = "POST /a HTTP/1.1\r\nHost: h\r\nX: \(long)\r\nTransfer-Encoding: chunked\r\n\r\n"
        var rest = Substring(request + "bb8\r\n\(long)\r\n0\r\n\r\n" + Self.get)
        while !rest.isEmpty {
            try link.receive(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(try link.bodyLength()?.get() == 3000)
        link.answer("1")
        #expect(link.seen() == ["POST /a of h …", "GET /a of h 0"])
    }

    /// What interrupts a body is the error of those who read it, and ends the connection after the response.
    @Test(arguments: ["zz\r\n", nil])
    func aBodyThatBreaksOffIsAnError(_ rest: String?) throws {
        let link = try EmbeddedConnection()
        try link.receive("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        if let rest { try link.receive(rest) } else { link.fire(ChannelEvent.inputClosed) }
        #expect(throws: (any Error).self) { try link.bodyLength()?.get() }
        #expect(!link.isHungUp)
        link.answer("1")
        #expect(try link.sent().contains("\r\nConnection: close\r\n"))
        #expect(link.isHungUp)
    }

    @Test(arguments: [false, true])
    func aClientMayBeGoneWhenItIsAnswered(isStreamed: Bool) throws {
        let link = try EmbeddedConnection()
        try link.receive(Self.get + Self.get)
        if isStreamed { link.beginStream() }
        link.breakWrites()
        if isStreamed { try? link.endStream() } else { link.answer("1") }
        #expect(link.isClosed)
        #expect(link.seen().count == 1)
    }
}
