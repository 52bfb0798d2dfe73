import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneCLI

/// What a person sees from the code on.
@Suite struct CodeStepTests {
    private static let sent = """
        ? Phone number: 010-1234-5678
        ✔ Code sent to +82 10-****-5678.
        SMS stub │ [PhoneProof] Your code is 123456.

        """

    @Test("the right code signs up")
    func rightCode() async throws {
        let signup = try await TypedSignup()
        #expect(
            await signup.press("01012345678\r")
                == Self.sent + "? Code: ▏\nresend in 0:30 · expires in 10:00 · Esc: change number"
        )
        #expect(
            await signup.type("123456")
                == ["1", "12", "123", "1234", "12345"].map {
                    Self.sent + "? Code: \($0)▏\nresend in 0:30 · expires in 10:00 · Esc: change number"
                } + [
                    Self.sent
                        + "? Code: 123456▏\nEnter: sign up · resend in 0:30 · expires in 10:00 · Esc: change number"
                ]
        )
        #expect(
            await signup.press("\r") == Self.sent + """
                ? Code: 123456
                ✔ Signed up: 010-1234-5678 · account acc_00000000000000000000000000000003 (new)
                ▏
                """
        )
        #expect(signup.status == .done)
        #expect(signup.errors == "")
    }

    @Test("a known number is welcomed back")
    func knownNumber() async throws {
        let world = SignupWorld()
        let first = try await TypedSignup(world: world)
        await first.press("01012345678\r123456\r")
        #expect(first.status == .done)

        let second = try await TypedSignup(world: world)
        await second.press("01012345678\r123456\r")
        #expect(
            second.shown == Self.sent + """
                ? Code: 123456
                ✔ Welcome back: 010-1234-5678 · account acc_00000000000000000000000000000003
                ▏
                """
        )
        #expect(second.status == .done)
    }

    @Test("the code can be sent by another channel, when it can be sent again")
    func otherChannel() async throws {
        let routes = Routes([Routes.Gateway("all", serves: [.sms, .call, .whatsapp])])
        let signup = try await TypedSignup(world: SignupWorld(routes: routes))
        await signup.press("01012345678\r")
        #expect(
            await signup.wait(.seconds(30)).hasSuffix(
                "r: resend · c: Use WhatsApp · expires in 9:30 · Esc: change number"
            )
        )
        await signup.press("c")
        #expect(await signup.wait(.seconds(60)).contains("c: Call me instead"))
        await signup.press("c")
        #expect(await signup.press("c").hasSuffix("! resend in 2:00 · expires in 8:30"))
        #expect(signup.taps == [.send, .send, .send])
        #expect(await signup.world.store.outbox.map(\.channel) == [.sms, .whatsapp, .call])
    }

    @Test("a wrong code costs a try and leaves an empty field")
    func wrongThenRight() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678\r")
        #expect(
            await signup.press("000000\r") == Self.sent + """
                ? Code: 000000
                ✗ Wrong code. 4 attempts left.
                ? Code: ▏
                resend in 0:30 · expires in 10:00 · Esc: change number
                """
        )
        #expect(
            await signup.press("123456\r") == Self.sent + """
                ? Code: 000000
                ✗ Wrong code. 4 attempts left.
                ? Code: 123456
                ✔ Signed up: 010-1234-5678 · account acc_00000000000000000000000000000004 (new)
                ▏
                """
        )
        #expect(signup.status == .done)
    }

    @Test("a code that is not complete costs nothing and stays in the field")
    func incomplete() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678\r")
        #expect(
            await signup.press("123\r") == Self.sent + """
                ? Code: 123
                ✗ Enter the 6-digit code.
                ? Code: 123▏
                resend in 0:30 · expires in 10:00 · Esc: change number
                """
        )
    }

    @Test("the waits count down; r sends again, with Enter or without, and before its time highlights the wait")
    func resend() async throws {
        let signup = try await TypedSignup(usesColour: false)
        await signup.press("01012345678\r")
        #expect(
            await signup.wait(.seconds(1))
                == Self.sent + "? Code: ▏\nresend in 0:29 · expires in 9:59 · Esc: change number"
        )
        #expect(await signup.press("r\r") == Self.sent + "? Code: ▏\n! resend in 0:29 · expires in 9:59")
        for _ in 1...7 { await signup.happen(.tick) }
        #expect(signup.shown == Self.sent + "? Code: ▏\n! resend in 0:29 · expires in 9:59")
        #expect(
            await signup.wait(.seconds(28.5))
                == Self.sent + "? Code: ▏\nresend in 0:01 · expires in 9:31 · Esc: change number"
        )
        #expect(
            await signup.wait(.seconds(0.5))
                == Self.sent + "? Code: ▏\nr: resend · expires in 9:30 · Esc: change number"
        )
        #expect(signup.taps == [.send])
        let resent =
            Self.sent + """
                ✔ Code sent to +82 10-****-5678.
                SMS stub │ [PhoneProof] Your code is 123456.
                ? Code: ▏
                resend in 1:00 · expires in 9:30 · Esc: change number
                """
        #expect(await signup.press("ㄱ") == resent)
        #expect(await signup.press("\r") == resent)
        await signup.press("123456\r")
        #expect(signup.status == .done)
    }

    @Test("after the last try another number is asked for; that one can have a new code when its countdown has ended")
    func noTriesLeft() async throws {
        let signup = try await TypedSignup(world: SignupWorld(policy: VerificationPolicy(maxChecks: 1)))
        await signup.press("01012345678\r")
        _ = await signup.wait(.seconds(6))
        let locked =
            Self.sent + """
                ? Code: 000000
                ✗ Wrong code. No attempts left.

                """
        let hint = "another number, or a new code in 9:54 · Ctrl-C: cancel"
        #expect(await signup.press("000000\r") == locked + "? Phone number: ▏\n" + hint)
        let refused =
            locked + """
                ? Phone number: 010-1234-5678
                ✗ Too many wrong codes. Try again in 10 minutes.
                ? Phone number: 010-1234-5678▏
                Enter: send code · Ctrl-C: cancel
                """
        #expect(await signup.press("01012345678\r") == refused)
        #expect(await signup.press("\u{7F}9\r123456\r").contains("✔ Signed up: 010-1234-5679"))
        #expect(signup.status == .done)
    }

    @Test("the number whose code was used up can have another one in its time")
    func triesAgain() async throws {
        let signup = try await TypedSignup(world: SignupWorld(policy: VerificationPolicy(maxChecks: 1)))
        await signup.press("01012345678\r000000\r")
        let asked = await signup.wait(.seconds(600))
        #expect(asked.hasSuffix("? Phone number: ▏\n+ for another country · Ctrl-C: cancel"))
        #expect(await signup.press("01012345678\r123456\r").contains("✔ Signed up: 010-1234-5678"))
        #expect(signup.status == .done)
    }

    @Test("after the last send the wait is that for a new code")
    func noSendsLeft() async throws {
        let signup = try await TypedSignup(world: SignupWorld(policy: VerificationPolicy(maxSends: 1)))
        await signup.press("01012345678\r")
        #expect(signup.shown == Self.sent + "? Code: ▏\nnew code in 10:00 · expires in 10:00 · Esc: change number")
    }

    @Test("an expired code is said to be, and r brings a new one")
    func expired() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678\r")
        #expect(
            await signup.wait(.seconds(600))
                == Self.sent + "? Code: ▏\nr: new code · expired · Esc: change number"
        )
        #expect(
            await signup.press("123456\r") == Self.sent + """
                ? Code: 123456
                ✗ Your code has expired. Request a new one.
                ? Code: ▏
                r: new code · expired · Esc: change number
                """
        )
        await signup.press("r")
        await signup.press("123456\r")
        #expect(signup.status == .done)
    }

    @Test(
        "a message that is pasted whole yields its code, whatever was typed before",
        arguments: [
            "[PhoneProof] Your code is 123456. It expires in 10 min.", "[Web발신]\n인증번호 123456 (유효시간 10분)",
            "123456 is your code, 2026-01-01 10:05", "Questions? 15881588. Your code: 123456", "123 456", "1２3456",
            String(repeating: "A long greeting. ", count: 30) + "Code 123456",
        ]
    )
    func pastedMessage(_ message: String) async throws {
        for before in ["", "99"] {
            let signup = try await TypedSignup()
            await signup.press("01012345678\r" + before)
            await signup.press("\u{1B}[200~\(message)\u{1B}[201~")
            #expect(
                signup.shown == Self.sent
                    + "? Code: 123456▏\nEnter: sign up · resend in 0:30 · expires in 10:00 · Esc: change number"
            )
        }
    }

    @Test("a paste that is a part of a code is inserted where the cursor is")
    func pastedPart() async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678\r1256\u{1B}[D\u{1B}[D")
        #expect(await signup.press("\u{1B}[200~34\u{1B}[201~").contains("\n? Code: 1234▏56\nEnter: sign up · "))
    }

    @Test(
        "n or Esc goes back to the number, which is still there, and another one begins anew",
        arguments: [true, false]
    )
    func otherNumber(_ isEscape: Bool) async throws {
        let signup = try await TypedSignup()
        await signup.press("01012345678\r12")
        await signup.happen(.key(isEscape ? .escape : .text("n")))
        #expect(
            signup.shown == Self.sent + "? Phone number: 010-1234-5678▏\nEnter: send code · Ctrl-C: cancel"
        )
        #expect(
            await signup.press("\u{7F}9")
                == Self.sent + "? Phone number: 010-1234-5679▏\nEnter: send code · Ctrl-C: cancel"
        )
        await signup.happen(.key(.escape))
        #expect(
            await signup.press("\r") == Self.sent + """
                ? Phone number: 010-1234-5679
                ✔ Code sent to +82 10-****-5679.
                SMS stub │ [PhoneProof] Your code is 123456.
                ? Code: ▏
                resend in 0:30 · expires in 10:00 · Esc: change number
                """
        )
    }

    @Test(
        "a number that no code can be sent to stays in the field, with the reason above it",
        arguments: [
            ("0101234\r", "010-1234", "This number is incomplete."),
            (
                "\u{15}0111234567\r", "011-123-4567",
                "011 and 016–019 numbers are out of service. Use your 010 number."
            ),
            (
                "\u{15}0212345678\r", "02-1234-5678",
                "This is a landline. Use a mobile number."
            ),
            ("\u{15}\r", "", "Enter your phone number."),
            (
                "\u{15}+12125550100\r", "+1 212-555-0100",
                "Numbers from this country (United States) aren't supported. Use a number\n  from: South Korea."
            ),
        ]
    )
    func refusedNumber(_ keys: String, _ text: String, _ reason: String) async throws {
        let signup = try await TypedSignup()
        #expect(
            await signup.press(keys) == """
                ? Phone number: \(text)
                ✗ \(reason)
                ? Phone number: \(text)▏
                + for another country · Ctrl-C: cancel
                """
        )
        #expect(signup.status == nil)
    }

    @Test("without the store nothing is lost but time")
    func unavailable() async throws {
        struct Outage: Error {}
        let signup = try await TypedSignup()
        signup.world.store.fail(with: Outage())
        #expect(
            await signup.press("01012345678\r") == """
                ? Phone number: 010-1234-5678
                ✗ The service is temporarily unavailable. Try again in a moment.
                ? Phone number: 010-1234-5678▏
                Enter: send code · Ctrl-C: cancel
                """
        )
        signup.world.store.fail(with: nil)
        await signup.press("\r")
        signup.world.store.fail(with: Outage())
        #expect(
            await signup.press("123456\r").hasSuffix(
                """
                ✗ The service is temporarily unavailable. Try again in a moment.
                ? Code: 123456▏
                Enter: sign up · resend in 0:30 · expires in 10:00 · Esc: change number
                """
            )
        )
        signup.world.store.fail(with: nil)
        await signup.press("\r")
        #expect(signup.status == .done)
    }
}

@Suite struct CountdownTests {
    @Test(
        "waits are in minutes and seconds, rounded up",
        arguments: [
            (0, "0:00"), (1, "0:01"), (1000, "0:01"), (26_001, "0:27"), (60_000, "1:00"), (600_000, "10:00"),
            (3_599_001, "1:00:00"), (86_399_000, "23:59:59"), (-5000, "0:00"),
        ]
    )
    func countdown(_ milliseconds: Int, _ text: String) {
        #expect(Countdown.text(.milliseconds(milliseconds)) == text)
    }
}
