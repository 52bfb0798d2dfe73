import PhoneDomain
import Testing

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
        #expect(owners.map(\.isPerson) == [false, false])
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
