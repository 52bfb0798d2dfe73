import NIOCore
import PhoneDomain
import Testing

@testable import PhoneHTTP

/// How much of the service HTTP/2 clients may use, one of them and all together.
@Suite struct HTTP2ConnectionTests {
    private static let (refusedStream, noError, enhanceYourCalm) = (7, 0, 11)

    @Test func allStreamsTogetherAreBoundAndEveryConnectionMayHaveOne() throws {
        var limits = ConnectionLimits()
        limits.maxOpenStreams = 3
        let admission = Admission(limits: limits)
        let greedy = try EmbeddedHTTP2Connection(limits, admission: admission)
        for stream in [1, 3, 5, 7, 9] { try greedy.ask(UInt32(stream)) }
        #expect(try greedy.sent() == [.reset(7, Self.refusedStream), .reset(9, Self.refusedStream)])
        #expect(admission.streams == 3)

        let modest = try EmbeddedHTTP2Connection(limits, admission: admission)
        try modest.ask(1)
        try modest.ask(3)
        #expect(try modest.sent() == [.reset(3, Self.refusedStream)])
        #expect(admission.streams == 4)
        try modest.sendBody(1, 2, ends: true)
        #expect(modest.requests.count == 1)

        // Cancelled streams, and those of a closed connection, no longer count.
        for stream in [1, 3] { try greedy.send(3, stream: UInt32(stream), [0, 0, 0, 8]) }
        #expect(admission.streams == 2)
        try modest.ask(5)
        #expect(try modest.sent().isEmpty)
        #expect(admission.streams == 3)
        try greedy.close()
        try modest.close()
        #expect(admission.streams == 0)
    }

    @Test func nothingAnswersARequestBeforeItIsThere() throws {
        let link = try EmbeddedHTTP2Connection()
        try link.ask(1)
        try link.sendBody(1, 100)
        try link.ask(3, ["content-length": "65536"])
        try link.ask(5, ends: true)
        #expect(link.requests.count == 1)
        try link.sendBody(1, 100, ends: true)
        #expect(link.requests.count == 2)
        try link.send(3, stream: 3, [0, 0, 0, 8])
        #expect(link.requests.count == 2)
    }

    @Test func aBodyThatIsTooLongIsKeptNoLonger() throws {
        var limits = ConnectionLimits()
        limits.maxBodyBytes = 100
        let link = try EmbeddedHTTP2Connection(limits)
        try link.ask(1, ["content-length": "101"])
        #expect(link.requests.count == 1)
        try link.ask(3)
        try link.sendBody(3, 100)
        #expect(link.requests.count == 1)
        try link.sendBody(3, 1)
        #expect(link.requests.count == 2)
    }

    @Test func aHeaderThatIsTooLongEndsItsStreamAlone() throws {
        var limits = ConnectionLimits()
        limits.maxHeaderBytes = 400
        let link = try EmbeddedHTTP2Connection(limits)
        try link.ask(1)
        let value = String(repeating: "a", count: 120)
        // 32 bytes for each field besides its name and value, pseudo fields included.
        try link.ask(3, ends: true, ["x": value])
        try link.ask(5, ends: true, ["x": value, "y": value])
        #expect(try link.sent().map { [Int($0.type), $0.stream] } == [[1, 5], [0, 5], [0, 5]])
        #expect(link.requests.count == 1)
        try link.sendBody(1, 1, ends: true)
        #expect(link.requests.count == 2)
    }

