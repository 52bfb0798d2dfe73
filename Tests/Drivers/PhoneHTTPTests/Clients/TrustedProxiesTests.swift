import HTTPTypes
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// The client's address, as 10.0.0.1 reports it, a trusted proxy among others.
@Suite struct TrustedProxiesTests {
    private static func client(_ lines: [String], _ header: ForwardedHeader, peer: String = "10.0.0.1") throws -> String
    {
        let proxies = TrustedProxies(
            blocks: try ["10.0.0.0/8", "fd00::/8"].map { try #require(AddressBlock($0)) },
            header: header
        )
        var headers: HeaderFields = [.accept: "6.6.6.6"]
        let name = try #require(HTTPField.Name(header.rawValue))
        for line in lines { headers.append(name, line) }
        return proxies.client(behind: try #require(IPAddress(peer)), headers).description
    }

    @Test(arguments: [
        ([], "10.0.0.1"), ([""], "10.0.0.1"), (["203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6,203.0.113.7,10.0.0.2"], "203.0.113.7"), (["6.6.6.6", "203.0.113.7", "10.0.0.2"], "203.0.113.7"),
        (["6.6.6.6 ,\t203.0.113.7 ", "\t10.0.0.2 , fd00::2"], "203.0.113.7"), (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        // Empty elements are none (RFC 9110 section 5.6.1).
        (["203.0.113.7,"], "203.0.113.7"), (["203.0.113.7, , 10.0.0.2 ,\t,"], "203.0.113.7"),
        (["203.0.113.7", "", "10.0.0.2"], "203.0.113.7"), ([",", ", ,"], "10.0.0.1"),
        // The nearest readable one.
        (["6.6.6.6, unknown, 10.0.0.2"], "10.0.0.2"), (["6.6.6.6, unknown", "203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        // The forms of an address.
        (["203.0.113.7:4711"], "203.0.113.7"), (["2001:db8::1"], "2001:db8::1"), (["[2001:db8::1]"], "2001:db8::1"),
        (["[2001:db8::1]:4711"], "2001:db8::1"), (["::ffff:203.0.113.7"], "203.0.113.7"),
        (["\"203.0.113.7\""], "203.0.113.7"), (["6.6.6.6, \"[2001:db8::1]:4711\",\"10.0.0.2\""], "2001:db8::1"),
        (["203.0.113.7, \"10.0.0.2, 10.0.0.3\""], "10.0.0.1"), (["6.6.6.6, \""], "10.0.0.1"),
        (["6.6.6.6, \"\""], "10.0.0.1"), (["\"6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        (["203.0.113.7, ::ffff:10.0.0.2"], "203.0.113.7"),
        (["203.0.113.7, [::ffff:10.0.0.2]:80"], "203.0.113.7"), (["6.6.6.6, 64:ff9b::10.0.0.2"], "64:ff9b::a00:2"),
    ])
    func xForwardedForIsReadFromTheRight(lines: [String], client: String) throws {
        #expect(try Self.client(lines, .xForwardedFor) == client)
    }

    @Test(arguments: [
        ([], "10.0.0.1"), (["for=203.0.113.7"], "203.0.113.7"), (["for=6.6.6.6, for=203.0.113.7"], "203.0.113.7"),
        (["For=\"[2001:db8::1]:4711\""], "2001:db8::1"),
        (["for=\"203.0.113.7:4711\";proto=https;by=10.0.0.1"], "203.0.113.7"),
        (["proto=https;FOR=203.0.113.7;host=\"a,b;for=6.6.6.6\""], "203.0.113.7"),
        (["for=\"203.0.113.7:_p.1\""], "203.0.113.7"),
        (["for=6.6.6.6", "for=203.0.113.7 ,\tfor=10.0.0.3", "for=\"[fd00::2]\""], "203.0.113.7"),
        (["for=203.0.113.7 ; by=_x; "], "203.0.113.7"),
        (["for=\"\\2\\03.0.113.7\""], "203.0.113.7"), (["for=203.0.113.7;by=\"\\\\\""], "203.0.113.7"),
        (["for=6.6.6.6, for=203.0.113.7;by=\"\\\",for=6.6.6.6\""], "203.0.113.7"),
        (["for=203.0.113.7:4711"], "203.0.113.7"),
        // The nearest readable one.
        (["for=6.6.6.6, for=unknown"], "10.0.0.1"), (["for=6.6.6.6, for=_hidden, for=10.0.0.2"], "10.0.0.2"),
        (["for=6.6.6.6, proto=https"], "10.0.0.1"),
        (["for=203.0.113.7,"], "203.0.113.7"), (["for=203.0.113.7", ""], "203.0.113.7"), (["203.0.113.7"], "10.0.0.1"),
        (["for=203.0.113.7;for=6.6.6.6"], "10.0.0.1"),
        (["for=203.0.113.7;FOR=203.0.113.7"], "10.0.0.1"),
        // What a client leaves open does not hide what its proxy adds.
        (["for=\"6.6.6.6, for=203.0.113.7"], "203.0.113.7"), (["for=6.6.6.6;by=\"", "for=203.0.113.7"], "203.0.113.7"),
        (["by=\", for=\"203.0.113.7\""], "203.0.113.7"),
        (["by=\"\\, for=\"[2001:db8::1]:1\";proto=\"https\""], "2001:db8::1"),
        (["for=6.6.6.6;by=\"\\\\, for=10.0.0.2"], "10.0.0.2"),
    ])
    func forwardedIsReadFromTheRight(lines: [String], client: String) throws {
        #expect(try Self.client(lines, .forwarded) == client)
    }

    @Test(arguments: [
        "unknown", "_hidden", "localhost", "010.0.0.2", "0x0a000002", "167772162", "203.0.113.7.", "203.0.113",
        "203.0.113.7 6.6.6.6", "203.0.113.7/32",
        "203.0.113.7:", "203.0.113.7:123456", "203.0.113.7:+80", "203.0.113.7:_", "203.0.113.7:_a b", "203.0.113.7:８",
        "203.0.113.7:80:80",
        "[203.0.113.7]", "[203.0.113.7]:80", "[2001:db8::1", "[2001:db8::1]x", "[2001:db8::1]:", "[2001:db8::1]80",
        "2001:db8::1]:1", "[[2001:db8::1]]",
        "[]", "[", "]", ":", "[:]", "fe80::1%eth0", "[fe80::1%25eth0]", "１.2.3.4", "é", "'203.0.113.7'",
    ])
    func whatIsNoAddressEndsTheChain(node: String) throws {
        #expect(try Self.client(["6.6.6.6, \(node)"], .xForwardedFor) == "10.0.0.1")
        #expect(try Self.client(["6.6.6.6, \(node), 10.0.0.2"], .xForwardedFor) == "10.0.0.2")
        #expect(try Self.client(["6.6.6.6", "\"\(node)\""], .xForwardedFor) == "10.0.0.1")
        #expect(try Self.client(["for=6.6.6.6, for=\"\(node)\""], .forwarded) == "10.0.0.1")
        #expect(try Self.client(["for=6.6.6.6, for=\"\(node)\", for=10.0.0.2"], .forwarded) == "10.0.0.2")
        #expect(try Self.client(["for=6.6.6.6, for=\(node)"], .forwarded) == "10.0.0.1")
    }

    @Test(arguments: [
        "for", "for=", "=203.0.113.7", "for=\"\"", "for=\"203.0.113.7", "for=203.0.113.7\"", "for=\"203.0.113.7\\",
        "for=\"203.0.113.7\"x", "for =203.0.113.7",
        "for= 203.0.113.7", "for=203.0.113.7 by=_x", "for=203.0.113.7;by", "for=203.0.113.7;by=", "for=203.0.113.7;=x",
        "fo r=203.0.113.7", "for=203.0.113.7;b\"y=x",
        "f\u{f6}r=203.0.113.7", ";", ";;;", "for:203.0.113.7", "for==203.0.113.7", "xfor=203.0.113.7",
        "\"for=203.0.113.7\"", "(for=203.0.113.7)",
    ])
    func whatIsNoElementEndsTheChain(element: String) throws {
        #expect(try Self.client(["for=6.6.6.6", element], .forwarded) == "10.0.0.1")
        #expect(try Self.client(["for=6.6.6.6", element, "for=10.0.0.2"], .forwarded) == "10.0.0.2")
    }

    @Test(arguments: ForwardedHeader.allCases)
    func aPeerThatIsNotTrustedIsTheClient(header: ForwardedHeader) throws {
        for lines in [["6.6.6.6"], ["for=6.6.6.6"], ["10.0.0.1"], ["for=10.0.0.1"]] {
            #expect(try Self.client(lines, header, peer: "203.0.113.7") == "203.0.113.7")
            #expect(try Self.client(lines, header, peer: "64:ff9b::10.0.0.1") == "64:ff9b::a00:1")
        }
    }

    @Test func onlyOneHeaderIsRead() throws {
        let proxies = TrustedProxies(blocks: [try #require(AddressBlock("10.0.0.1"))], header: .forwarded)
        let headers: HeaderFields = [try #require(.init("X-Forwarded-For")): "6.6.6.6"]
        let peer = try #require(IPAddress("10.0.0.1"))
        #expect(proxies.client(behind: peer, headers) == peer)
        let others = TrustedProxies(blocks: proxies.blocks, header: .xForwardedFor)
        #expect(others.client(behind: peer, [try #require(.init("Forwarded")): "for=6.6.6.6"]) == peer)
        #expect(TrustedProxies.none.client(behind: peer, headers) == peer)
    }

    @Test(arguments: ForwardedHeader.allCases)
    func aChainHasAnEnd(header: ForwardedHeader) throws {
        let chain = (1...40).reversed().map { (header == .forwarded ? "for=" : "") + "10.0.1.\($0)" }
        #expect(try Self.client([chain.joined(separator: ",")], header) == "10.0.1.32")
        #expect(try Self.client(chain, header) == "10.0.1.32")
    }

    @Test(arguments: [",", "\"", "\\", "\\\"", "\",", ";", " ", "for=", "[", ":", "10.0.0.2,", "for=10.0.0.2,", "a"])
    func aLongHeaderIsNoWork(piece: String) throws {
        let text = String(repeating: piece, count: 80_000 / piece.utf8.count)
        for header in ForwardedHeader.allCases {
            #expect(try Self.client([text], header).hasPrefix("10.0.0."))
            #expect(try Self.client(["10.0.0.2" + text], header).hasPrefix("10.0.0."))
            #expect(try Self.client(Array(repeating: piece, count: 2000), header).hasPrefix("10.0.0."))
        }
    }

    /// Whatever a client sends, its proxy appends to it, and that counts.
    @Test func aClientCannotChooseItsAddress() throws {
        var random = SplitMix64(seed: 7)
        let pieces = [
            "\"", "\\", ",", ";", "=", "for", "for=", "6.6.6.6", "10.0.0.2", "[", "]", ":", "_", " ", "\t", "for=\"",
            "by=\"", "for=6.6.6.6", "\"[2001:db8::6]\"",
            "é", "for=10.0.0.2,",
        ]
        let words: [(ForwardedHeader, String)] = [
            (.xForwardedFor, "203.0.113.7"), (.xForwardedFor, "203.0.113.7:80, 10.0.0.3"),
            (.forwarded, "for=203.0.113.7"),
            (.forwarded, #"for="203.0.113.7:1";by="_a\"b,c\\";proto=http"#),
            (.forwarded, #"for=203.0.113.7;by="x", for="[fd00::1]:_p""#),
        ]
        for _ in 0..<2000 {
            let sent = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            for (header, word) in words {
                #expect(try Self.client([sent + ", " + word], header) == "203.0.113.7", "\(sent)")
                #expect(try Self.client([sent, word], header) == "203.0.113.7", "\(sent)")
            }
        }
    }
}
