import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import Telemetry
import Testing

@testable import PhoneHTTP

@Suite struct UndoPageTests {
    /// The content of the page.
    private static func content(_ answer: Answer) -> String {
        let start = answer.body.firstRange(of: "<h1>")?.lowerBound ?? answer.body.startIndex
        let end = answer.body.firstRange(of: "\n</main>")?.lowerBound ?? answer.body.endIndex
        return start <= end ? String(answer.body[start..<end]) : ""
    }

    private static let offer = """
        <h1>Your phone number was changed</h1>
        <p>On 2026-01-01 00:02 UTC, the phone number on your account was changed from <span class="whole">+82 10-****-5678</span> to another \
        number.</p>
        <p>If this was you, you can close this page. If not, change it back. Your number will be <span class="whole">+82 10-****-5678</span> \
        again, and all devices will be signed out.</p>
        <form method="post">
        <button>Change it back</button>
        </form>
        <p class="small">You can change it back until 2026-01-04 00:02 UTC.</p>
        """

    private static let undone = """
        <h1>Your number was restored</h1>
        <p>Your account has the number <span class="whole">+82 10-****-5678</span> again. All devices were signed out. Sign in again with this number.</p>
        """

    private static let gone = """
        <h1>This link has expired</h1>
        <p>It has already been used, or it is too old. If you just pressed the button, the change was undone.</p>
        """

