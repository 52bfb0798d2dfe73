import FoundationEssentials
public import PhoneDomain

/// What a copy came to, for a person and for a program.
public struct CopyReport: Sendable {
    private let result: CopyResult

    /// A report of this result.
    public init(_ result: CopyResult) {
        self.result = result
    }

    /// A line for each kind: how many records each side has, the beginning of the target's digest, and whether both sides
    /// have the same.
    public var text: String {
        let rows = result.parts.map { part in
            [
                part.kind.rawValue, "\(part.source.count)", "\(part.target.count)",
                String(part.target.digest.description.prefix(Self.digitsShown)), part.verdict,
            ]
        }
        return TextTable(["KIND", "SOURCE", "TARGET", "DIGEST", "RESULT"], rows).text
    }

    private static let digitsShown = 16

    /// One object on one line.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Body(result)), as: UTF8.self)
    }

    private struct Body: Encodable {
        let isComplete: Bool
        let heldBefore: Int
        let records: [Record]

        private enum CodingKeys: String, CodingKey {
            case isComplete = "is_complete"
            case heldBefore = "held_before"
            case records
        }

        struct Record: Encodable {
            let kind: String
            let source: Side
            let target: Side
            let result: String
        }

        struct Side: Encodable {
            let count: Int
            let digest: String

            init(_ tally: RecordTally) {
                count = tally.count
                digest = tally.digest.description
            }
        }

        init(_ result: CopyResult) {
            isComplete = result.isComplete
            heldBefore = result.heldBefore
            records = result.parts.map { part in
                Record(
                    kind: part.kind.rawValue,
                    source: Side(part.source),
                    target: Side(part.target),
                    result: part.verdict
                )
            }
        }
    }
}

extension CopyResult.Part {
    /// A change of the source comes first: what it makes of the comparison says nothing of the copy.
    fileprivate var verdict: String {
        if hasSourceChanged { return "changed" }
        return isSame ? "same" : "different"
    }
}
