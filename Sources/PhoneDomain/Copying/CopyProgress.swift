/// How far a copy is.
public struct CopyProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// The target holds something, which is compared with the source.
        case comparing
        /// Records are read and kept.
        case copying
        /// Both sides are read anew.
        case checking
    }

    /// What is being done.
    public let phase: Phase
    /// To records of what kind.
    public let kind: RecordKind
    /// To how many of that kind already.
    public let done: Int
    /// Of how many.
    public let total: Int

    /// So many of so many.
    public init(phase: Phase, kind: RecordKind, done: Int, total: Int) {
        self.phase = phase
        self.kind = kind
        self.done = done
        self.total = total
    }
}
