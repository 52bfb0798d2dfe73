import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneCLI

/// What a person sees from the code on.
@Suite struct CodeStepTests {
    private static let sent = """
        Phone number: 010-1234-5678
        Code sent to +82 10-****-5678.
        SMS stub │ [PhoneProof] Your code is 123456.

        """

    @Test("the right code signs up")
    func rightCode() async throws {
        let signup = try await TypedSignup()
        #expect(
            await signup.press("12345678\r")
                == Self.sent + "Code: ▏   resend in 0:30 · n: change number"
        )
        #expect(
            await signup.type("123456") == [
                Self.sent + "Code: 1▏   resend in 0:30",
                Self.sent + "Code: 12▏   resend in 0:30",
                Self.sent + "Code: 123▏   resend in 0:30",
                Self.sent + "Code: 1234▏   resend in 0:30",
                Self.sent + "Code: 12345▏   resend in 0:30",
                Self.sent + "Code: 123456▏   Enter signs up · resend in 0:30",
            ]
        )
        #expect(
            await signup.press("\r") == Self.sent + """
                Code: 123456
                Signed up: 010-1234-5678 · account acc_00000000000000000000000000000003 (new)
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
        await first.press("12345678\r123456\r")
        #expect(first.status == .done)

        let second = try await TypedSignup(world: world)
        await second.press("12345678\r123456\r")
        #expect(
            second.shown == Self.sent + """
                Code: 123456
                Welcome back: 010-1234-5678 · account acc_00000000000000000000000000000003
                ▏
                """
        )
        #expect(second.status == .done)
    }

    @Test("a wrong code costs a try and leaves an empty field")
    func wrongThenRight() async throws {
        let signup = try await TypedSignup()
        await signup.press("12345678\r")
        #expect(
            await signup.press("000000\r") == Self.sent + """
                Code: 000000
                Wrong code. 4 attempts left.
                Code: ▏   resend in 0:30 · n: change number
                """
        )
        #expect(
            await signup.press("123456\r") == Self.sent + """
                Code: 000000
                Wrong code. 4 attempts left.
                Code: 123456
                Signed up: 010-1234-5678 · account acc_00000000000000000000000000000004 (new)
                ▏
                """
        )
        #expect(signup.status == .done)
    }

    @Test("a code that is not complete costs nothing and stays in the field")
    func incomplete() async throws {
        let signup = try await TypedSignup()
        await signup.press("12345678\r")
        #expect(
            await signup.press("123\r") == Self.sent + """
                Code: 123
                Enter the 6-digit code.
                Code: 123▏   resend in 0:30
                """
        )
    }

    @Test("the wait for a resend counts down; r sends again, with Enter or without")
    func resend() async throws {
        let signup = try await TypedSignup()
        await signup.press("12345678\r")
        #expect(
            await signup.wait(.seconds(1)) == Self.sent + "Code: ▏   resend in 0:29 · n: change number"
        )
        #expect(
            await signup.press("r\r") == Self.sent + """
                A code was just sent. You can request another one in 29 seconds.
                Code: ▏   resend in 0:29 · n: change number
                """
        )
        #expect(
            await signup.wait(.seconds(28.5)) == Self.sent + """
                A code was just sent. You can request another one in 29 seconds.
                Code: ▏   resend in 0:01 · n: change number
                """
        )
        #expect(
            await signup.wait(.seconds(0.5)) == Self.sent + """
                A code was just sent. You can request another one in 29 seconds.
                Code: ▏   r: resend · n: change number
                """
        )
        let resent =
            Self.sent + """
                A code was just sent. You can request another one in 29 seconds.
                Code sent to +82 10-****-5678.
                SMS stub │ [PhoneProof] Your code is 123456.
                Code: ▏   resend in 1:00 · n: change number
                """
        #expect(await signup.press("ㄱ") == resent)
        #expect(await signup.press("\r") == resent)
        await signup.press("123456\r")
        #expect(signup.status == .done)
    }

    @Test("after the last try the wait for a new code counts down, and then r brings it")
    func noTriesLeft() async throws {
        let signup = try await TypedSignup(world: SignupWorld(policy: VerificationPolicy(maxChecks: 1)))
        await signup.press("12345678\r")
        #expect(
            await signup.press("000000\r") == Self.sent + """
                Code: 000000
                Wrong code. No attempts left.
                Code: ▏   resend in 10:00 · n: change number
                """
        )
        let last = await signup.press("r")
        #expect(
            last.hasSuffix(
                """
                Too many wrong codes. Request a new one in 10 minutes.
                Code: ▏   resend in 10:00 · n: change number
                """
            )
        )
        #expect(await signup.wait(.seconds(600)).hasSuffix("Code: ▏   r: resend · n: change number"))
        await signup.press("r")
        await signup.press("123456\r")
        #expect(signup.status == .done)
    }

    @Test("an expired code is said to be, and r brings a new one")
    func expired() async throws {
        let signup = try await TypedSignup()
        await signup.press("12345678\r")
        _ = await signup.wait(.seconds(600))
        #expect(
            await signup.press("123456\r") == Self.sent + """
                Code: 123456
                This code has expired. Request a new one.
                Code: ▏   r: resend · n: change number
                """
        )
        await signup.press("r")
        await signup.press("123456\r")
        #expect(signup.status == .done)
    }

    @Test("n goes back to the number, which is still there, and another one begins anew")
    func otherNumber() async throws {
        let signup = try await TypedSignup()
        await signup.press("12345678\r")
        #expect(await signup.press("n") == Self.sent + "Phone number: 010-1234-5678▏   Enter sends a code")
        #expect(await signup.press("\u{7F}9") == Self.sent + "Phone number: 010-1234-5679▏   Enter sends a code")
        #expect(
            await signup.press("\r") == Self.sent + """
                Phone number: 010-1234-5679
                Code sent to +82 10-****-5679.
                SMS stub │ [PhoneProof] Your code is 123456.
                Code: ▏   resend in 0:30 · n: change number
                """
        )
    }

    @Test(
        "a number that no code can be sent to stays in the field, with the reason above it",
        arguments: [
            ("1234\r", "010-1234", "This number is incomplete.", ""),
            (
                "\u{15}0111234567\r", "011-123-4567",
                "011 and 016–019 numbers are out of service. Use your 010 number.", ""
            ),
            (
                "\u{15}0212345678\r", "02-1234-5678",
                "This is a landline. Use a mobile number.", ""
            ),
            ("\u{15}\r", "", "Enter your phone number.", ""),
            (
                "\u{15}+12125550100\r", "+1 212-555-0100",
                "Codes cannot be sent to US numbers. Use a number from KR.", ""
            ),
        ]
    )
    func refusedNumber(_ keys: String, _ text: String, _ reason: String, _ hint: String) async throws {
        let signup = try await TypedSignup()
        #expect(await signup.press(keys) == "Phone number: \(text)\n\(reason)\nPhone number: \(text)▏\(hint)")
        #expect(signup.status == nil)
    }

    @Test("without the store nothing is lost but time")
    func unavailable() async throws {
        struct Outage: Error {}
        let signup = try await TypedSignup()
        await signup.world.store.fail(with: Outage())
        #expect(
            await signup.press("12345678\r") == """
                Phone number: 010-1234-5678
                The service is temporarily unavailable. Try again in a moment.
                Phone number: 010-1234-5678▏   Enter sends a code
                """
        )
        await signup.world.store.fail(with: nil)
        await signup.press("\r")
        await signup.world.store.fail(with: Outage())
        #expect(await signup.press("123456\r").hasSuffix("Code: 123456▏   Enter signs up · resend in 0:30"))
        await signup.world.store.fail(with: nil)
        await signup.press("\r")
        #expect(signup.status == .done)
    }
}
