import PhoneAccounts
import PhoneDomain
import Testing

@Suite struct ClientThemeTests {
    /// By the formula of WCAG 2.2, in another language.
    @Test(arguments: [
        ("#000000", "#ffffff", 2100), ("#767676", "#ffffff", 454), ("#777777", "#ffffff", 447),
        ("#0b57d0", "#ffffff", 638), ("#ffcc00", "#ffffff", 151), ("#ff0000", "#1e1f20", 412),
        ("#0a0a0a", "#000000", 106),
    ])
    func `contrasts are those of WCAG`(one: String, other: String, hundredths: Int) throws {
        let (one, other) = (try #require(Color(one)), try #require(Color(other)))
        #expect(Int(one.contrast(with: other) * 100) == hundredths)
        #expect(one.contrast(with: other) == other.contrast(with: one))
    }

    @Test(arguments: ["", "0b57d0", "#fff", "#+12345", "#-00000", "#-12345", "#0b57d0 ", "#0b57dg", "red", "#0b57d0ff"])
    func `anything else is no color`(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func `a tint can be read on a dark background`() throws {
        let dark = try #require(Color("#1e1f20"))
        for (text, tint) in [
            ("#000000", "#8c8c8c"), ("#0b57d0", "#5489de"), ("#ffffff", "#ffffff"), ("#b3261e", "#cd716c"),
        ] {
            let color = try #require(Color(text))
            #expect(color.tint(for: dark).contrast(with: dark) >= 4.5)
            #expect(color.tint(for: dark).description == tint)
        }
    }

    @Test func `a theme that people could not read or that leads elsewhere is none`() throws {
        let logo = try #require(RedirectURI("https://cdn.shop.example:8443/logo.svg?v=1;2"))
        let theme = try ClientTheme(logo: logo, accent: Color("#767676"), radius: 32)
        #expect((theme.logo, theme.accent, theme.radius) == (logo, Color("#767676"), 32))
        let pale = try #require(Color("#777777"))
        #expect(throws: ClientTheme.Fault.contrast(pale)) { try ClientTheme(logo: nil, accent: pale, radius: nil) }
        #expect(ClientTheme.Fault.contrast(pale).description.contains("#777777 with white is 4.4:1"))
        #expect(throws: ClientTheme.Fault.radius) { try ClientTheme(logo: nil, accent: nil, radius: 33) }
        #expect(throws: ClientTheme.Fault.radius) { try ClientTheme(logo: nil, accent: nil, radius: -1) }
        for text in [
            "http://localhost/logo.svg", "com.example.app:/logo.svg", "https://a;script-src/logo.svg",
            "https://Shop.example/logo.svg", "https://a,b/", "https://'self'/",
        ] {
            let logo = try #require(RedirectURI(text))
            #expect(throws: ClientTheme.Fault.logo) { try ClientTheme(logo: logo, accent: nil, radius: nil) }
        }
    }
}
