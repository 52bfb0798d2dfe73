public import CoreMetrics
public import PhoneDomain
import Synchronization

/// Counts the transactions of stores, and the entries of the audit log: actions, and verdicts of the guard.
public final class StoreMeasures: StoreObserver {
    private struct Outcome: Hashable {
        let label: String
        let region: Region?
    }

    private struct Verdict: Hashable {
        let action: GuardVerdict.Action
        let reason: GuardVerdict.Reason?
    }

    private struct Batches: Sendable {
        let durations: Timer
        let operations: Recorder
        let failures: Counter

        init(_ kind: StoreBatch.Kind, _ factory: any MetricsFactory) {
            let kind = [("kind", kind.rawValue)]
            durations = Timer(label: "phoneproof_store_batch_duration_seconds", dimensions: kind, factory: factory)
            operations = Recorder(
                label: "phoneproof_store_batch_operations",
                dimensions: kind,
                aggregate: true,
                factory: factory
            )
            failures = Counter(label: "phoneproof_store_batch_failures_total", dimensions: kind, factory: factory)
        }
    }

    private let reads: Batches
    private let writes: Batches
    private let outcomes: MetricHandles<Outcome, Counter>
    private let accounts: MetricHandles<String, Counter>
    private let verdicts: MetricHandles<Verdict, Counter>
    private let unreadable: MetricHandles<String, Counter>

    public init(_ factory: any MetricsFactory) {
        reads = Batches(.read, factory)
        writes = Batches(.write, factory)
        outcomes = MetricHandles { key in
            Counter(
                label: "phoneproof_verifications_total",
                dimensions: [("outcome", key.label), ("region", key.region?.description ?? "unknown")],
                factory: factory
            )
        }
        accounts = MetricHandles { event in
            Counter(label: "phoneproof_accounts_total", dimensions: [("event", event)], factory: factory)
        }
        unreadable = MetricHandles { table in
            Counter(label: "phoneproof_store_unreadable_rows_total", dimensions: [("table", table)], factory: factory)
        }
        verdicts = MetricHandles { key in
            Counter(
                label: "phoneproof_guard_verdicts_total",
                dimensions: [("action", key.action.rawValue), ("reason", key.reason?.rawValue ?? "none")],
                factory: factory
            )
        }
    }

    public func observe(_ row: UnreadableRow) { unreadable[row.table].increment() }

    public func observe(_ batch: StoreBatch) {
        let batches = batch.kind == .read ? reads : writes
        batches.durations.record(batch.duration)
        batches.operations.record(batch.operations)
        if batch.isFailed { batches.failures.increment() }
    }

    public func observe(_ entry: AuditEntry) {
        // What operators do is on the audit log alone.
        guard let label = entry.action.label else { return }
        if label.isOfAccount { return accounts[label.value].increment() }
        outcomes[Outcome(label: label.value, region: entry.region)].increment()
        guard let verdict = entry.verdict else { return }
        if entry.reasons.isEmpty { verdicts[Verdict(action: verdict, reason: nil)].increment() }
        for reason in entry.reasons { verdicts[Verdict(action: verdict, reason: reason)].increment() }
    }
}

extension AuditEntry.Action {
    fileprivate var label: (value: String, isOfAccount: Bool)? {
        switch self {
        case .begin: ("begun", false)
        case .resend: ("resent", false)
        case .suppress: ("held_back", false)
        case .approve: ("approved", false)
        case .repeatApproval: ("repeated", false)
        case .mismatch: ("wrong_code", false)
        case .cancel: ("canceled", false)
        case .signUp: ("signed_up", false)
        case .retry: ("retried", false)
        case .erase: ("erased", false)
        case .unlink: ("unlinked", true)
        case .decideSignIn: ("decided_sign_in", true)
        case .decideNewAccount: ("decided_new_account", true)
        case .reuse: ("refresh_token_reused", true)
        case .signOut: ("signed_out", true)
        case .changeNumber: ("number_changed", true)
        case .undoChange: ("change_undone", true)
        case .leaveNumber: ("number_left", true)
        case .requestDeletion: ("deletion_requested", true)
        case .deleteAccount: ("deleted", true)
        case .exportAccount, .allowPrefix, .blockPrefix, .removeRule, .unblockPrefix, .clearLimit, .clearNumber,
            .createKey, .revokeKey, .rotateSealingKey, .rotateSigningKey, .retryEvent, .createClient, .revokeClient:
            nil
        }
    }
}

extension Timer {
    func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

/// The handles of one metric by their labels, each made on first use.
final class MetricHandles<Key: Hashable & Sendable, Handle: Sendable>: Sendable {
    private let handles = Mutex<[Key: Handle]>([:])
    private let make: @Sendable (Key) -> Handle

    init(make: @escaping @Sendable (Key) -> Handle) { self.make = make }

    subscript(key: Key) -> Handle {
        handles.withLock { handles in
            if let handle = handles[key] { return handle }
            let made = make(key)
            handles[key] = made
            return made
        }
    }
}
