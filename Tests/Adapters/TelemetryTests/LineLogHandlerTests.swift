import Logging
import PhoneDomain
import PhoneSignup
import Synchronization
import Telemetry
import Testing

/// What was recorded, in order.
final class Log<Element: Sendable>: Sendable {
    private let kept = Mutex<[Element]>([])
    var all: [Element] { kept.withLock { $0 } }
    func append(_ element: Element) { kept.withLock { $0.append(element) } }
}

@Suite struct LineLogHandlerTests {
    private let lines = Log<String>()

    private func logger(_ format: LogFormat) -> Logger {
        Logger(label: "phoneproof") { label in
            LineLogHandler(
                label: label,
                format: format,
                now: { Timestamp(milliseconds: 1_767_225_600_123) },
                write: lines.append
            )
        }
    }

    private struct Quoting: Error {
        let number = "+821012345678"
    }

    @Test func `a line of JSON has everything under dotted names`() {
        var logger = logger(.json)
        logger[metadataKey: "request.id"] = "r1"
        logger.info(
            "said \"no\"\nand \\",
            metadata: [
                "http": ["status": "200", "fields": ["a", "b"]], "count": .stringConvertible(3), "tab": "\t\u{1}",
            ]
        )
        #expect(
            lines.all == [
                #"{"time":"2026-01-01T00:00:00.123Z","level":"info","logger":"phoneproof","#
                    + #""message":"said \"no\"\nand \\","count":"3","http.fields.0":"a","http.fields.1":"b","#
                    + #""http.status":"200","request.id":"r1","tab":"\u0009\u0001"}"#
            ]
        )
    }

    @Test func `a line of text is one line, whatever is in it`() {
        var logger = logger(.text)
        logger[metadataKey: "request.id"] = "r1"
        logger.warning("two\nlines", metadata: ["a": "x\r\ny\u{2028}\u{85}z", "b": ["c": "d"]])
        #expect(
            lines.all == [
                "2026-01-01T00:00:00.123Z warning phoneproof: a=x\\u000d\\u000ay\\u2028\\u0085z b.c=d request.id=r1 "
                    + "two\\u000alines"
            ]
        )
    }

    @Test func `a short line has the message first, or what was answered how fast`() {
        var logger = logger(.short)
        logger[metadataKey: "request.id"] = "r1"
        logger.info("began\nhere", metadata: ["message.id": "m1"])
        logger.warning("no receipt", metadata: ["gateway": "main"])
        logger.info(
            "answered",
            metadata: [
                "http.method": "POST", "http.route": "/v1/verifications", "http.status": "201",
                "http.microseconds": "13529",
            ]
        )
        #expect(
            lines.all == [
                "00:00:00 began\\u000ahere", "00:00:00 warning: no receipt gateway=main",
                "00:00:00 201 POST /v1/verifications 13 ms",
            ]
        )
    }

    @Test func `within a trace every line says which`() throws {
        let parent = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        TraceParent.$current.withValue(parent) { logger(.text).info("here") }
        logger(.text).info("there")
        #expect(
            lines.all == [
                "2026-01-01T00:00:00.123Z info phoneproof: trace.id=4bf92f3577b34da6a3ce929d0e0e4736 here",
                "2026-01-01T00:00:00.123Z info phoneproof: there",
            ]
        )
    }

    @Test func `of an error only its type is logged`() {
        logger(.text).error("failed", error: Quoting())
        #expect(lines.all.count == 1)
        #expect(lines.all[0].contains("error.type=TelemetryTests.LineLogHandlerTests.(unknown context"))
        #expect(!lines.all[0].contains("1012345678"))
    }

    @Test func `a handler keeps to its level and its own metadata`() {
        var loud = logger(.text)
        var quiet = loud
        quiet.logLevel = .error
        loud[metadataKey: "who"] = "loud"
        quiet.info("hush")
        quiet.error("ouch")
        loud.info("hey")
        #expect(
            lines.all == [
                "2026-01-01T00:00:00.123Z error phoneproof: ouch",
                "2026-01-01T00:00:00.123Z info phoneproof: who=loud hey",
            ]
        )
    }
}
