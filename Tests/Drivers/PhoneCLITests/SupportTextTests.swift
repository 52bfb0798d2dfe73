import PhoneCLI
import Testing

@Suite struct SupportTextTests {
    @Test(arguments: [
        ("to 82 10 1234 5678 now", "to ** ** **** **** now"), ("+82.10.1234.5678", "+**.**.****.****"),
        ("０１０－１２３４－５６７８", "***－****－****"), ("(010)1234/5678", "(***)****/****"),
        ("tel:+821012345678", "tel:+************"),
        ("2026-11-26T09:00:00.123456Z 01012345678", "2026-11-26T09:00:00.123456Z ***********"),
        ("2026-11-26 09:00:00,123 +82 10-1234-5678", "2026-11-26 09:00:00,123 +** **-****-****"),
        ("requested 12, sent 345678", "requested 12, sent 345678"), ("port 8080", "port 8080"),
        ("password=hunter2&a=b", "password=…&a=b"),
        (#"{"auth_token": "s3cret", "n": 1}"#, #"{"auth_token": "…", "n": 1}"#),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: …"), ("Cookie: a=b; phoneproof_session=x", "Cookie: …"),
        ("postgresql://anna:s3cret@db/x", "postgresql://anna:…@db/x"), ("X-Api-Key: abc", "X-Api-Key: …"),
        ("Bearer abcdefghijkl", "Bearer …"), ("pk_0123456789abcdef", "pk_…"),
    ])
    func whatIsPersonalOrSecretIsMasked(text: String, masked: String) {
        #expect(SupportText.masked(text) == masked)
    }

    @Test(arguments: [
        ("[Acme] 314159 is your code", "[Acme] ****** is your code"), ("code=4829 sent", "code=**** sent"),
        ("인증번호 [482-913]", "인증번호 [***-***]"), ("GET /x?c=314159", "GET /x?c=******"), ("pid 4829", "pid 4829"),
        ("failure.code=21610", "failure.code=21610"), ("ver_0a123456b of msg_1234", "ver_0a123456b of msg_1234"),
        ("2026-11-26T09:00:00Z otp 1234", "2026-11-26T09:00:00Z otp ****"),
    ])
    func codesInALogAreMasked(line: String, masked: String) {
        #expect(SupportText.masked(logLine: line) == masked)
    }
}