    @Test func saysWhatWouldComeBackAndChangesNothing() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let path = "/undo/" + (try await server.changeNumber(device))
            for _ in 0..<3 {
                let page = try await server.send("GET", path)
                #expect(page.status == 200)
                #expect(Self.content(page) == Self.offer)
                let head = try await server.send("HEAD", path)
                #expect(head.status == 200)
                #expect(head.body.isEmpty)
                #expect(head.headers["content-type"] == "text/html; charset=utf-8")
            }
            #expect(try await server.number(of: device) == "+821087654321")
        }
    }

    @Test func theButtonBringsTheNumberBackAndSignsEveryDeviceOut() async throws {
        try await TestServer.run { server in
            let devices = [try await server.signIn(), try await server.signIn()]
            let path = "/undo/" + (try await server.changeNumber(devices[0]))

            let page = try await server.send("POST", path, "", type: "application/x-www-form-urlencoded")
            #expect(page.status == 200)
            #expect(Self.content(page) == Self.undone)
            for device in devices {
                #expect(try await server.number(of: device) == nil)
            }
            let again = try await server.signIn()
            #expect(again.answer.status == 200)
            #expect(try await server.number(of: again) == "+821012345678")

            // The link has expired by then.
            for method in ["GET", "POST"] {
                let used = try await server.send(method, path, headers: ["Accept-Language": "en"])
                #expect(used.status == 404)
                #expect(Self.content(used) == Self.gone)
            }
            #expect(try await server.number(of: again) == "+821012345678")
        }
    }

    /// A form of any kind, or none: only the secret counts.
    @Test(arguments: [
        (nil, nil), ("", "application/x-www-form-urlencoded"), ("a=b", "application/x-www-form-urlencoded"),
        ("{", "application/json"), ("\u{0}", "application/octet-stream"),
    ])
    func takesWhateverABrowserSends(body: String?, type: String?) async throws {
        try await TestServer.run { server in
            let path = "/undo/" + (try await server.changeNumber(server.signIn()))
            let fields = ["Origin": "null", "Sec-Fetch-Site": "cross-site"]
            let page = try await server.send("POST", path, body, type: type, headers: fields)
            #expect(page.status == 200)
            #expect(Self.content(page) == Self.undone)
        }
    }

    @Test func isInTheLanguageOfTheChange() async throws {
        try await TestServer.run(noticeLanguage: try #require(LanguageTag("ko-KR"))) { server in
            let path = "/undo/" + (try await server.changeNumber(server.signIn()))
            let page = try await server.send("GET", path, headers: ["Accept-Language": "en"])
            #expect(page.headers["content-language"] == "ko")
            #expect(page.body.contains("<html lang=\"ko\" dir=\"ltr\">"))
            #expect(
                Self.content(page) == """
                    <h1>전화번호가 변경되었습니다</h1>
                    <p>2026년 1월 1일 00:02(UTC)에 회원님 계정의 전화번호가 <span class="whole">+82 10-****-5678</span>에서 다른 번호로 변경되었습니다.</p>
                    <p>본인이 변경했다면 이 페이지를 닫아 주세요. 본인이 아니라면 이전 번호로 되돌려 주세요. 계정이 이전 \
                    번호(<span class="whole">+82 10-****-5678</span>)로 돌아가고, 모든 기기에서 로그아웃됩니다.</p>
                    <form method="post">
                    <button>이전 번호로 되돌리기</button>
                    </form>
                    <p class="small">2026년 1월 4일 00:02(UTC)까지 되돌릴 수 있습니다.</p>
                    """
            )
            let undone = try await server.send("POST", path)
            #expect(
                Self.content(undone) == """
                    <h1>이전 번호로 되돌렸습니다</h1>
                    <p>계정이 이전 번호(<span class="whole">+82 10-****-5678</span>)로 돌아갔습니다. 모든 기기에서 로그아웃되었으니 이 번호로 다시 로그인해 주세요.</p>
                    """
            )
        }
    }

    @Test(arguments: [(nil, "ko"), ("en", "en"), ("sv", "ko")])
    func otherwiseInTheBrowsersOrInTheServicesOwn(field: String?, language: String) async throws {
        try await TestServer.run { server in
            let fields = field.map { ["Accept-Language": $0] } ?? [:]
            let page = try await server.send("GET", "/undo/x", headers: fields)
            #expect(page.status == 404)
            #expect(page.headers["content-language"] == language)
        }
    }

    /// Made-up links, used ones and expired ones cannot be told apart.
    @Test func whateverIsNoGoodIsAnsweredAlike() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let used = try await server.changeNumber(device, to: "010-8765-4321")
            #expect(try await server.send("POST", "/undo/" + used).status == 200)
            let old = try await server.changeNumber(server.signIn(), to: "010-5555-6666")
            server.clock.advance(by: .seconds(3 * 86_400))
            let paths =
                [
                    used, old, String(repeating: "A", count: 22), String(repeating: "A", count: 5000), "x",
                    "%EC%95%88%EB%85%95", "%00", "%0D%0ASet-Cookie:%20a", "%", "%zz", "%FF%FE", "..", "%2e%2e", "%2F",
                    "..%2F..%2Fv1%2Fsignups", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", "'%22%3E", used + "%20",
                    "%20" + used,
                ].map { "/undo/" + $0 } + ["/undo/" + used + "?token=" + old, "/undo/" + used + "/"]
            for path in paths {
                for method in ["GET", "POST"] {
                    let page = try await server.server.sendRaw("\(method) \(path) HTTP/1.1\r\nAccept-Language: en")
                    #expect(page.status == 404, "\(path)")
                    #expect(Self.content(page) == Self.gone, "\(path)")
                }
            }
        }
    }

    @Test func aLinkMayBeWrittenInPercents() async throws {
        try await TestServer.run { server in
            let token = try await server.changeNumber(server.signIn())
            let path = "/undo/" + token.utf8.map { "%" + String($0, radix: 16) }.joined()
            let page = try await server.server.sendRaw("GET \(path) HTTP/1.1")
            #expect(page.status == 200)
            #expect(Self.content(page) == Self.offer)
        }
    }

    @Test func aNumberThatIsAnothersByNowStaysTheirs() async throws {
        try await TestServer.run { server in
            let other = try await server.signIn("01055556666")
            let device = try await server.signIn()
            let path = "/undo/" + (try await server.changeNumber(device))
            _ = try await server.changeNumber(other, to: "010-1234-5678")
            // The page cannot know: the number is checked when it matters.
            #expect(try await server.send("GET", path).status == 200)
            let page = try await server.send("POST", path)
            #expect(page.status == 409)
            #expect(
                Self.content(page) == """
                    <h1>This change can&#39;t be undone</h1>
                    <p>Another account now uses your previous number. Contact support.</p>
                    """
            )
            let numbers = [try await server.number(of: device), try await server.number(of: other)]
            #expect(numbers == ["+821087654321", "+821012345678"])
        }
    }

    @Test func anOutageIsSaidAndCanBeWaitedFor() async throws {
        try await TestServer.run { server in
            let path = "/undo/" + (try await server.changeNumber(server.signIn()))
            server.store.fail(with: Outage())
            for method in ["GET", "POST", "GET"] {
                let page = try await server.send(method, path, headers: ["Accept-Language": "en"])
                #expect(page.status == 503)
                #expect(page.headers["retry-after"] == "5")
                #expect(
                    Self.content(page) == """
                        <h1>Something went wrong</h1>
                        <p>Wait a moment, then open the link from the message again.</p>
                        """
                )
            }
            #expect(server.log.lines.filter { $0.hasPrefix("error: Unavailable [error.cause=Outage()") }.count == 1)
            server.store.fail(with: nil)
            #expect(try await server.send("POST", path).status == 200)
        }
    }

    @Test func runsNoScriptAndLoadsNothing() async throws {
        try await TestServer.run { server in
            let token = try await server.changeNumber(server.signIn())
            for (method, path) in [("GET", token), ("GET", "x"), ("POST", token)] {
                let page = try await server.send(method, "/undo/" + path)
                let nonce = try #require(page.body.firstRange(of: "<style nonce=\"")).upperBound
                let name = page.body[nonce...].prefix { $0 != "\"" }
                #expect(
                    page.headers["content-security-policy"]
                        == "default-src 'none'; style-src 'nonce-\(name)'; img-src data:; base-uri 'none'; "
                        + "form-action 'self'; frame-ancestors 'none'"
                )
                // 128 bits (CSP level 3, section 2.3.1).
                #expect(name.count == 32)
                #expect(page.headers["cache-control"] == "no-store")
                #expect(page.headers["referrer-policy"] == "no-referrer")
                #expect(page.headers["x-content-type-options"] == "nosniff")
                #expect(page.headers["cross-origin-opener-policy"] == "same-origin")
                for text in ["http:", "https:", "//", "src=", "href=", "url(", "<script", token, "8765", "1234"] {
                    #expect(!page.body.replacing(HTML.icon().text, with: "").contains(text), "\(text)")
                }
            }
        }
    }

    @Test func saysWhoseItIsWithoutTheLogo() async throws {
        let theme = try ClientTheme(
            logo: RedirectURI("https://ace.example/logo.svg"),
            accent: Color("#7b1fa2"),
            radius: nil
        )
        let identity = PageIdentity(name: "Ace & Co", localNames: ["ko": "에이스"], theme: theme)
        try await TestServer.run(pageIdentity: identity) { server in
            let token = try await server.changeNumber(server.signIn())
            for (method, mark) in [("GET", nil), ("POST", "done")] as [(String, String?)] {
                let page = try await server.send(method, "/undo/" + token).body
                #expect(page.contains("<p class=\"client\">Ace &amp; Co</p>"))
                #expect(page.contains("--accent: #7b1fa2"))
                // The style sheet has it as a text.
                #expect(page.contains("--card: \(PageAssets.darkCard.description);"))
                #expect(page.contains(HTML.icon(Color("#7b1fa2")).text))
                #expect(page.firstMatch(of: /<svg class="mark (\w+)"/).map { String($0.1) } == mark)
                #expect(!page.contains("logo.svg"))
            }
            let gone = try await server.send("GET", "/undo/x", headers: ["Accept-Language": "ko"]).body
            #expect(gone.contains("<p class=\"client\">에이스</p>"))
        }
    }

    /// However the secret is sent.
    @Test func noLineMetricOrSpanContainsTheSecret() async throws {
        let (metrics, spans) = (PrometheusRegistry(MetricFamily.all), Spans())
        let tracer = SpanTracer(ratio: 1, finish: spans.append)
        try await TestServer.run(instruments: Instruments(metrics: metrics, tracer: tracer)) { server in
            let token = try await server.changeNumber(server.signIn())
            let path = "/undo/" + token
            for method in ["GET", "HEAD", "PUT", "OPTIONS", "POST", "POST"] { _ = try await server.send(method, path) }
            _ = try await server.send("GET", path + "/more")
            _ = try await server.server.sendRaw("GET \(path) HTTP/1.1\r\nContent-Length: x")
            for body in [#"{"token":"\#(token)"}"#, #"{"token":"\#(token)""#, #"{"token":["\#(token)"]}"#] {
                _ = try await server.send("POST", "/v1/number-changes/undo", body)
            }
            #expect(server.log.lines.contains { $0.contains("http.route=/undo/{token} http.status=200") })
            #expect(metrics.text().contains(#"route="/undo/{token}""#))
            // Everything that they contain.
            var printed = ""
            dump(spans.all, to: &printed)
            #expect(printed.contains("POST /undo/{token}"))
            for text in [server.log.lines.joined(separator: "\n"), metrics.text(), printed] {
                #expect(!text.contains(token))
            }
        }
    }
}
