import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite("Routes")
struct RoutesTests {
    private static let gateways = [
        Routes.Gateway("lgu"), Routes.Gateway("kakao", serves: [.kakaotalk]),
        Routes.Gateway("us", serves: [.sms, .call, .whatsapp]), Routes.Gateway("uk"),
    ]
    private static let routes = Routes(
        gateways,
        rules: [
            .region(.korea): [.everything: ["kakao", "lgu"], .notices: ["us"]],
            .prefix("+4477"): [.everything: ["uk"], .codes(by: .call): ["us"]],
            .prefix("+44"): [.everything: ["us", "uk"]], .region(Region("FR") ?? .korea): [.codes(by: .call): ["us"]],
        ],
        orders: [.region(.korea): [.sms, .kakaotalk], .everywhere: [.whatsapp, .sms]]
    )

    private static let cases: [(number: String, purpose: Routes.Purpose, gateways: [String])] = [
        ("+821012345678", .codes(by: .sms), ["lgu"]), ("+821012345678", .codes(by: .kakaotalk), ["kakao"]),
        ("+821012345678", .notices, ["us"]), ("+821012345678", .codes(by: .call), []),
        // The longest beginning, and within it what is for the channel.
        ("+447712345678", .codes(by: .sms), ["uk"]), ("+447712345678", .codes(by: .call), ["us"]),
        ("+447712345678", .notices, ["uk"]), ("+447400123456", .codes(by: .sms), ["us", "uk"]),
        // What a narrow rule leaves open a wide one decides; nobody does here.
        ("+33612345678", .codes(by: .call), ["us"]), ("+33612345678", .codes(by: .sms), []),
        ("+14155550100", .codes(by: .sms), []),
    ]

    @Test("the narrowest rule decides, and only gateways that serve the channel count", arguments: cases)
    func gateways(number: String, purpose: Routes.Purpose, gateways: [String]) throws {
        #expect(Self.routes.gateways(to: try PhoneNumber(e164: number), for: purpose) == gateways)
    }

    @Test("a message costs what the first gateway charges, and where it is drawn as much as the dearest")
    func price() throws {
        let number = try PhoneNumber(e164: "+821012345678")
        let gateways = ["dear", "cheap", "dearest", "unknown"].map { Routes.Gateway($0) }
        let list = PriceList(
            currency: "USD",
            prices: ["dear": 20, "cheap": 10, "dearest": 30].mapValues { [.everywhere: [.everything: $0]] }
        )
        #expect(Routes(gateways, prices: list).price(to: number, by: .sms) == 20)
        #expect(Routes(gateways, prices: list, learns: true).price(to: number, by: .sms) == 30)
        #expect(Routes(gateways, prices: list, learns: true).price(to: number, by: .call) == nil)
    }

    @Test("a gateway for codes alone gets no notices, and where it is alone that is known")
    func notices() throws {
        let gateways = [Routes.Gateway("tencent", takesNotices: false), Routes.Gateway("us")]
        let open = Routes(gateways)
        let number = try PhoneNumber(e164: "+821012345678")
        #expect(open.gateways(to: number, for: .codes(by: .sms)) == ["tencent", "us"])
        #expect(open.gateways(to: number, for: .notices) == ["us"])
        #expect(open.withoutNotices == [])
        #expect(Routes([gateways[0]]).withoutNotices == [.everywhere])
        let routes = Routes(
            gateways,
            rules: [
                .region(.korea): [.everything: ["tencent"]], .prefix("+86"): [.codes(by: .sms): ["tencent"]],
                .prefix("+44"): [.everything: ["tencent"], .notices: ["us"]], .everywhere: [.everything: ["us"]],
                // Without notices, as the operator wants it.
                .prefix("+49"): [.everything: ["us"], .notices: []], .prefix("+33"): [.codes(by: .call): ["tencent"]],
            ]
        )
        #expect(routes.gateways(to: number, for: .notices) == [])
        #expect(routes.withoutNotices == [.prefix("+86"), .region(.korea)])
    }

