import CoreEncodings
public import PhoneAdministration

public struct CopyReport {
    private let body: JSON

    public init(_ result: CopyResult) {
        func json(_ tally: RecordTally) -> JSON {
            ["count": .integer(tally.count), "digest": .string(tally.digest.description)]
        }
        body = [
            "is_complete": .bool(result.isComplete), "held_before": .integer(result.heldBefore),
            "records": .array(
                result.parts.map { part in
                    [
                        "kind": .string(part.kind), "source": json(part.source), "target": json(part.target),
                        "result": .string(part.verdict),
                    ]
                }
            ),
        ]
    }

    public var text: String {
        let columns: [Listing.Column] = [
            .init("KIND", "kind"), .init("SOURCE", "source.count"), .init("TARGET", "target.count"),
            // Enough to compare by eye.
            .init("DIGEST", "target.digest") { String($0.cellText.prefix(16)) }, .init("RESULT", "result"),
        ]
        return Listing(body["records"]?.array ?? [], columns).table()
    }

    public var json: String { body.text }
}

extension CopyResult.Part {
    /// If the source has changed meanwhile, the comparison says nothing about the copy.
    fileprivate var verdict: String {
        if hasSourceChanged { return "changed" }
        return isSame ? "same" : "different"
    }
}

/// Shows the progress of a copy: as a line that is redrawn in a terminal, and as a line for every tenth anywhere else.
public struct CopyMeter: Sendable {
    private let redraws: Bool
    private let columns: Int
    private var shown = ""

    /// - Parameters:
    ///   - columns: of the terminal. A wrapped line could not be redrawn.
    public init(redraws: Bool, columns: Int = 80) {
        self.redraws = redraws
        self.columns = columns
    }

    public mutating func text(for progress: CopyProgress) -> String {
        let line = redraws ? bar(progress) : tenth(progress)
        guard line != shown else { return "" }
        shown = line
        return redraws ? Self.start + line : line + "\n"
    }

    /// What to write before anything else is written: it clears the line.
    public mutating func end() -> String {
        defer { shown = "" }
        return redraws && !shown.isEmpty ? Self.start : ""
    }

    /// Return to the first column, and erase the line (ECMA-48, 8.3.41).
    private static let start = "\r\u{1B}[K"
    private static let barWidth = 20

    private func bar(_ progress: CopyProgress) -> String {
        let full = progress.share * Self.barWidth / 100
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: Self.barWidth - full)
        let share = String(repeating: " ", count: 3 - "\(progress.share)".count) + "\(progress.share) %"
        let line = "\(progress.words.padded(toColumns: 22)) \(progress.counts)"
        let long = "\(line)  [\(bar)] \(share)"
        // The last column stays free: some terminals wrap as soon as it is written to.
        return String((long.columns < columns ? long : line).prefix(max(0, columns - 1)))
    }

    private func tenth(_ progress: CopyProgress) -> String {
        let tenth = progress.share / 10
        let mark = "\(progress.words): \(tenth * 10) % of \(progress.total)"
        return tenth == 0 ? shown : mark
    }
}

extension CopyProgress {
    /// The part that is done, in whole percent, rounded down, so that 100 is all.
    fileprivate var share: Int { total > 0 ? min(100, max(0, done * 100 / total)) : 100 }

    fileprivate var counts: String { "\(done) of \(total)" }

    fileprivate var words: String {
        let doing =
            switch phase {
            case .comparing: "comparing"
            case .copying: "copying"
            case .checking: "checking"
            case .verifying: "verifying"
            }
        return "\(doing) \(kind)"
    }
}
