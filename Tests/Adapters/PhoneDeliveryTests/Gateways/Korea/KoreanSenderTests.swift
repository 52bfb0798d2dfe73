import PhoneDomain
import Testing

@testable import PhoneDelivery

@Suite("Messages to Korean vendors")
struct KoreanSenderTests {
    private static let senders: [(text: String, digits: String?)] = [
        ("01012345678", "01012345678"), ("010-1234-5678", "01012345678"), ("0101234567", nil), ("010123456789", nil),
        ("01112345678", nil), ("01612345678", nil),
        ("021234567", "021234567"), ("02-1234-5678", "0212345678"), ("02123456", nil), ("02123456789", nil),
        ("0311234567", "0311234567"), ("064-1234-5678", "06412345678"), ("031123456", nil), ("0341234567", nil),
        ("0651234567", nil), ("12345678", nil),
        ("07012345678", "07012345678"), ("0701234567", nil), ("0801234567", "0801234567"),
        ("08012345678", "08012345678"), ("0601234567", nil),
        ("15881234", "15881234"), ("1666-1234", "16661234"), ("18001234", "18001234"), ("17001234", nil),
        ("0215881234", "0215881234"), ("1588123", nil), ("158812345", nil),
        ("05012345678", nil), ("050512345678", nil), ("112", nil), ("1301", nil),
        ("", nil), ("-", nil), ("-0212345678", nil), ("0212345678-", nil), ("02 1234 5678", nil),
        ("+821012345678", nil),
        ("０１０12345678", nil), ("Acme", nil),
    ]

    @Test("a sender is a number of a class that may send", arguments: senders)
    func sender(text: String, digits: String?) {
        #expect(KoreanSender(text)?.description == digits)
    }

    @Test(
        "a special number is an agency's alone",
        arguments: [("112", true), ("1301", true), ("12", false), ("13012", false), ("212", false), ("15881234", true)]
    )
    func agency(text: String, isOne: Bool) {
        #expect((KoreanSender(text, isOfAgency: true) != nil) == isOne)
    }

    private static let korean = "+821012345678"

    private static let fitting: [(to: String, body: String, allowsLong: Bool, form: [String]?)] = [
        (korean, "코드 482913", false, ["SMS", "82", "01012345678"]),
        (korean, String(repeating: "가", count: 45), false, ["SMS", "82", "01012345678"]),
        (korean, String(repeating: "가", count: 45) + "a", false, nil),
        (korean, String(repeating: "가", count: 45) + "a", true, ["LMS", "82", "01012345678"]),
        (korean, String(repeating: "가", count: 1000), true, ["LMS", "82", "01012345678"]),
        (korean, String(repeating: "가", count: 1001), true, nil),
        (korean, "482913 😀", true, nil),
        ("+14155550100", "482913", false, ["SMS", "1", "4155550100"]),
        ("+442079460018", "482913", false, ["SMS", "44", "2079460018"]),
        ("+14155550100", String(repeating: "a", count: 90), false, ["SMS", "1", "4155550100"]),
        ("+14155550100", String(repeating: "a", count: 91), true, nil),
        ("+14155550100", "482913 😀", false, ["SMS", "1", "4155550100"]),
        ("+14155550100", String(repeating: "😀", count: 36), true, nil),
    ]

    @Test("a message goes in the smallest class that it fits, and in none that would cut it", arguments: fitting)
    func form(to: String, body: String, allowsLong: Bool, form: [String]?) throws {
        let message = try vendorMessage(body, to: to)
        let made = try? KoreanMessage(message, allowsLong: allowsLong)
        #expect(made.map { [$0.kind.rawValue, $0.country, $0.to] } == form)
    }

    @Test("the error of a message that fits none has the reason")
    func reasons() throws {
        func failure(_ body: String, to number: String = Self.korean) throws -> GatewayFailure? {
            let message = try vendorMessage(body, to: number)
            do throws(GatewayFailure) {
                _ = try KoreanMessage(message, allowsLong: false)
                return nil
            } catch {
                return error
            }
        }
        let long = String(repeating: "a", count: 91)
        #expect(try failure(long) == .failover("the text is too long for an SMS"))
        #expect(try failure("😀") == .failover("the text has a character that Korean carriers lack"))
        #expect(try failure(long, to: "+14155550100") == .failover("the text is too long for an SMS abroad"))
    }
}
