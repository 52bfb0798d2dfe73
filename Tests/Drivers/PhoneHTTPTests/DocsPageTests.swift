import CoreEncodings
import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneHTTP

/// `/docs`: the whole document, as a page that loads nothing.
@Suite struct DocsPageTests {
    private func page() async throws -> Answer {
        let page = Mutex<Answer?>(nil)
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/docs")
            page.withLock { $0 = answer }
        }
        let found = page.withLock { $0 }
        return try #require(found)
    }

    @Test func showsEveryOperationSchemaAndEvent() async throws {
        let page = try await page()
        #expect(page.status == 200)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        let document = OpenAPIDocument.whole
        for paths in ["paths", "webhooks"] {
            for path in document[paths]?.members ?? [] {
                for operation in path.value.members where operation.name != "parameters" {
                    let id = try #require(operation.value["operationId"]?.string)
                    let summary = try #require(operation.value["summary"]?.string)
                    #expect(page.body.contains("<section id=\"\(id)\""), "\(id)")
                    #expect(page.body.contains("<p class=\"summary\">\(summary.htmlEscaped)</p>"), "\(id)")
                }
                #expect(page.body.contains("<code>\(path.name.htmlEscaped)</code>"))
            }
        }
        for schema in document["components"]?["schemas"]?.members ?? [] {
            #expect(page.body.contains("<section id=\"schema-\(schema.name)\""))
        }
    }

    @Test func everyLinkWithinItLeadsSomewhere() async throws {
        let body = try await page().body
        let ids = body.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        let links = body.replacing(HTML.icon().text, with: "").matches(of: /\shref="([^"]+)"/).map { String($0.1) }
        #expect(links.count > 200)
        let pages: Set = ["openapi.json", "signup", "inbox", ".well-known/openid-configuration"]
        for link in Set(links).subtracting(pages) {
            #expect(link.first == "#" && ids.contains(String(link.dropFirst())), "\(link)")
        }
        #expect(pages.isSubset(of: links))
        let searched = body.matches(of: /\sdata-for="([^"]+)"/).map { String($0.1) }
        #expect(searched.allSatisfy(ids.contains))
    }

    /// A browser that obeys the policy runs and loads nothing but what is in the page.
    @Test func loadsNothing() async throws {
        let page = try await page()
        let nonce = try #require(page.body.firstMatch(of: /<script nonce="([0-9a-f]+)">/)?.1)
        #expect(
            page.headers["content-security-policy"]
                == "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        for word in [" src=", "@import", "url(", "<link", "<img", "<iframe", " style=", " onclick="] {
            #expect(!page.body.replacing(HTML.icon().text, with: "").contains(word), "\(word)")
        }
        #expect(page.body.matches(of: /<script|<style/).count == 2)
    }

    @Test func textOfTheDocumentIsEscaped() {
        let document: JSON = [
            "info": ["title": "<i>", "summary": "<b>&", "description": "a `<c>` <d>\nsecond", "version": "1"],
            "tags": [["name": "T<e>", "description": "<f>"]],
            "paths": [
                "/x/{<g>}": [
                    "get": [
                        "operationId": "x", "tags": ["T<e>"], "summary": "<h>", "description": "<j>",
                        "responses": ["200": ["description": "<k>"]],
                    ]
                ]
            ],
            "components": ["schemas": ["S": ["type": "string", "enum": ["<l>"], "description": "<m>"]]],
        ]
        let parts = DocsPage(document: document).body
        let body = parts.before.text + parts.after.text
        for letter in "cdefghjklm" { #expect(!body.contains("<\(letter)>"), "\(letter)") }
        #expect(body.contains("<p>a <code>&lt;c&gt;</code> &lt;d&gt;</p>\n<p>second</p>"))
        #expect(body.contains("<h1>&lt;b&gt;&amp;</h1>"))
    }
}
