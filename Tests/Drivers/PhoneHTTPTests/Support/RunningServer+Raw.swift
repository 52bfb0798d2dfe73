import NIOCore
import NIOPosix

extension RunningServer {
    /// Sends bytes as they are, for what no proper client would send, and reads everything until the server closes the
    /// connection.
    ///
    /// - Parameters:
    ///   - head: the request line, and headers besides `Host` and `Connection: close`.
    ///   - isHTTP: whether it is a request at all. If not, it never gets to our routes.
    func sendRaw(_ head: String, _ body: String = "", isHTTP: Bool = true) async throws -> Answer {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let answer = try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(
                ByteBuffer(string: head + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body)
            )
            var bytes = ByteBuffer()
            for try await part in inbound { bytes.writeImmutableBuffer(part) }
            return Answer(parsing: String(buffer: bytes))
        }
        if isHTTP { check(Exchange(head, body, answer)) }
        return answer
    }
}

extension Answer {
    fileprivate init(parsing text: String) {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }
        status = Int(head.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
        headers = Dictionary(
            head.dropFirst().map { line in
                let name = line.prefix { $0 != ":" }
                return (name.lowercased(), String(line.dropFirst(name.count + 2)))
            }
        ) { $0 + "," + $1 }
        body = lines.dropFirst(head.count + 1).joined(separator: "\r\n")
    }
}

extension Exchange {
    fileprivate init(_ head: String, _ body: String, _ answer: Answer) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (name: String(name), value: String(line.dropFirst(name.count + 2)))
        }
        self.init(String(words[0]), String(words[1]), headers: headers, body: Array(body.utf8), answer: answer)
    }
}
