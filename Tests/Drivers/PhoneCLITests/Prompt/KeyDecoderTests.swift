import Testing

@testable import PhoneCLI

@Suite struct KeyDecoderTests {
    private func keys(_ portions: [UInt8]...) -> [Key] {
        var decoder = KeyDecoder()
        return portions.flatMap { decoder.decode($0) }
    }

    private func keys(_ text: String) -> [Key] {
        keys(Array(text.utf8))
    }

    @Test("every key of the prompt")
    func everyKey() {
        #expect(
            keys("01\r2\u{7F}\u{8}\u{15}\u{17}\u{B}\u{1}\u{5}\u{4}\u{3}한")
                == [
                    .text("01"), .enter, .text("2"), .backspace, .backspace, .deleteToStart, .deleteWord, .deleteToEnd,
                    .home, .end, .endOfInput, .interrupt, .text("한"),
                ]
        )
    }

    @Test(
        "cursor keys, however the terminal writes them",
        arguments: [
            (["[D", "OD", "[1;5D"], Key.left), (["[C", "OC"], .right), (["[H", "OH", "[1~", "[7~"], .home),
            (["[F", "OF", "[4~", "[8~"], .end), (["[3~"], .delete),
        ]
    )
    func cursorKeys(_ sequences: [String], _ key: Key) {
        for sequence in sequences {
            #expect(keys("1\u{1B}\(sequence)2") == [.text("1"), key, .text("2")], "\(sequence)")
        }
    }

    @Test("ESC is the Esc key if nothing follows it within a tick, and not in a paste")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("1\u{1B}".utf8) == [.text("1")])
        #expect(decoder.tick() == [])
        #expect(decoder.decode("[D".utf8) == [.left])
        #expect(decoder.decode([0x1B]) == [])
        #expect([decoder.tick(), decoder.tick(), decoder.tick()] == [[], [.escape], []])
        #expect(decoder.decode("2\u{1B}[200~3\u{1B}".utf8) == [.text("2")])
        #expect([decoder.tick(), decoder.tick()] == [[], []])
        #expect(decoder.decode("\u{1B}[D4\u{1B}[201~".utf8) == [.paste("34")])
    }

    @Test("CR, LF and CR LF are one Enter each")
    func enter() {
        #expect(
            keys("a\rb\nc\r\nd\r\re") == [
                .text("a"), .enter, .text("b"), .enter, .text("c"), .enter, .text("d"), .enter, .enter, .text("e"),
            ]
        )
        #expect(keys([0x0D], [0x0A]) == [.enter])
    }

    @Test(
        "sequences of other keys are ignored",
        arguments: [
            "\u{1B}[A", "\u{1B}[1;5B", "\u{1B}OP", "\u{1B}[15~", "\u{1B}[5~", "\u{1B}[<0;10;20M", "\u{1B}[?1;2c",
            "\u{1B}\u{1B}[A", "\u{1B}[201~",
            // F1 to F5 of the Linux console, keys of rxvt with Shift and Ctrl, of Konsole and of PuTTY.
            "\u{1B}[[A", "\u{1B}[[E", "\u{1B}[3$", "\u{1B}[7$", "\u{1B}[23$", "\u{1B}[3^", "\u{1B}[3@", "\u{1B}O2P",
            "\u{1B}O1;5P", "\u{1B}Oa",
            // A terminal's late answers: its colour, its name, its size, the state of a mode.
            "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", "\u{1B}P>|xterm(390)\u{1B}\\",
            "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[8;24;80t", "\u{1B}[?2026;2$y", "\u{1A}", "\t", "\u{0}", "\u{1C}",
            "\u{1B}",
        ]
    )
    func otherKeys(_ sequence: String) {
        #expect(keys("1" + sequence) == [.text("1")])
        #expect(keys(Array("1".utf8), Array(sequence.utf8), Array("\r".utf8)) == [.text("1"), .enter])
    }

    @Test("a parameter byte behind an intermediate one ends a sequence, and is typed")
    func noSequence() {
        #expect(keys("\u{1B}[3\u{20}01012345678") == [.text("01012345678")])
        #expect(keys("\u{1B}[?1$2") == [.text("2")])
    }

    @Test("what comes a while after the beginning of a control string is typed: the beginning was a key with Alt")
    func endlessString() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}P".utf8) == [])
        #expect([decoder.tick(), decoder.tick()] == [[], []])
        #expect(decoder.decode("010".utf8) == [.text("010")])
    }

    @Test("the bytes give the same keys in portions of any size")
    func portions() {
        let text = "a한\u{1B}[200~+82 한글\r\n😀\u{1B}[201~\u{1B}[1;5D😀\r"
        let bytes = Array(text.utf8)
        let expected: [Key] = [.text("a한"), .paste("+82 한글  😀"), .left, .text("😀"), .enter]
        #expect(keys(bytes) == expected)
        for split in bytes.indices {
            let joined = keys(Array(bytes[..<split]), Array(bytes[split...])).reduce(into: [Key]()) { keys, key in
                if case .text(let text) = key, case .text(let before)? = keys.last {
                    keys[keys.count - 1] = .text(before + text)
                } else {
                    keys.append(key)
                }
            }
            #expect(joined == expected, "split at \(split)")
        }
    }

    @Test("bytes that are not UTF-8 are ignored")
    func invalidUTF8() {
        #expect(keys([0x31, 0xFF, 0x32, 0x80, 0x80, 0x80, 0x80, 0x80, 0xC0, 0xAF, 0x33]) == [.text("123")])
        #expect(keys([0xED, 0x95], [0x34]) == [.text("4")])
        #expect(keys([0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80]) == [])
    }

    @Test("Ctrl-C takes effect in an escape sequence and in a paste that never ends")
    func interrupt() {
        #expect(keys("\u{1B}[\u{3}1") == [.interrupt, .text("1")])
        #expect(keys("\u{1B}\u{3}1") == [.interrupt, .text("1")])
        #expect(keys("\u{1B}[200~010\u{3}1") == [.interrupt, .text("1")])
    }

    @Test("a paste without end does not fill the memory")
    func longPaste() {
        let text = String(repeating: "1", count: 100_000)
        #expect(keys("\u{1B}[200~\(text)\u{1B}[201~2") == [.paste(String(repeating: "1", count: 4096)), .text("2")])
        #expect(keys("\u{1B}[" + text + "A2") == [.text("2")])
    }
}
