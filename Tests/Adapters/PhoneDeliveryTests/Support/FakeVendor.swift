import Glibc
import NIOCore
import NIOPosix
import Synchronization

@testable import PhoneDelivery

/// A server on a real socket that behaves as badly as a test asks for. Its port is one that the system gives.
final class FakeVendor: Sendable {
    enum Behavior: CustomStringConvertible {
        /// Reads the request and writes this.
        case answer(String)
        /// Reads the request and writes what it makes of it.
        case judge(@Sendable (_ request: String) -> String)
        /// Reads the request, writes this and closes.
        case answerAndClose(String)
        /// Reads the request and does not respond.
        case hang
        /// Reads the request and resets the connection.
        case reset
        /// Resets the connection at the first byte.
        case resetUnread
        /// Writes this at the first byte.
        case answerUnread(String)

        /// What the test runner prints of it: some answers have megabytes.
        var description: String {
            switch self {
            case .answer(let text), .answerAndClose(let text), .answerUnread(let text): String(text.prefix(200))
            case .judge: "judge"
            case .hang: "hang"
            case .reset: "reset"
            case .resetUnread: "resetUnread"
            }
        }
    }

    private struct State {
        var requests: [String] = []
        var connections = 0
    }

    private let state = Mutex(State())
    private let changes = WakeSignal()
    private let channel: any Channel

    private init(channel: any Channel) {
        self.channel = channel
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    /// The whole text of every request.
    var requests: [String] { state.withLock { $0.requests } }

    var connections: Int { state.withLock { $0.connections } }

    /// Waits until it has read this many requests.
    func hasRead(_ count: Int) async throws {
        try await changes.until { self.requests.count >= count }
    }

    /// Waits until it has this many connections.
    func hasAccepted(_ count: Int) async throws {
        try await changes.until { self.connections >= count }
    }

    /// Runs one for the length of a test.
    static func with<Value>(_ behavior: Behavior, _ body: (FakeVendor) async throws -> Value) async throws -> Value {
        let holder = Holder()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(Connection(behavior: behavior, holder: holder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let vendor = FakeVendor(channel: channel)
        holder.vendor.withLock { $0 = vendor }
        let result: Result<Value, any Error>
        do { result = .success(try await body(vendor)) } catch { result = .failure(error) }
        try? await channel.close()
        return try result.get()
    }

    private final class Holder: Sendable {
        let vendor = Mutex<FakeVendor?>(nil)
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changes.wake()
    }

    private final class Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behavior: Behavior
        private let holder: Holder
        private var received = ""

        init(behavior: Behavior, holder: Holder) {
            self.behavior = behavior
            self.holder = holder
        }

        private var vendor: FakeVendor? { holder.vendor.withLock { $0 } }

        func channelActive(context: ChannelHandlerContext) {
            vendor?.change { $0.connections += 1 }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .resetUnread = behavior { return reset(context) }
            if case .answerUnread(let text) = behavior {
                return context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
            received += String(buffer: unwrapInboundIn(data))
            guard received.isWholeRequest else { return }
            let request = received
            received = ""
            vendor?.change { $0.requests.append(request) }
            switch behavior {
            case .judge(let answer):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer(request))), promise: nil)
            case .answer(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            case .answerAndClose(let text):
                let channel = context.channel
                channel.writeAndFlush(ByteBuffer(string: text)).whenComplete { _ in channel.close(promise: nil) }
            case .hang, .answerUnread: break
            case .reset, .resetUnread: reset(context)
            }
        }

        private func reset(_ context: ChannelHandlerContext) {
            let channel = context.channel
            // Closing with a linger time of 0 sends RST (tcp(7)).
            (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .whenComplete { _ in channel.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

extension String {
    fileprivate var isWholeRequest: Bool {
        guard let end = firstRange(of: "\r\n\r\n") else { return false }
        // A request without this has no body (RFC 9112 section 6.3).
        guard let start = firstRange(of: "content-length: ") ?? firstRange(of: "Content-Length: ") else { return true }
        let length = Int(self[start.upperBound...].prefix { $0.isNumber }) ?? 0
        return self[end.upperBound...].utf8.count >= length
    }
}

/// A parsed request of a fake vendor.
struct HTTPRequestText {
    let method: String
    let target: String
    /// In lower case, as they came.
    let headers: [(name: String, value: String)]
    let body: String

    init(_ text: String) {
        let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? text[...]
        body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        method = words.first.map(String.init) ?? ""
        target = words.dropFirst().first.map(String.init) ?? ""
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].trimmingPrefix(" ")) : "")
        }
    }

    subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
