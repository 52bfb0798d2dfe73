import Console
import DockTestSupport
import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Synchronization
import Testing

/// The part of Now that changes while somebody looks.
@Suite struct LiveNowTests {
    private struct Failed: Error {}

    /// Intervals that end when a test says so.
    private static func makeLive(
        _ make: @escaping @Sendable (Int) throws -> HTML = { "<p>\($0)</p>" }
    ) -> (LiveNow, next: @Sendable () -> Void) {
        let (ticks, ticker) = AsyncStream<Void>.makeStream()
        let count = Mutex(0)
        let live = LiveNow {
            for await _ in ticks { return }
            throw CancellationError()
        } make: {
            try make(
                count.withLock { count in
                    count += 1
                    return count
                }
            )
        }
        return (live, { ticker.yield() })
    }

    @Test func itIsMadeOnceForAllStreams() async throws {
        let (live, next) = Self.makeLive()
        var streams: [AsyncStream<String>.Iterator] = []
        for _ in 0..<3 { streams.append(try #require(await live.parts(for: .local)).makeAsyncIterator()) }
        for count in 1...2 {
            next()
            for index in streams.indices {
                let part = await streams[index].next()
                #expect(part == "data: <p>\(count)</p>\n\n")
            }
        }
    }

    @Test func whatCannotBeMadeIsLeftOut() async throws {
        let (live, next) = Self.makeLive { count in
            if count == 1 { throw Failed() }
            return "<p>\n\(count)</p>"
        }
        var stream = try #require(await live.parts(for: .local)).makeAsyncIterator()
        next()
        #expect(await stream.next() == ":\n\n")
        next()
        #expect(await stream.next() == "data: <p>\ndata: 2</p>\n\n")
    }

    @Test func thereAreNoMoreThanFiftyStreamsAndTenOfOneOperator() async throws {
        let (live, _) = Self.makeLive()
        var streams: [AsyncStream<String>] = []
        for name in ["a", "b", "c", "d", "e"] {
            for _ in 0..<LiveNow.mostStreamsOfOne {
                streams.append(try #require(await live.parts(for: .operator(name))))
            }
            if name != "e" { #expect(await live.parts(for: .operator(name)) == nil) }
        }
        #expect(streams.count == 50)
        #expect(await live.parts(for: .local) == nil)
        streams.removeLast()
        // The end of a stream is noticed a moment later.
        while await live.parts(for: .local) == nil { await Task.yield() }
    }

    @Test func nothingIsMadeWhenNobodyLooksAnyMore() async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let live = LiveNow {
            await withTaskCancellationHandler {
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                end.finish()
            }
            throw CancellationError()
        } make: {
            Issue.record("made")
            return ""
        }
        var stream = await live.parts(for: .local)
        #expect(stream != nil)
        stream = nil
        for await _ in ended {}
    }

    @Test func aStreamWithoutASignInEnds() async throws {
        try await ConsoleTests.run { server in
            for browser in [Browser(server), try await Browser(server, as: [.viewer])] {
                if browser.cookie != nil {
                    _ = try await browser.post("sign-out", ["form_token": browser.formToken()])
                }
                let answer = try await browser.get("events")
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == "text/event-stream")
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.body == "event: end\ndata:\n\n")
            }
        }
    }

    @Test func theScriptIsAFileThatOnlyNowLoads() async throws {
        try await ConsoleTests.run { server in
            let script = try await Browser(server).get("live.js")
            #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(script.headers["x-content-type-options"] == "nosniff")
            let page = try await Browser(server, as: [.viewer]).get("")
            let start = try #require(page.body.firstRange(of: "<style nonce=\"")).upperBound
            let nonce = page.body[start...].prefix { $0 != "\"" }
            #expect(page.body.contains("<script src=\"/console/live.js\" nonce=\"\(nonce)\"></script>"))
            #expect(page.body.ranges(of: "<script").count == 1)
        }
    }
}
