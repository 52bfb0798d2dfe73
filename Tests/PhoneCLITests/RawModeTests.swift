import Glibc
import Testing

@testable import PhoneCLI

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
