import PhoneDomain
import Testing

@testable import PhoneCLI

/// What a person sees who reads Korean.
@Suite struct KoreanPromptTests {
    @Test("a signup with everything that can go wrong")
    func transcript() async throws {
        let signup = try await TypedSignup(texts: TypedSignup.korean)
        #expect(signup.shown == "? 휴대폰 번호: ▏\n다른 국가는 +로 시작 · Ctrl-C: 취소")
        #expect(
            await signup.press("01012345678") == "? 휴대폰 번호: 010-1234-5678▏\nEnter: 인증번호 받기 · Ctrl-C: 취소"
        )
        #expect(
            await signup.press("\u{15}0111234567") == "? 휴대폰 번호: 011-123-4567▏\n다른 국가는 +로 시작 · Ctrl-C: 취소"
        )
        await signup.press("\r")
        await signup.press("\u{15}01012345678\r")
        await signup.press("000000\r")
        await signup.press("ㄱ")
        await signup.press("12")
        _ = await signup.wait(.seconds(3))
        #expect(
            await signup.press("3456") == """
                ? 휴대폰 번호: 011-123-4567
                ✗ 011, 016~019 번호는 서비스가 종료되었습니다. 010 번호를 입력해 주세요.
                ? 휴대폰 번호: 010-1234-5678
                ✔ +82 10-****-5678 번호로 인증번호를 보냈습니다.
                SMS 스텁 │ [PhoneProof] Your code is 123456.
                ? 인증번호: 000000
                ✗ 인증번호가 맞지 않습니다. 4번 더 입력할 수 있습니다.
                ? 인증번호: 123456▏
                ! 0:27 후 다시 받기 · 9:57 후 만료
                """
        )
        #expect(
            await signup.press("\r").hasSuffix(
                """
                ? 인증번호: 123456
                ✔ 가입을 완료했습니다: 010-1234-5678 · 계정
                  acc_00000000000000000000000000000004 (신규)
                ▏
                """
            )
        )
        #expect(signup.status == .done)
    }

    @Test("a hint and the cursor are measured in columns, of which Hangul takes two")
    func columns() async throws {
        // 20 for the hint, 3, and 12 for the next one.
        let narrow = try await TypedSignup(texts: TypedSignup.korean, width: 35)
        #expect(await narrow.press("01012345678") == "? 휴대폰 번호: 010-1234-5678▏\nEnter: 인증번호 받기")
        let wide = try await TypedSignup(texts: TypedSignup.korean, width: 36)
        #expect(await wide.press("01012345678") == "? 휴대폰 번호: 010-1234-5678▏\nEnter: 인증번호 받기 · Ctrl-C: 취소")
        #expect(
            await wide.press("\u{1B}[D") == "? 휴대폰 번호: 010-1234-567▏8\nEnter: 인증번호 받기 · Ctrl-C: 취소"
        )
    }
}
