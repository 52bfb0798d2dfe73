import PhoneNumbers
import Testing

@testable import PhoneCLI

/// What a person sees who types a number.
@Suite struct PromptTypingTests {
    private static func shown(_ text: String) -> String {
        "? Phone number: \(text)\n+ for another country · Ctrl-C: cancel"
    }

    private static func whole(_ text: String) -> String {
        "? Phone number: \(text)\nEnter: send code · Ctrl-C: cancel"
    }

    @Test("hyphens appear while the number is typed, and vanish as it is taken back")
    func hyphens() async throws {
        let signup = try await TypedSignup()
        #expect(signup.shown == Self.shown("▏"))
        #expect(
            await signup.type("01012345678")
                == [
                    "0▏", "01▏", "010▏", "010-1▏", "010-12▏", "010-123▏", "010-1234▏", "010-1234-5▏", "010-1234-56▏",
                    "010-1234-567▏",
                ]
                .map(Self.shown) + [Self.whole("010-1234-5678▏")]
        )
        #expect(
            await signup.type("\u{7F}\u{8}\u{7F}\u{7F}\u{7F}")
                == ["010-1234-567▏", "010-1234-56▏", "010-1234-5▏", "010-1234-▏", "010-1234▏"].map(Self.shown)
        )
    }

    @Test(
        "a number is typed at home, without its 0, as abroad, or from abroad",
        arguments: [
            ("01012345678", "010-1234-5678"), ("1012345678", "10-1234-5678"), ("+821012345678", "+82 10-1234-5678"),
            ("00821012345678", "00 82 10-1234-5678"), ("001821012345678", "001 82 10-1234-5678"),
        ]
    )
    func everySpelling(_ keys: String, _ shown: String) async throws {
        let signup = try await TypedSignup()
        #expect(await signup.type(keys).last == Self.whole(shown + "▏"))
        let quick = try await TypedSignup()
        #expect(await quick.press(keys) == Self.whole(shown + "▏"))
    }

    @Test("in another region the number may be one of the service's own")
    func dialledAtHome() async throws {
        let region = try #require(Region("US"))
        let world = SignupWorld()
        let flow = try world.flow(region: region)
        let signup = try await TypedSignup(world: world, begin: { flow }, region: region)
        let hints = "\n+ for another country · region US (--region changes it) · Ctrl-C: cancel"
        #expect(signup.shown == "? Phone number: ▏" + hints)
        #expect(
            await signup.type("01012345678")
                == (1...10).map { "? Phone number: " + "0101234567".prefix($0) + "▏" + hints }
                + [Self.whole("010-1234-5678▏")]
        )
    }

    @Test("letters stay, so that no extension is dialled, and Enter says why")
    func letters() async throws {
        let signup = try await TypedSignup()
        #expect(await signup.type("0101234567 x8").last == Self.shown("010-1234-567x8▏"))
        #expect(await signup.press("\u{1B}[D\u{1B}[D!") == Self.shown("010-1234-567!▏x8"))
        let reason = "✗ That's not a phone number. Enter digits only, no extension."
        #expect(await signup.press("\r").contains(reason))
        #expect(signup.taps == [.send])
    }

    @Test(
        "a paste that is a number takes the place of what stood there",
        arguments: ["+82 10-1234-5678", "01012345678", "010 1234 5678\n", "\t010.1234.5678 "]
    )
    func pastedNumber(_ text: String) async throws {
        let shown = text.first == "+" ? "+82 10-1234-5678" : "010-1234-5678"
        for before in ["", "99", "\u{15}", "12\u{1B}[D"] {
            let signup = try await TypedSignup()
            await signup.press(before)
            #expect(await signup.press("\u{1B}[200~\(text)\u{1B}[201~") == Self.whole(shown + "▏"))
            #expect(signup.status == nil)
        }
    }

    @Test("a paste that is a part of a number is inserted where the cursor is")
    func pastedPart() async throws {
        let signup = try await TypedSignup()
        #expect(await signup.press("010\u{1B}[200~1234-5678\u{1B}[201~") == Self.whole("010-1234-5678▏"))
        await signup.press("\u{1B}[D\u{1B}[D\u{7F}\u{7F}")
        #expect(await signup.press("\u{1B}[200~99\u{1B}[201~") == Self.whole("010-1234-99▏78"))
    }

    @Test("the cursor passes over hyphens, and what is typed or deleted there moves them")
    func cursor() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678")
        let left = "\u{1B}[D"
        #expect(
            await signup.press(left + left + left + left) == Self.whole("010-1234-▏5678")
        )
        #expect(await signup.press(left) == Self.whole("010-123▏4-5678"))
        #expect(await signup.press("\u{1B}OC") == Self.whole("010-1234-▏5678"))
        #expect(await signup.press("\u{7F}") == Self.shown("010-123▏5-678"))
        #expect(await signup.press("\u{1B}[3~") == Self.shown("010-123▏6-78"))
        #expect(await signup.press("45") == Self.whole("010-1234-5▏678"))
        #expect(await signup.press("\u{4}") == Self.shown("010-1234-5▏78"))
        #expect(await signup.press("\u{1}") == Self.shown("▏010-1234-578"))
        #expect(await signup.press(left + "\u{7F}") == Self.shown("▏010-1234-578"))
        #expect(await signup.press("\u{1B}[F") == Self.shown("010-1234-578▏"))
        #expect(await signup.press("\u{1B}[H\u{1B}[C\u{1B}[C\u{1B}[C") == Self.shown("010-▏1234-578"))
        #expect(await signup.press("\u{B}") == Self.shown("010-▏"))
        #expect(await signup.press("\u{5}1") == Self.shown("010-1▏"))
    }

    @Test("Ctrl-U and Ctrl-K empty the field on their side of the cursor, Ctrl-W takes a group of digits")
    func clearing() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678")
        #expect(await signup.press("\u{17}") == Self.shown("010-1234-▏"))
        #expect(await signup.press("\u{17}") == Self.shown("010-▏"))
        #expect(await signup.press("1234\u{1B}[D\u{1B}[D\u{15}") == Self.shown("▏34"))
        #expect(await signup.press("\u{B}") == Self.shown("▏"))
        #expect(await signup.press("\u{7F}\u{1B}[3~\u{17}\u{15}") == Self.shown("▏"))
        #expect(await signup.press("abc\u{1B}[A\u{1B}[5~\u{1B}OP\t\u{1A}한é\u{9B}") == Self.shown("abc한é\u{FFFD}▏"))
        #expect(await signup.press("\u{15}0101") == Self.shown("010-1▏"))
        #expect(signup.status == nil)
    }

    @Test("the hints that fit on a line are shown, the most important first")
    func narrow() async throws {
        let field = "? Phone number: 010-1234-5678▏"
        for (width, hints) in [
            (34, "\nEnter: send code · Ctrl-C: cancel"), (33, "\nEnter: send code"), (30, "\nEnter: send code"),
        ] {
            let signup = try await TypedSignup(width: width)
            #expect(await signup.press("01012345678") == field + hints)
        }
        let signup = try await TypedSignup(width: 40)
        #expect(
            await signup.press("01012345678\r") == """
                ? Phone number: 010-1234-5678
                ✔ Code sent to +82 10-****-5678.
                SMS stub │ [PhoneProof] Your code is
                SMS stub │ 123456.
                ? Code: ▏
                resend in 0:30 · expires in 10:00
                """
        )
        #expect(await signup.press("123456").hasSuffix("? Code: 123456▏\nEnter: sign up · resend in 0:30"))
    }

    @Test("a field that does not fit on the line loses its label, and then what is far from the cursor")
    func narrower() async throws {
        let signup = try await TypedSignup(width: 24)
        #expect(
            await signup.type("01012345678").map { String($0.prefix { $0 != "\n" }) } == [
                "? Phone number: 0▏", "? Phone number: 01▏", "? Phone number: 010▏", "? Phone number: 010-1▏",
                "? Phone number: 010-12▏", "? Phone number: 010-123▏", "010-1234▏",
                "010-1234-5▏", "010-1234-56▏", "010-1234-567▏", "010-1234-5678▏",
            ]
        )
        let tiny = try await TypedSignup(width: 10)
        #expect(await tiny.press("01012345678") == "<234-5678▏")
        #expect(await tiny.press("\u{1B}[H") == "▏010-1234-")
        let unknown = try await TypedSignup(width: 1)
        #expect(await unknown.press("1") == "<▏")
    }
}
