public import CoreMetrics
public import PhoneDomain

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

    private let reads: Batches
    private let writes: Batches
    private let factory: any MetricsFactory

    public init(_ factory: any MetricsFactory) {
        self.factory = factory
        reads = Batches(.read, factory)
        writes = Batches(.write, factory)
    }

    private func count(_ label: String, _ dimensions: [(String, String)]) {
        Counter(label: label, dimensions: dimensions, factory: factory).increment()
    }

    public func observe(_ row: UnreadableRow) {
        count("phoneproof_store_unreadable_rows_total", [("table", row.table)])
    }

    public func observe(_ batch: StoreBatch) {
        let batches = batch.kind == .read ? reads : writes
        batches.durations.record(batch.duration)
        batches.operations.record(batch.operations)
        if batch.isFailed { batches.failures.increment() }
    }

    public func observe(_ entry: AuditEntry) {
        // What operators do is on the audit log alone.
        guard let label = entry.action.label else { return }
        if label.isOfAccount { return count("phoneproof_accounts_total", [("event", label.value)]) }
        let region = entry.region?.description ?? "unknown"
        count("phoneproof_verifications_total", [("outcome", label.value), ("region", region)])
        guard let verdict = entry.verdict else { return }
        for reason in entry.reasons.isEmpty ? ["none"] : entry.reasons.map(\.rawValue) {
            count("phoneproof_guard_verdicts_total", [("action", verdict.rawValue), ("reason", reason)])
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
        case .exportAccount, .exportAccounts, .importAccount, .suspendAccount, .restoreAccount, .updateAccount,
            .allowPrefix, .blockPrefix,
            .removeRule, .unblockPrefix, .clearLimit, .clearNumber, .createKey, .revokeKey, .rotateSealingKey,
            .rotateSigningKey, .retryEvent, .createClient, .updateClient, .rotateClientSecret, .revokeClient,
            .pauseGateway, .resumeGateway, .testGateway, .setGuardMode, .signInToConsole, .viewPerson:
            nil
        }
    }
}

extension Timer {
    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
