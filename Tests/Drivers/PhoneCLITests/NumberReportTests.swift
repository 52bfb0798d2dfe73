import PhoneCLI
import PhoneDomain
import PhoneNumbers
import Testing
import Texts

@Suite struct NumberReportTests {
    private static let korean = Languages.all.first { $0.language == .korean } ?? Languages.english

    private func report(_ text: String) -> NumberReport {
        NumberReport(text, region: .korea) { text, region throws(PhoneFailure) in
            try VerificationPolicy.standard.phoneNumber(in: text, region: region)
        }
    }

    @Test("a mobile number")
    func mobile() throws {
        let report = report("01012345678")
        #expect(
            report.text(in: Languages.english) == """
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
            report.json(in: Languages.english) == """
                {
                  "input": "01012345678",
                  "formatted": "010-1234-5678",
                  "is_valid": true,
                  "is_mobile": true,
                  "e164": "+821012345678",
                  "national_format": "010-1234-5678",
                  "international_format": "+82 10-1234-5678",
                  "region": "KR",
                  "type": "mobile",
                  "can_receive_code": true,
                  "reason": null
                }
                """
        )
        #expect(report.exitStatus == .done)
    }

    @Test("a number that no code can be sent to, in Korean")
    func landline() {
        let report = report("+82 2-123-4567")
        #expect(
            report.text(in: Self.korean) == """
                입력           +82 2-123-4567
                표시           +82 2-123-4567
                유효한 번호    예
                종류           유선전화
                지역           KR
                국내 표기      02-123-4567
                국제 표기      +82 2-123-4567
                E.164          +8221234567
                인증번호 수신  아니요. 유선전화 번호입니다. 휴대폰 번호를 입력해 주세요.
                """
        )
        #expect(report.exitStatus == .done)
    }

    @Test("a text that is no number")
    func invalid() throws {
        let report = report("010-12\u{1B}[2J")
        #expect(
            report.text(in: Languages.english) == """
                Input            010-12[2J
                Shown as         010-12�[2J
                Valid            no
                Receives a code  no. That's not a phone number. Enter digits only, no extension. For another country, start with +.
                """
        )
        #expect(
            self.report("010-12").json(in: Self.korean) == """
                {
                  "input": "010-12",
                  "formatted": "010-12",
                  "is_valid": false,
                  "is_mobile": false,
                  "e164": null,
                  "national_format": null,
                  "international_format": null,
                  "region": null,
                  "type": null,
                  "can_receive_code": false,
                  "reason": {
                    "code": "invalid_phone_number",
                    "detail": "This number is incomplete.",
                    "message": "번호가 너무 짧습니다. 끝까지 입력해 주세요."
                  }
                }
                """
        )
        #expect(report.exitStatus == .failed)
    }
}
