import Testing

@testable import PhoneCLI

@Suite struct AppearanceTests {
    @Test(
        "lines are redrawn in a terminal, colours are for terminals that want them",
        arguments: [
            (true, ["TERM": "xterm"], true, true),
            (true, [:], true, true),
            (true, ["NO_COLOR": "1"], true, false),
            (true, ["NO_COLOR": ""], true, true),
            (true, ["TERM": "dumb"], false, false),
            (false, ["TERM": "xterm"], false, false),
        ]
    )
    func appearance(_ isTerminal: Bool, _ environment: [String: String], _ redraws: Bool, _ colours: Bool) {
        #expect(
            Appearance(terminal: ScriptedTerminal(isTerminal: isTerminal), environment: environment)
                == Appearance(redrawsLines: redraws, usesColour: colours, usesUnicode: false)
        )
    }

    @Test(
        "beyond ASCII there is something where the character set is UTF-8 alone",
        arguments: [
            ([:], false), (["LANG": "C"], false), (["LANG": "C.UTF-8"], true), (["LANG": "ko_KR.utf8"], true),
            (["LANG": "ko_KR"], false), (["LANG": "ko_KR.UTF-8", "LC_ALL": "ko_KR.EUC-KR"], false),
            (["LANG": "C", "LC_CTYPE": "en_US.UTF-8@euro", "LC_ALL": ""], true),
            (["LC_MESSAGES": "ko_KR.UTF-8"], false),
        ]
    )
    func characters(_ environment: [String: String], _ isUTF8: Bool) {
        #expect(Appearance(terminal: ScriptedTerminal(), environment: environment).usesUnicode == isUTF8)
    }

    @Test("without Unicode what is shown is ASCII, and what can be read of a message stays")
    func ascii() {
        let appearance = Appearance(redrawsLines: true, usesColour: false, usesUnicode: false)
        #expect(appearance.legible("sending… · [SMS stub] │ 코드 123456") == "sending... - [SMS stub] | ?? 123456")
        #expect(appearance.spinner == ["|", "/", "-", "\\"])
        var line = PromptLine(appearance: appearance)
        #expect(
            line.draw("번호", LineEditor("010"), hints: ["…", "–"]) == "\r? ??: 010\u{1B}[J\n... - -\u{1B}[A\r\u{1B}[9C"
        )
        #expect(line.print("é", mark: .success) == "\r\u{1B}[J+ ?\n")
        #expect(line.print("é", mark: .failure) == "x ?\n")
    }

    @Test("with colours marks are green and red, questions bold, and hints faint; without, none is")
    func colours() async throws {
        let coloured = try await TypedSignup(usesColour: true)
        await coloured.press("0101\r2345678\r")
        await coloured.press("123456\r")
        #expect(coloured.status == .done)
        #expect(coloured.output.hasPrefix("\r\u{1B}[1;32m?\u{1B}[0m \u{1B}[1mPhone number:\u{1B}[0m \u{1B}[J\n"))
        #expect(coloured.output.contains("\u{1B}[31m✗\u{1B}[0m This number is incomplete.\n"))
        #expect(coloured.output.contains("\n\u{1B}[2mEnter: send code · Ctrl-C: cancel\u{1B}[0m\u{1B}[A\r"))
        #expect(coloured.output.contains("\u{1B}[32m✔\u{1B}[0m Signed up: 010-1234-5678 · account "))

        let plain = try await TypedSignup(usesColour: false)
        await plain.press("0101\r2345678\r")
        await plain.press("123456\r")
        #expect(plain.shown == coloured.shown)
        #expect(!plain.output.contains(#/\e\[[0-9;]*m/#))
    }
}

@Suite struct TerminalTextTests {
    @Test(
        "wide characters take two columns, those that combine with the one before none",
        arguments: [
            ("abc", 3), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1), ("🚀", 2), ("…·│✔⠋", 5),
            ("０", 2), ("", 0),
        ]
    )
    func columns(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
    }

    @Test("lines break between words, and a word is broken only where it is longer than a line")
    func wrapping() {
        #expect("one two three".wrapped(toColumns: 7) == ["one two", "three"])
        #expect("번호를 다시 확인해".wrapped(toColumns: 11) == ["번호를 다시", "확인해"])
        #expect("an 0123456789 end".wrapped(toColumns: 4) == ["an", "0123", "4567", "89", "end"])
        #expect("fits  as it is".wrapped(toColumns: 14) == ["fits  as it is"])
        #expect("a b".wrapped(toColumns: nil) == ["a b"])
        #expect("한".wrapped(toColumns: -2) == ["한"])
    }
}
