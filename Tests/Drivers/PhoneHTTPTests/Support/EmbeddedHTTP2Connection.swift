import HTTPTypes
import NIOCore
import NIOEmbedded

@testable import PhoneHTTP

/// An HTTP/2 connection without a network, whose client's frames are made by hand (RFC 9113 section 4.1).
final class EmbeddedHTTP2Connection {
    /// A frame that the server sent.
    struct Frame: Equatable, CustomStringConvertible {
        let type: UInt8
        let stream: Int
        /// The error of a RST_STREAM or a GOAWAY.
        let code: Int?

        static func reset(_ stream: Int, _ code: Int) -> Frame { Frame(type: 3, stream: stream, code: code) }
        static func goAway(_ code: Int) -> Frame { Frame(type: 7, stream: 0, code: code) }

        var description: String { "\(type) on \(stream)" + (code.map { ": \($0)" } ?? "") }
    }

    private let channel = EmbeddedChannel()
    private let responses = HeldResponses()
    var requests: [Request] { responses.requests }

    init(_ limits: ConnectionLimits = ConnectionLimits(), admission: Admission? = nil) throws {
        try limits.addHTTP2Handlers(
            to: channel,
            deadlines: ConnectionDeadlines(limits: limits, channel: channel),
            admission: admission ?? Admission(limits: limits),
            refusals: .plain(limits),
            responder: responses.responder(for: channel)
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try receive(ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
        try send(4, stream: 0)
        _ = try sent()
    }

    deinit {
        _ = try? channel.finish()
    }

    func close() throws {
        _ = try channel.finish()
    }

    func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    func receive(_ bytes: ByteBuffer) throws {
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
    }

    func send(_ type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = [], times: Int = 1) throws {
        var bytes = ByteBuffer()
        for _ in 0..<times {
            bytes.writeInteger(UInt32(payload.count) << 8 | UInt32(type))
            bytes.writeInteger(flags)
            bytes.writeInteger(stream)
            bytes.writeBytes(payload)
        }
        try receive(bytes)
    }

    /// Begins a request, the first of its connection or not, whose body is still to come unless it ends here.
    func ask(_ stream: UInt32, ends: Bool = false, _ fields: [String: String] = [:]) throws {
        // :method POST and :scheme https from HPACK's static table, and the names of :path and :authority (RFC 7541).
        var header: [UInt8] = [0x83, 0x87, 0x04, 2] + Array("/a".utf8) + [0x01, 1] + Array("h".utf8)
        for (name, value) in fields {
            header += [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
        }
        try send(1, flags: ends ? 5 : 4, stream: stream, header)
    }

    func sendBody(_ stream: UInt32, _ count: Int, ends: Bool = false) throws {
        try send(0, flags: ends ? 1 : 0, stream: stream, Array(repeating: 0x20, count: count))
    }

    /// Responds to the request with this index.
    func answer(_ index: Int) throws {
        responses.answer(index, Response(status: .ok))
        channel.embeddedEventLoop.run()
    }

    /// What has been sent since the last call.
    func sent() throws -> [Frame] {
        var bytes = ByteBuffer()
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(var part) = data { bytes.writeBuffer(&part) }
        }
        var frames: [Frame] = []
        while let start = bytes.readInteger(as: UInt32.self), let rest = bytes.readBytes(length: 5 + Int(start >> 8)) {
            let type = UInt8(truncatingIfNeeded: start)
            let words = ByteBuffer(bytes: rest.dropFirst())
            let code = words.getInteger(at: type == 3 ? 4 : 8, as: UInt32.self)
            let stream = Int(words.getInteger(at: 0, as: UInt32.self) ?? 0)
            frames.append(Frame(type: type, stream: stream, code: type == 3 || type == 7 ? code.map { Int($0) } : nil))
        }
        return frames
    }
}
