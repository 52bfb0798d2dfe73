public import CoreMetrics
public import PhoneDomain
public import PhoneNumbers
import Synchronization

/// Counts the transactions of stores, and the entries of the audit log: actions, and verdicts of the guard.
public final class StoreMeasures: StoreObserver {
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

    /// What distinguishes the counters of an audit entry.
    private struct Kind: Hashable {
        let action: AuditEntry.Action
        let region: Region?
        let verdict: GuardVerdict.Action?
        let reasons: [GuardVerdict.Reason]
    }

    private let reads: Batches
    private let writes: Batches
    private let factory: any MetricsFactory
    private let ofEntries = KeptMetrics<Kind, [Counter]>()

    public init(_ factory: any MetricsFactory) {
        self.factory = factory
        reads = Batches(.read, factory)
        writes = Batches(.write, factory)
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
        Counter(label: label, dimensions: dimensions, factory: factory)
    }

    public func observe(_ row: UnreadableRow) {
        counter("phoneproof_store_unreadable_rows_total", [("table", row.table)]).increment()
    }

    public func observe(_ batch: StoreBatch) {
        let batches = batch.kind == .read ? reads : writes
        batches.durations.record(batch.duration)
        batches.operations.record(batch.operations)
        if batch.isFailed { batches.failures.increment() }
    }

    public func observe(_ entry: AuditEntry) {
        let kind = Kind(
            action: entry.action,
            region: entry.region,
            verdict: entry.verdict,
            reasons: entry.reasons
        )
        for counter in ofEntries.value(for: kind, counters) { counter.increment() }
    }

    private func counters(_ kind: Kind) -> [Counter] {
        // What operators do is on the audit log alone.
        guard let label = kind.action.label else { return [] }
        if label.isOfAccount { return [counter("phoneproof_accounts_total", [("event", label.value)])] }
        let region = kind.region?.description ?? "unknown"
        let outcome = counter("phoneproof_verifications_total", [("outcome", label.value), ("region", region)])
        guard let verdict = kind.verdict else { return [outcome] }
        return [outcome]
            + (kind.reasons.isEmpty ? ["none"] : kind.reasons.map(\.rawValue)).map {
                counter("phoneproof_guard_verdicts_total", [("action", verdict.rawValue), ("reason", $0)])
            }
    }
}

extension PrometheusRegistry {
    /// Has every counter whose labels are known begin at 0: of one that appears with its first event, no rate shows
    /// that event.
    ///
    /// - Parameters:
    ///   - regions: those of most numbers.
    ///   - policies: the names of the limits.
    ///   - tables: those of the store.
    public func beginAtZero(regions: [Region], policies: [String], tables: [String]) {
        func begin(_ label: String, _ dimensions: (String, String)...) {
            _ = makeCounter(label: label, dimensions: dimensions)
        }
        for label in AuditEntry.Action.allCases.compactMap(\.label) {
            if label.isOfAccount {
                begin("phoneproof_accounts_total", ("event", label.value))
            } else {
                for region in regions {
                    begin("phoneproof_verifications_total", ("outcome", label.value), ("region", region.description))
                }
            }
        }
        for action in GuardVerdict.Action.allCases {
            for reason in GuardVerdict.Reason.allCases {
                begin("phoneproof_guard_verdicts_total", ("action", action.rawValue), ("reason", reason.rawValue))
            }
        }
        for operation in VerificationUseCase.Operation.allCases {
            for code in PhoneFailure.codes {
                begin("phoneproof_refusals_total", ("operation", operation.rawValue), ("code", code))
            }
        }
        for policy in policies { begin("phoneproof_limits_hit_total", ("policy", policy)) }
        for table in tables { begin("phoneproof_store_unreadable_rows_total", ("table", table)) }
        begin("phoneproof_spans_exported_total")
        begin("phoneproof_spans_dropped_total")
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
        case .addSignInKey: ("sign_in_key_added", true)
        case .removeSignInKey: ("sign_in_key_removed", true)
        case .signInByKey: ("signed_in_by_key", true)
        case .exportAccount, .exportAccounts, .importAccount, .suspendAccount, .restoreAccount, .updateAccount,
            .allowPrefix, .blockPrefix,
            .removeRule, .unblockPrefix, .clearLimit, .clearNumber, .createKey, .revokeKey, .rotateSealingKey,
            .rotateSigningKey, .retryEvent, .createClient, .updateClient, .rotateClientSecret, .revokeClient,
            .pauseGateway, .resumeGateway, .testGateway, .setGuardMode, .reloadSettings, .signInToConsole, .viewPerson:
            nil
        }
    }
}

/// Metrics by what distinguishes them: to find one in the registry, by its labels, costs a request as much as its
/// routing. There are as many as their keys, which come from closed lists.
package final class KeptMetrics<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let made = Mutex<[Key: Value]>([:])

    package init() {}

    package func value(for key: Key, _ make: (Key) -> Value) -> Value {
        made.withLock { made in
            if let found = made[key] { return found }
            let value = make(key)
            made[key] = value
            return value
        }
    }
}

extension Timer {
    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
