import CoreEncodings
import Synchronization
import Testing

@testable import PhoneCLI

@Suite struct PeopleImportTests {
    /// A service that imports all but those without a number, and remembers how large each request was.
    private final class Service: Sendable {
        let sizes = Mutex<[Int]>([])

        var api: AdminAPI {
            AdminAPI(longestPage: 200, reason: nil) { [self] _, path, body in
                let items = body?["items"]?.array ?? []
                sizes.withLock { $0.append(items.count) }
                #expect(path == "/accounts/import")
                #expect((body?.utf8.count ?? 0) < 65_536)
                return [
                    "results": .array(
                        items.map { item -> JSON in
                            item["phone_number"] == nil
                                ? ["status": "failed", "detail": "phone_number is missing."]
                                : ["status": "created", "id": "acc_1", "region": "KR"]
                        }
                    )
                ]
            }
        }
    }

    private func run(_ text: String, _ service: Service) async throws -> (
        counts: PeopleImport.Counts, failures: [String]
    ) {
        var (rest, failures) = (Array(text.utf8), [String]())
        var reader = RecordReader {
            defer { rest = [] }
            return rest
        }
        var people = PeopleImport(
            from: .jsonl,
            to: service.api,
            options: [.init("on_conflict", "skip")],
            moment: "",
            report: { failures.append($0.json.text) },
            progress: { _ in }
        )
        try await people.run(&reader)
        return (people.counts, failures)
    }

    @Test func `people are sent some hundred at a time, and failures have their lines`() async throws {
        let service = Service()
        let people = (0..<1200).map { #"{"phone_number":"+\#($0)"}"# }
        let (counts, failures) = try await run((people + ["{}", "7"]).joined(separator: "\n"), service)
        #expect(
            counts.json.text
                == #"{"created":1200,"updated":0,"unchanged":0,"skipped":0,"failed":2,"regions":{"KR":1200}}"#
        )
        #expect(
            failures == [
                #"{"line":1202,"reason":"it is no JSON object"}"#,
                #"{"line":1201,"reason":"phone_number is missing."}"#,
            ]
        )
        #expect(service.sizes.withLock(\.self) == [500, 500, 201])
    }

    @Test func `a request has no more bytes and members than the service takes`() async throws {
        let service = Service()
        let text = String(repeating: "x", count: 10_000)
        let members = (0..<1000).map { #""\#($0)":0"# }.joined(separator: ",")
        let people = (0..<9).map { #"{"phone_number":"+\#($0)","metadata":{"a":"\#(text)"}}"# }
        let wide = (0..<3).map { #"{"phone_number":"+\#($0)","metadata":{\#(members)}}"# }
        let huge = #"{"phone_number":"+1","metadata":{"a":"\#(String(repeating: "x", count: 50_000))"}}"#
        let (counts, failures) = try await run((people + wide + [huge]).joined(separator: "\n"), service)
        #expect(counts.created == 12)
        #expect(failures == [#"{"line":13,"reason":"it has too much data, in bytes or in members"}"#])
        #expect(service.sizes.withLock(\.self) == [4, 4, 2, 1, 1])
    }
}
