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