    @Test("a channel is tried where it reaches the number, in the order of its country")
    func order() throws {
        func channels(_ routes: Routes, _ number: String) throws -> [Channel] {
            routes.channels(to: try PhoneNumber(e164: number))
        }
        #expect(try channels(Self.routes, "+821012345678") == [.sms, .kakaotalk])
        #expect(try channels(Self.routes, "+447400123456") == [.whatsapp, .sms])
        #expect(try channels(Self.routes, "+14155550100") == [])
        // Without rules everything serves everybody, but KakaoTalk only Korea.
        let open = Routes(Self.gateways)
        #expect(try channels(open, "+821012345678") == [.kakaotalk, .sms, .whatsapp, .call])
        #expect(try channels(open, "+447400123456") == [.sms, .whatsapp, .call])
        #expect(
            try open.gateways(to: PhoneNumber(e164: "+447400123456"), for: .codes(by: .sms)) == ["lgu", "us", "uk"]
        )
    }

    @Test("a channel that the code does not know is tried by itself only where it is named")
    func otherChannels() throws {
        let (viber, number) = (try #require(Channel(rawValue: "viber")), try PhoneNumber(e164: "+821012345678"))
        let gateways = [Routes.Gateway("v", serves: [viber, .rcs]), Routes.Gateway("s")]
        let routes = Routes(gateways)
        #expect(routes.channels == [.sms, .rcs, viber])
        #expect(routes.channels(to: number) == [.sms])
        #expect(routes.gateways(to: number, for: .codes(by: viber)) == ["v"])
        let ordered = Routes(
            gateways,
            orders: [.region(.korea): [viber, .sms]],
            prices: PriceList(
                currency: "EUR",
                prices: [
                    "v": [.everywhere: [.codes(by: viber): 90_000]], "s": [.everywhere: [.everything: 40_000]],
                ]
            )
        )
        #expect(ordered.channels(to: number) == [viber, .sms])
        #expect(ordered.channels(to: try PhoneNumber(e164: "+447400123456")) == [.sms])
        #expect(ordered.weights(to: number) == [viber: 3])
    }

    @Test("a channel's name is short and plain, and no word that stands for something else")
    func names() throws {
        for name in ["sms", "viber", "x", "line-jp_2", String(repeating: "a", count: 20)] {
            #expect(Channel(rawValue: name)?.description == name)
        }
        let refused = [
            "", "Viber", "2fa", "-a", "vi ber", "vi,ber", "바이버", "auto", "all", "notice", "a\0",
            String(repeating: "a", count: 21),
        ]
        for name in refused { #expect(Channel(rawValue: name) == nil, "\(name)") }
        let shown = ["viber", "whatsapp", "kakaotalk", "telegram", "rcs", "line", "my_own-app"]
        #expect(
            try shown.map { try #require(Channel(rawValue: $0)).displayName }
                == ["Viber", "WhatsApp", "KakaoTalk", "Telegram", "RCS", "LINE", "My own app"]
        )
    }

    @Test("a message counts as many SMS as it costs, whether or not one goes to the number")
    func weights() throws {
        let call = Routes.Gateway("us", serves: [.call])
        func weights(_ prices: [String: [Routes.Destination: [Routes.Purpose: Int]]]) throws -> [Channel: Int] {
            let routes = Routes(
                [Routes.Gateway("uk"), call, Routes.Gateway("wa", serves: [.whatsapp])],
                rules: [.prefix("+4477"): [.everything: ["us", "wa"]], .everywhere: [.everything: ["uk"]]],
                prices: PriceList(currency: "EUR", prices: prices)
            )
            return try routes.weights(to: PhoneNumber(e164: "+447712345678"))
        }
        let dear: [Routes.Destination: [Routes.Purpose: Int]] = [.everywhere: [.everything: 400_000]]
        // The SMS of other numbers is what it is compared with, and without any the cheapest message to this one.
        #expect(try weights(["us": dear, "uk": [.prefix("+49"): [.everything: 40_000]]]) == [.call: 10])
        #expect(try weights(["us": dear, "wa": [.everywhere: [.everything: 50_000]]]) == [.call: 8])
        #expect(try weights(["us": dear]) == [:])
        // Where one is drawn, the budget must last whichever it is.
        let both = ["cheap", "dear"].map { Routes.Gateway($0, serves: [.sms, .call]) }
        let prices: [String: [Routes.Destination: [Routes.Purpose: Int]]] = [
            "cheap": [.everywhere: [.everything: 40_000]],
            "dear": [.everywhere: [.codes(by: .call): 400_000, .everything: 40_000]],
        ]
        for (learns, weights) in [(false, [:]), (true, [Channel.call: 10])] {
            let routes = Routes(both, prices: PriceList(currency: "EUR", prices: prices), learns: learns)
            #expect(routes.weights(to: try PhoneNumber(e164: "+447712345678")) == weights)
        }
        #expect(try weights([:]) == [:])
    }

    @Test("a destination is a region with a plan, the beginning of a number, or everywhere")
    func destinations() {
        for text in ["*", "KR", "+4477", "+1"] { #expect(Routes.Destination(text)?.description == text) }
        for text in ["", "+", "4477", "KOR", "+44a", "**", "QQ"] {
            #expect(Routes.Destination(text) == nil, "\(text)")
        }
        for text in ["all", "notice", "sms", "call"] { #expect(Routes.Purpose(text)?.description == text) }
        for text in ["inbound", "sim", "Email", ""] { #expect(Routes.Purpose(text) == nil, "\(text)") }
    }
}

@Suite struct MoneyTests {
    @Test(arguments: [
        (32_500, 6...6, "0.032500"), (32_500, 2...6, "0.0325"), (2_000_000, 2...6, "2.00"), (0, 2...6, "0.00"),
        (12_345_678, 2...2, "12.35"), (1_995_000, 2...2, "2.00"), (999_949, 4...4, "0.9999"), (1, 6...6, "0.000001"),
    ])
    func `millionths are a decimal fraction`(millionths: Int, decimals: ClosedRange<Int>, text: String) {
        #expect(Money.text(millionths, decimals: decimals) == text)
    }
}