    @Test func settingsAreInForceHoweverTheBytesAreCut() {
        func frame(_ type: UInt8, flags: UInt8 = 0, _ payload: String = "") -> [UInt8] {
            [0, 0, UInt8(payload.utf8.count), type, flags, 0, 0, 0, 0] + Array(payload.utf8)
        }
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        let (request, acknowledgement) = (frame(1, flags: 5, "request"), frame(4, flags: 1))
        for settings in [frame(4), frame(4, "twelve bytes")] {
            let sent = preface + settings + request + acknowledgement + request + acknowledgement
            let expected = preface + settings + acknowledgement + request + request + acknowledgement
            for size in [1, 7, 33, sent.count] {
                var (inForce, rest, passed) = (HTTP2SettingsInForce(), ByteBuffer(bytes: sent), ByteBuffer())
                while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                    passed.writeImmutableBuffer(inForce.pass(part))
                }
                #expect(Array(passed.readableBytesView) == expected, "\(size)")
            }
        }
    }

    /// Some clients read no response before they have sent everything.
    @Test func theRestOfABodyIsReadOffForAWhile() throws {
        var limits = ConnectionLimits()
        limits.maxBodyBytes = 100
        let link = try EmbeddedHTTP2Connection(limits)
        try link.ask(1, ["content-length": "200000"])
        try link.answer(0)
        #expect(try link.sent().map(\.type) == [1, 0])
        for _ in 1...4 {
            link.pass(1)
            // Enough for the client to continue: WINDOW_UPDATE of the connection and of the stream.
            for _ in 1...3 { try link.sendBody(1, 16_000) }
            #expect(try Set(link.sent().map { [Int($0.type), $0.stream] }) == [[8, 0], [8, 1]])
        }
        link.pass(1)
        #expect(try link.sent() == [.reset(1, Self.noError)])
        // A client that waits for 100 (Continue) is not waited for.
        try link.ask(3, ["content-length": "200000", "expect": "100-continue"])
        try link.answer(1)
        #expect(try link.sent().last == .reset(3, Self.noError))
        // And one that ends its request needs no reset.
        try link.ask(5, ["content-length": "101"])
        try link.answer(2)
        try link.sendBody(5, 101, ends: true)
        link.pass(10)
        #expect(try !link.sent().contains { $0.type == 3 })
    }

    /// WINDOW_UPDATE of the connection, PRIORITY_UPDATE (RFC 9218), and an unknown type.
    @Test(arguments: [UInt8(8), 16, 99])
    func framesThatAskForNothingAreBound(_ type: UInt8) throws {
        let payload: [UInt8] = [0, 0, 0, 1]
        // So that the idle timeout does not end it.
        var limits = ConnectionLimits()
        limits.firstByteTimeout = .seconds(100)
        limits.idleTimeout = .seconds(100)
        let link = try EmbeddedHTTP2Connection(limits)
        try link.send(type, stream: 0, payload, times: 200)
        #expect(try link.sent().isEmpty)
        link.pass(30)
        try link.send(type, stream: 0, payload, times: 200)
        #expect(try link.sent().isEmpty)
        // Each request allows for four.
        try link.ask(1, ends: true)
        try link.send(type, stream: 0, payload, times: 4)
        #expect(try link.sent().isEmpty)
        try link.send(type, stream: 0, payload)
        #expect(try link.sent() == [.goAway(Self.enhanceYourCalm)])
        try link.ask(3, ends: true)
        #expect(link.requests.count == 1)
    }

    @Test func framesAreFoundHoweverTheyAreCut() {
        let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        var bytes = preface
        for (type, count) in [(UInt8(4), 0), (1, 300), (0, 70_000), (8, 4), (99, 1)] {
            bytes.writeInteger(UInt32(count) << 8 | UInt32(type))
            bytes.writeBytes([UInt8](repeating: 1, count: 5 + count))
        }
        for size in [1, 7, 10, 100, bytes.readableBytes] {
            var (types, rest, found) = (HTTP2FrameTypes(), bytes, [UInt8]())
            while rest.readableBytes > 0, let part = rest.readSlice(length: min(size, rest.readableBytes)) {
                types.read(part) { found.append($0) }
            }
            #expect(found == [4, 1, 0, 8, 99])
        }
    }

    @Test func theConnectionsOfAnAddressAreBound() throws {
        var limits = ConnectionLimits()
        limits.maxConnectionsPerAddress = 2
        let proxy = try #require(AddressBlock("10.0.0.0/8"))
        let admission = Admission(limits: limits, proxies: TrustedProxies(blocks: [proxy], header: .xForwardedFor))
        func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
        var open: [String] = []
        // A client has a whole /64, or a /48 with twice as much for each eight bits.
        for (text, isAdmitted) in [
            ("192.0.2.1", true), ("192.0.2.1", true), ("192.0.2.1", false), ("192.0.2.2", true),
            ("2001:db8::1", true), ("2001:db8::2", true), ("2001:db8::3", false), ("2001:db8:0:1::1", true),
            ("2001:db8:0:1::1", true), ("2001:db8:0:2::1", false), ("2001:db8:0:100::1", true),
            ("2001:db8:0:101::1", true), ("2001:db8:0:102::1", true), ("2001:db8:0:200::1", true),
            ("2001:db8:0:300::1", false), ("2001:db8:1::1", true),
            ("10.1.2.3", true), ("10.1.2.3", true), ("10.1.2.3", true),
        ] {
            #expect(admission.admit(try address(text)) == isAdmitted, "\(text)")
            if isAdmitted { open.append(text) }
        }
        #expect(admission.networks == 15)
        admission.connectionClosed(try address("192.0.2.1"))
        #expect(admission.admit(try address("192.0.2.1")))
        for text in open { admission.connectionClosed(try address(text)) }
        #expect(admission.networks == 0)
    }
}
