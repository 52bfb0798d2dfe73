import PhoneDomain
import PhoneTestSupport
import Testing
import Texts

@testable import PhoneHTTP
@testable import SMSStub

@Suite struct InboxTests {
    @Test func showsTheMessagesAsText() async throws {
        try await TestServer.run { server in
            let empty = try await server.send("GET", "/inbox")
            #expect(empty.status == 200)
            #expect(empty.headers["content-type"] == "text/html; charset=utf-8")
            #expect(
                empty.body.contains("<div id=\"messages\" data-copied=\"Copied\">\n<p>No messages yet.</p>\n</div>")
            )

            let script = "<script>alert('x')</script>"
            _ = try await server.inbox.accept(to: "\"><img src=x>", from: "A&B", body: script + "\n& 314159")
            #expect(
                try await server.send("GET", "/inbox").body.contains(
                    """
                    <ol>
                    <li id="SM00000000000000000000000000000001">
                    <h2>To &quot;&gt;&lt;img src=x&gt;</h2>
                    <p class="text" dir="auto">&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;
                    &amp; 314159</p>
                    <p class="code"><b dir="ltr">314159</b> <button type="button" class="plain">Copy</button></p>
                    <p class="small">From A&amp;B, delivered, <time datetime="2026-01-01T00:00:00.000Z">2026-01-01 00:00:00 UTC</time></p>
                    </li>
                    </ol>
                    """
                )
            )
        }
    }

    /// A combining mark makes one `Character` of itself and its neighbor; to a browser it stays a tag.
    @Test(arguments: ["\u{600}", "\u{110BD}", "\u{D}", ""], ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FB}"])
    func whatCombinesHidesNoTag(_ before: String, _ behind: String) async throws {
        let marked = ["<", ">", "\"", "'", "&"].map { before + $0 + behind }.joined()
        #expect(marked.htmlEscaped.unicodeScalars.allSatisfy { !"<>\"'".unicodeScalars.contains($0) })
        #expect(
            marked.htmlEscaped.unicodeScalars.elementsEqual(
                ["&lt;", "&gt;", "&quot;", "&#39;", "&amp;"].map { before + $0 + behind }.joined().unicodeScalars
            )
        )
        try await TestServer.run { server in
            _ = try await server.inbox.accept(to: marked, from: marked, body: "\(before)<x-mark\(behind) a=b>")
            let page = try await server.send("GET", "/inbox").body
            #expect(page.utf8.split(separator: UInt8(ascii: "<")).allSatisfy { !$0.starts(with: "x-mark".utf8) })
        }
    }

    @Test func `every line of an event begins as one, whatever ends the lines of a message`() async throws {
        try await TestServer.run { server in
            let sent = try await server.inbox.accept(to: "+8210", from: "A", body: "1\r\n\r\n2\r3\n\n4")
            let texts = try #require(Languages.texts(in: .english))
            let event = InboxPage(messages: [sent], texts: texts).list.event
            let lines = event.unicodeScalars.split(omittingEmptySubsequences: false) {
                "\r\n".unicodeScalars.contains($0)
            }
            #expect(lines.suffix(2).map(String.init) == ["", ""])
            #expect(lines.dropLast(2).allSatisfy { String($0).hasPrefix("data: ") })
            #expect(event.contains("1\ndata: \ndata: 2\ndata: 3\ndata: \ndata: 4"))
        }
    }

    @Test func lostMessagesSayWhy() async throws {
        try await TestServer.run { server in
            await server.inbox.setBehavior(StubBehavior(mode: .fail, delay: .zero, errorCode: nil, toPrefix: nil))
            _ = try await server.inbox.accept(to: "+8210", from: "A", body: "x")
            #expect(try await server.send("GET", "/inbox").body.contains(">From A, undelivered, error 30008, <time "))
        }
    }

    @Test func letsNoScriptRunButItsOwn() async throws {
        try await TestServer.run { server in
            // 128 bits (CSP level 3, section 2.3.1).
            for nonce in ["00000000000000000000000000000001", "00000000000000000000000000000002"] {
                let page = try await server.send("GET", "/inbox")
                #expect(
                    page.headers["content-security-policy"]
                        == "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
                        + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                )
                #expect(page.body.contains("<script nonce=\"\(nonce)\">"))
                #expect(page.body.contains("<style nonce=\"\(nonce)\">"))
                #expect(page.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test func loadsNothingFromElsewhere() async throws {
        try await TestServer.run { server in
            let page = try await server.send("GET", "/inbox").body.replacing(HTML.icon().text, with: "")
            for reference in ["http:", "https:", "//", "src=", "href=", "url("] {
                #expect(!page.contains(reference))
            }
        }
    }
}
