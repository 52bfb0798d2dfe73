import NIOCore
import Testing

@testable import PhoneHTTP

/// The time limits of each part of an exchange.
@Suite struct ConnectionDeadlineTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let limits = {
        var limits = ConnectionLimits()
        limits.firstByteTimeout = .seconds(20)
        limits.headerTimeout = .seconds(5)
        limits.bodyTimeout = .seconds(10)
        limits.idleTimeout = .seconds(40)
        return limits
    }()

    /// Whether the connection is open until that second and closed from it.
    private func expectEnd(of link: EmbeddedConnection, in seconds: Int64) {
        link.pass(seconds - 1)
        #expect(!link.isClosed)
        link.pass(1)
        #expect(link.isClosed)
    }

    @Test func theFirstByte() throws {
        expectEnd(of: try EmbeddedConnection(Self.limits), in: 20)
    }

    @Test func theHeaderFromItsFirstByteHoweverManyFollow() throws {
        let link = try EmbeddedConnection(Self.limits)
        link.pass(19)
        try link.receive("GET")
        for byte in [" ", "/", "a"] {
            link.pass(1)
            try link.receive(byte)
        }
        expectEnd(of: link, in: 2)
    }

    @Test func theBodyFromTheHeaderHoweverMuchFollows() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n")
        for _ in 1...9 {
            link.pass(1)
            try link.receive("a")
        }
        expectEnd(of: link, in: 1)
    }

    @Test func anAnswerTakesItsTimeAndThenSilenceMayLastSoLong() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive(Self.get)
        link.pass(1000)
        #expect(!link.isClosed)
        link.answer("1")
        link.pass(39)
        try link.receive(Self.get)
        link.answer("2")
        expectEnd(of: link, in: 40)
    }

    @Test func aClientThatWaitsForAnAnswerKeepsTimeWithTheNextRequest() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive(Self.get)
        try link.receive("GET")
        expectEnd(of: link, in: 5)
    }

    @Test func ofTwoAnswersTheLastBeginsTheSilence() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive(Self.get + Self.get)
        link.answer("1")
        link.pass(1000)
        #expect(!link.isClosed)
        link.answer("2")
        expectEnd(of: link, in: 40)
    }

    @Test func whoIsRefusedIsListenedToForAWhile() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive("nothing\r\n\r\n")
        #expect(link.isHungUp)
        for _ in 1...4 {
            link.pass(1)
            try link.receive("more")
        }
        expectEnd(of: link, in: 1)
    }

    @Test func theServiceWaitsForNobodyLongerThanItMay() throws {
        let link = try EmbeddedConnection(Self.limits)
        try link.receive(Self.get)
        link.fire(ChannelShouldQuiesceEvent())
        link.pass(3)
        expectEnd(of: link, in: 3)
    }
}
