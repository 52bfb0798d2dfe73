import PhoneDomain
import Testing

@Suite struct OwnerTests {
    private static let digits = String(repeating: "0", count: 31) + "1"

    @Test func `an owner is read from its text, and has a group if it is a client of one`() throws {
        let name = try #require(CallerName("shop"))
        for (owner, text, group) in [
            (.local, "local", nil), (.caller(name), "caller:shop", nil), (.operator("a:b/c"), "operator:a:b/c", nil),
            (.signup(Signup.ID(bits: 0, 1)), "sgn_\(Self.digits)", nil),
            (.session(Session.ID(bits: 0, 1)), "ses_\(Self.digits)", nil),
            (.client(of: "shop", group: "1", id: "a b"), "shop:1/a b", "shop:1"),
        ] as [(Owner, String, String?)] {
            #expect(owner.rawValue == text)
            #expect(Owner(rawValue: text) == owner)
            #expect(owner.group == group)
        }
    }

    @Test(arguments: [
        "", "x", "shop", ":", "shop:", "shop:/", "shop:a", "shop:a/", "shop:/b", "shop:a/b/c", ":a/b", "Shop:a/b",
        "caller:", "caller:a b", "local:a", "sgn_1",
    ])
    func `nothing else is an owner`(text: String) { #expect(Owner(rawValue: text) == nil) }
}
