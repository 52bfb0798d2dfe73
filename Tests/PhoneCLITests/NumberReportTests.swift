import PhoneCLI
import PhoneDomain
import Testing

@Suite struct NumberReportTests {
    private func report(_ text: String) -> NumberReport {
        NumberReport(text, region: .korea) { text, region throws(PhoneFailure) in
            try VerificationPolicy.standard.phoneNumber(in: text, region: region)
        }
    }

    @Test("a mobile number")
    func mobile() throws {
        let report = report("01012345678")
        #expect(
            report.text(in: EnglishPromptTexts()) == """
                Input            01012345678
                Shown as         010-1234-5678
                Valid            yes
                Kind             mobile
                Region           KR
                National         010-1234-5678
                International    +82 10-1234-5678
                E.164            +821012345678
                Receives a code  yes
                """
        )
        #expect(
            try report.json() == """
                {
                  "e164" : "+821012345678",
                  "formatted" : "010-1234-5678",
                  "input" : "01012345678",
                  "international_format" : "+82 10-1234-5678",
                  "is_mobile" : true,
                  "is_valid" : true,
                  "national_format" : "010-1234-5678",
                  "region" : "KR",
                  "type" : "mobile"
                }
                """
        )
        #expect(report.exitStatus == .done)
    }

    @Test("a number that no code can be sent to, in Korean")
    func landline() {
        let report = report("+82 2-123-4567")
        #expect(
            report.text(in: KoreanPromptTexts()) == """
                입력           +82 2-123-4567
                표시           +82 2-123-4567
                유효한 번호    예
                종류           유선전화
                지역           KR
                국내 표기      02-123-4567
                국제 표기      +82 2-123-4567
                E.164          +8221234567
                인증번호 수신  아니요. 유선전화는 문자를 받을 수 없습니다. 휴대폰 번호를 입력해 주세요.
                """
        )
        #expect(report.exitStatus == .done)
    }

    @Test("a text that is no number")
    func invalid() throws {
        let report = report("010-12\u{1B}[2J")
        #expect(
            report.text(in: EnglishPromptTexts()) == """
                Input            010-12[2J
                Shown as         010-122
                Valid            no
                Receives a code  no. This is no phone number: enter digits, after a + for another country.
                """
        )
        #expect(
            try self.report("010-12").json() == """
                {
                  "e164" : null,
                  "formatted" : "010-12",
                  "input" : "010-12",
                  "international_format" : null,
                  "is_mobile" : false,
                  "is_valid" : false,
                  "national_format" : null,
                  "region" : null,
                  "type" : null
                }
                """
        )
        #expect(report.exitStatus == .failed)
    }
}
