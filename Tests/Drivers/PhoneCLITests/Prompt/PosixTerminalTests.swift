import Glibc
import PhoneTestSupport
import Testing

@testable import PhoneCLI

@Suite(.hangLimit) struct DescriptorReaderTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("gives what was written, and nil at the end")
    func reads() async throws {
        let pipe = try makePipe()
        defer { close(pipe.read) }
        let reader = DescriptorReader(pipe.read)
        async let first = reader.read()
        _ = write(pipe.write, "ab", 2)
        #expect(await first == Array("ab".utf8))
        close(pipe.write)
        #expect(await reader.read() == nil)
        #expect(await reader.read() == nil)
    }

    @Test("a read that is cancelled ends although nothing comes")
    func cancelled() async throws {
        let pipe = try makePipe()
        defer {
            close(pipe.read)
            close(pipe.write)
        }
        let reader = DescriptorReader(pipe.read)
        let reading = Task { await reader.read() }
        reading.cancel()
        #expect(await reading.value == nil)
        #expect(await reader.read() == nil)
    }
}

/// On a pseudo-terminal. Raw mode is a matter of the whole process, hence one test.
@Suite struct RawModeTests {
    @Test("raw mode gives every key at once and unechoed, and is left without a trace")
    func enterAndLeave() async throws {
        let terminal = try PseudoTerminal()
        let before = try terminal.modes()
        #expect(before.isEchoing && before.isCanonical && before.sendsSignals)

        let rawMode = RawMode(input: terminal.descriptor, output: terminal.descriptor)
        #expect(rawMode.enter())
        #expect(!rawMode.enter())
        let raw = try terminal.modes()
        #expect(!raw.isEchoing && !raw.isCanonical && !raw.sendsSignals)
        #expect(raw.returnsAtNewline)
        #expect(terminal.output() == "\u{1B}[?2004h")
        terminal.type("1\u{3}\r")
        #expect(await DescriptorReader(terminal.descriptor).read() == [0x31, 0x03, 0x0D])

        rawMode.leave()
        rawMode.leave()
        #expect(try terminal.modes() == before)
        #expect(terminal.output() == "\u{1B}[?2004l")

        #expect(rawMode.enter())
        rawMode.leave()
        #expect(try terminal.modes() == before)
    }

    @Test("what is no terminal has no raw mode")
    func noTerminal() throws {
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        #expect(!RawMode(input: null, output: null).enter())
    }
}
