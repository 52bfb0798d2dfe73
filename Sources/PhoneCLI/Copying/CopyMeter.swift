public import PhoneDomain

/// Makes of the progress of a copy what is written about it: a line that is drawn over itself in a terminal, and a line
/// for every tenth anywhere else.
public struct CopyMeter: Sendable {
    private let redraws: Bool
    private let columns: Int
    private var shown = ""

    /// - Parameters:
    ///   - redraws: whether a line may be drawn anew.
    ///   - columns: of the terminal. A line that was wrapped could not be drawn over.
    public init(redraws: Bool, columns: Int = 80) {
        self.redraws = redraws
        self.columns = columns
    }

    /// What is to be written now; mostly nothing where lines cannot be drawn anew.
    public mutating func text(for progress: CopyProgress) -> String {
        let line = redraws ? bar(progress) : tenth(progress)
        guard line != shown else { return "" }
        shown = line
        return redraws ? Self.start + line : line + "\n"
    }

    /// What is to be written before anything else is: it takes the line away.
    public mutating func end() -> String {
        defer { shown = "" }
        return redraws && !shown.isEmpty ? Self.start : ""
    }

    /// To the first column, and everything behind it away (ECMA-48, 8.3.41).
    private static let start = "\r\u{1B}[K"
    private static let barWidth = 20

    private func bar(_ progress: CopyProgress) -> String {
        let full = progress.share * Self.barWidth / 100
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: Self.barWidth - full)
        let share = String(repeating: " ", count: 3 - "\(progress.share)".count) + "\(progress.share) %"
        let line = "\(progress.words.padded(toColumns: 22)) \(progress.counts)"
        let long = "\(line)  [\(bar)] \(share)"
        // The last column is left free: some terminals wrap as soon as it is written to.
        return String((long.columns < columns ? long : line).prefix(max(0, columns - 1)))
    }

    private func tenth(_ progress: CopyProgress) -> String {
        let tenth = progress.share / 10
        let mark = "\(progress.words): \(tenth * 10) % of \(progress.total)"
        return tenth == 0 ? shown : mark
    }
}

extension CopyProgress {
    /// In whole percent, rounded down, so that 100 is all.
    fileprivate var share: Int { total > 0 ? min(100, max(0, done * 100 / total)) : 100 }

    fileprivate var counts: String { "\(done) of \(total)" }

    fileprivate var words: String {
        let doing =
            switch phase {
            case .comparing: "comparing"
            case .copying: "copying"
            case .checking: "checking"
            }
        return "\(doing) \(kind.rawValue)"
    }
}
