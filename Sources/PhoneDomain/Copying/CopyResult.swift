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

/// What a copy came to.
public struct CopyResult: Hashable, Sendable {
    /// The records of one kind, as each side has them.
    public struct Part: Hashable, Sendable {
        /// Which kind.
        public let kind: RecordKind
        /// The source's, while they were copied.
        public let copied: RecordTally
        /// The source's, read anew at the end.
        public let source: RecordTally
        /// The target's, read at the end.
        public let target: RecordTally

        /// Such records of one kind.
        public init(kind: RecordKind, copied: RecordTally, source: RecordTally, target: RecordTally) {
            self.kind = kind
            self.copied = copied
            self.source = source
            self.target = target
        }

        /// Whether the source is no longer what was copied.
        public var hasSourceChanged: Bool { copied != source }

        /// Whether the target holds what was copied, and nothing else.
        public var isSame: Bool { copied == target }
    }

    /// Every kind, in order.
    public let parts: [Part]
    /// How many records the target held before, from a copy that did not come to its end.
    public let heldBefore: Int

    /// A result of these parts.
    public init(parts: [Part], heldBefore: Int) {
        self.parts = parts
        self.heldBefore = heldBefore
    }

    /// Whether both sides hold the same, and did so all the time.
    public var isComplete: Bool {
        parts.allSatisfy { $0.isSame && !$0.hasSourceChanged }
    }
}
