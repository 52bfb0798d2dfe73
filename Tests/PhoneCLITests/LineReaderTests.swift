import Testing

@testable import PhoneCLI

@Suite struct LineReaderTests {
    private func lines(_ portions: String...) async -> [String] {
        let terminal = ScriptedTerminal(isTerminal: false)
        for portion in portions { terminal.type(portion) }
        terminal.end()
        var reader = LineReader(terminal)
        var lines: [String] = []
        while let line = await reader.next() { lines.append(line) }
        return lines
    }

    @Test("a line ends with LF, with CR LF, or with the input")
    func ends() async {
        #expect(await lines("a\nb\r\n\nc") == ["a", "b", "", "c"])
        #expect(await lines("a\n") == ["a"])
        #expect(await lines("") == [])
    }

    @Test("a line may come in portions, and a portion may hold several lines")
    func portions() async {
        #expect(await lines("01", "0\n12", "3456\r", "\n7\n8") == ["010", "123456", "7", "8"])
    }

    @Test("of a line without end the beginning counts")
    func longLine() async {
        let long = String(repeating: "1", count: 2000)
        #expect(await lines(long, long + "\n2") == [String(repeating: "1", count: 1024), "2"])
    }
}
