import Foundation
import PhoneCLI
import PhoneDomain

/// Events as an operator reads them, or a program.
struct EventListing {
    let events: [Event]

    /// Aligned columns under a head.
    var text: String {
        guard !events.isEmpty else { return "There are no such events." }
        let head = ["EVENT", "KIND", "STATUS", "ATTEMPTS", "NEXT ATTEMPT", "OCCURRED", "REASON"]
        return TextTable(head, events.map(Self.cells)).text
    }

    private static func cells(of event: Event) -> [String] {
        [
            "\(event.id)", event.kind.rawValue, event.status.rawValue, "\(event.attempts)",
            event.status == .queued ? "\(event.nextAttemptAt)" : "-", "\(event.occurredAt)", event.failure ?? "-",
        ]
    }

    /// `{"events": […]}`; every member is there, null where there is nothing to say.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Body(events: events.map(Body.Entry.init))), as: UTF8.self)
    }

    private struct Body: Encodable {
        let events: [Entry]

        struct Entry: Encodable {
            let event: Event

            private enum CodingKeys: String, CodingKey {
                case id, type, subject, status, attempts, failure
                case nextAttemptAt = "next_attempt_at"
                case occurredAt = "occurred_at"
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(event.id.description, forKey: .id)
                try container.encode(event.kind.rawValue, forKey: .type)
                try container.encode(event.subject.description, forKey: .subject)
                try container.encode(event.status.rawValue, forKey: .status)
                try container.encode(event.attempts, forKey: .attempts)
                try container.encode(
                    event.status == .queued ? event.nextAttemptAt.description : nil,
                    forKey: .nextAttemptAt
                )
                try container.encode(event.occurredAt.description, forKey: .occurredAt)
                try container.encode(event.failure, forKey: .failure)
            }
        }
    }
}
