import Testing

@testable import PhoneCLI

/// What a person sees who types a number.
@Suite struct TypingTests {
    @Test("hyphens appear while the number is typed, and vanish as it is taken back")
    func hyphens() async throws {
        let signup = try await TypedSignup()
        #expect(signup.shown == "Phone number: 010-▏")
        #expect(
            await signup.type("12345678") == [
                "Phone number: 010-1▏",
                "Phone number: 010-12▏",
                "Phone number: 010-123▏",
                "Phone number: 010-1234▏",
                "Phone number: 010-1234-5▏",
                "Phone number: 010-1234-56▏",
                "Phone number: 010-1234-567▏",
                "Phone number: 010-1234-5678▏   Enter sends a code",
            ]
        )
        #expect(
            await signup.type("\u{7F}\u{8}\u{7F}\u{7F}\u{7F}") == [
                "Phone number: 010-1234-567▏",
                "Phone number: 010-1234-56▏",
                "Phone number: 010-1234-5▏",
                "Phone number: 010-1234-▏",
                "Phone number: 010-1234▏",
            ]
        )
    }

    @Test("typing 010 after the field's own 010 enters it once")
    func wholeNumber() async throws {
        let signup = try await TypedSignup()
        #expect(
            await signup.type("01012345678") == [
                "Phone number: 010-0▏",
                "Phone number: 010-01▏",
                "Phone number: 010▏",
                "Phone number: 010-1▏",
                "Phone number: 010-12▏",
                "Phone number: 010-123▏",
                "Phone number: 010-1234▏",
                "Phone number: 010-1234-5▏",
                "Phone number: 010-1234-56▏",
                "Phone number: 010-1234-567▏",
                "Phone number: 010-1234-5678▏   Enter sends a code",
            ]
        )
    }

    @Test("a number of another country begins with +")
    func plus() async throws {
        let signup = try await TypedSignup()
        #expect(await signup.press("+") == "Phone number: +▏")
        #expect(await signup.press("82") == "Phone number: +82▏")
        #expect(await signup.press("1012345678") == "Phone number: +82 10-1234-5678▏   Enter sends a code")
    }

    @Test(
        "a paste that is a number takes the place of what stood there",
        arguments: ["+82 10-1234-5678", "01012345678", "010 1234 5678\n", "\t010.1234.5678 "]
    )
    func pastedNumber(_ text: String) async throws {
        let shown = text.first == "+" ? "+82 10-1234-5678" : "010-1234-5678"
        for before in ["", "99", "\u{15}"] {
            let signup = try await TypedSignup()
            await signup.press(before)
            #expect(
                await signup.press("\u{1B}[200~\(text)\u{1B}[201~") == "Phone number: \(shown)▏   Enter sends a code"
            )
            #expect(signup.status == nil)
        }
    }

    @Test("a paste that is a part of a number goes on from what stood there")
    func pastedPart() async throws {
        let signup = try await TypedSignup()
        #expect(
            await signup.press("\u{1B}[200~1234-5678\u{1B}[201~") == "Phone number: 010-1234-5678▏   Enter sends a code"
        )
    }

    @Test("Ctrl-U and Ctrl-W empty the field; what has no place in a number does not show")
    func clearing() async throws {
        let signup = try await TypedSignup()
        await signup.press("1234")
        #expect(await signup.press("\u{15}") == "Phone number: ▏")
        #expect(await signup.press("\u{7F}") == "Phone number: ▏")
        #expect(await signup.press("0101") == "Phone number: 010-1▏")
        #expect(await signup.press("\u{17}") == "Phone number: ▏")
        #expect(await signup.press("abc\u{1B}[A\u{1B}[1;5D\u{1B}OP\t\u{1A}한é\u{9B}") == "Phone number: ▏")
        #expect(signup.status == nil)
    }

    @Test("a hint that does not fit on the line is left out")
    func narrow() async throws {
        let signup = try await TypedSignup(width: 47)
        #expect(await signup.press("12345678") == "Phone number: 010-1234-5678▏")
        let wider = try await TypedSignup(width: 49)
        #expect(await wider.press("12345678") == "Phone number: 010-1234-5678▏   Enter sends a code")
    }

    @Test("a field that does not fit on the line loses its label, and then its beginning, and is drawn on one line")
    func narrower() async throws {
        let signup = try await TypedSignup(width: 22)
        #expect(
            await signup.type("12345678") == [
                "Phone number: 010-1▏", "Phone number: 010-12▏", "Phone number: 010-123▏", "010-1234▏", "010-1234-5▏",
                "010-1234-56▏", "010-1234-567▏", "010-1234-5678▏",
            ]
        )
        let tiny = try await TypedSignup(width: 10)
        #expect(await tiny.press("12345678") == "<234-5678▏")
        let unknown = try await TypedSignup(width: 1)
        #expect(await unknown.press("1") == "<▏")
    }
}
