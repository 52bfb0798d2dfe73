import Testing

@testable import PhoneDelivery

@Suite("Values in templates")
struct SubstitutionValueTests {
    @Test(
        "words, numbers and amounts are taken as they are",
        arguments: [
            "1", "A-1024", "12.50", "₩12,000", "Mr. Kim", "주문 1024", "12:30", "1/2", "{{code}}", "a=b", "1234567",
            "abcdefghijklmnopqrst", "می\u{200C}خواهم",
        ]
    )
    func taken(value: String) {
        #expect(SubstitutionValue(value)?.description == value)
    }

    @Test(
        "what ends a line, hides, leads elsewhere or is long is not",
        arguments: [
            "", " ", " a", "a ", "123456789012345678901", "a\nb", "a\r", "a\u{2028}b", "\u{7}", "a\u{202E}b",
            "a\u{200B}",
            "@example.com", "a@b", "#1", "evil.example", "a.b", "1.2.3", "1.2.3.", "1.a", "a.1", "..", "http://x",
            "a://",
            "evil。example", "evil．example", "evil｡example", "evil․example", "evil﹒example", "\u{3164}", "a\u{115F}",
        ]
    )
    func refused(value: String) {
        #expect(SubstitutionValue(value) == nil)
    }

    @Test(
        "without anything that a phone makes a link of",
        arguments: [
            "evil.", "com/x", "https:/", "/evil", "mailto:a", "tel:1588", "02-1234-5678", "15881588", "１５８８１５８８",
            ".com", ":80",
        ]
    )
    func linkless(value: String) {
        #expect(SubstitutionValue(value) == nil)
    }
}
