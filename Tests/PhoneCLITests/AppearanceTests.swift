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
        var line = PromptLine(appearance: appearance)
        #expect(line.draw("번호", "010", hint: "…") == "\r??: 010   ...\u{1B}[K\r??: 010")
        #expect(line.print("é", as: nil) == "\r\u{1B}[K?\n")
    }

    @Test("with colours what went wrong is red, what worked is green, and hints are faint; without, none is")
    func colours() async throws {
        let coloured = try await TypedSignup(usesColour: true)
        await coloured.press("1\r2345678\r")
        await coloured.press("123456\r")
        #expect(coloured.status == .done)
        #expect(coloured.output.contains("\u{1B}[31mThis number is incomplete.\u{1B}[0m\n"))
        #expect(coloured.output.contains("   \u{1B}[2mEnter sends a code\u{1B}[0m\u{1B}[K\r"))
        #expect(coloured.output.contains("\u{1B}[32mSigned up: 010-1234-5678 · account "))

        let plain = try await TypedSignup(usesColour: false)
        await plain.press("1\r2345678\r")
        await plain.press("123456\r")
        #expect(plain.shown == coloured.shown)
        #expect(!plain.output.replacing("\u{1B}[K", with: "").contains("\u{1B}"))
    }
}
