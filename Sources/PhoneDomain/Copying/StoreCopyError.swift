/// Why a store was not copied.
public enum StoreCopyError: Error, Hashable, Sendable {
    /// The target holds records that the source does not hold at that place: it is in use, or was filled from another
    /// source or from an earlier state of this one. Nothing was written.
    case targetHoldsOther(RecordKind)
}
