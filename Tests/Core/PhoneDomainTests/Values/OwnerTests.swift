import PhoneDomain
import Testing

@Suite struct OwnerTests {
    private static let digits = String(repeating: "0", count: 31) + "1"

    @Test func `an owner is read from its text, and has a group if it is a client of one`() throws {
        let name = try #require(CallerName("shop"))
        for (owner, text, group, isPerson) in [
            (.local, "local", nil, false), (.caller(name), "caller:shop", nil, false),
            (.operator("a:b/c"), "operator:a:b/c", nil, false),
            (.signup(Signup.ID(bits: 0, 1)), "sgn_\(Self.digits)", nil, true),
            (.session(Session.ID(bits: 0, 1)), "ses_\(Self.digits)", nil, true),
            (.client(of: "shop", group: "1", id: "a b"), "shop:1/a b", "shop:1", false),
        ] as [(Owner, String, String?, Bool)] {
            #expect(owner.rawValue == text)
            #expect(Owner(rawValue: text) == owner)
            #expect((owner.group, owner.isPerson) == (group, isPerson))
        }
    }

    @Test(arguments: [
        "", "x", "shop", ":", "shop:", "shop:/", "shop:a", "shop:a/", "shop:/b", "shop:a/b/c", ":a/b", "Shop:a/b",
        "caller:", "caller:a b", "local:a", "sgn_1",
    ])
    func `nothing else is an owner`(text: String) { #expect(Owner(rawValue: text) == nil) }
}

@Suite struct CallerNameTests {
    @Test(arguments: ["a", "shop", "shop-2.eu_west~B", String(repeating: "x", count: 64)])
    func `letters, digits and what is unreserved are a name`(text: String) {
        #expect(CallerName(text)?.description == text)
    }

    @Test(arguments: ["", "a shop", "a\nb", "a/b", "가게", "a:b", String(repeating: "x", count: 65)])
    func `anything else is none`(text: String) {
        #expect(CallerName(text) == nil)
    }

    @Test func `no caller is taken for a signup or for the machine itself`() throws {
        let names = ["local", "sgn_00000000000000000000000000000001"]
        let owners = try names.map { Owner.caller(try #require(CallerName($0))) }
        #expect(owners.map(\.rawValue) == ["caller:local", "caller:sgn_00000000000000000000000000000001"])
        #expect(!owners.contains(.local))
    }

    @Test func `scopes are read as they are written, and nothing else is`() {
        #expect(Set<APIScope>(list: "admin verifications") == [.verifications, .admin])
        #expect(Set<APIScope>([.verifications, .admin]).list == "admin verifications")
        for text in ["verifications admin", "admin admin", "all", "admin  verifications", " admin"] {
            #expect(Set<APIScope>(list: text) == nil)
        }
    }
}
