/// The description of a metric. Metrics without one are ignored.
public struct MetricFamily: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A number that only grows while the program runs.
        case counter
        /// A number that goes up and down.
        case gauge
        /// - Parameter bounds: in the metric's unit, ascending, without the last, infinite one.
        case histogram(bounds: [Double])
    }

    /// The name with the unit as a suffix, and `_total` for a counter (https://prometheus.io/docs/practices/naming/).
    public let name: String
    public let kind: Kind
    public let help: String
    /// The names of its labels, in the order in which they are written. Their values are from small fixed sets: never a
    /// number, an ID, a path or anything else that a client chooses.
    public let labels: [String]

    public init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }
}

extension MetricFamily {
    /// Every metric of the service.
    public static let all = findings + requests + verifications + messages + webhooks + store + tracing + process

    private static let findings: [MetricFamily] = [
        .gauge(
            "phoneproof_finding",
            by: ["finding"],
            "What is wrong, as in the console and in doctor: 0 if it is not found, 1 for a warning, 2 for an error."
        )
    ]

    /// Seconds, for requests to this service.
    private static let requestBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Seconds, for transactions.
    private static let transactionBounds: [Double] = [0.0001, 0.00025, 0.0005] + requestBounds.dropLast(2)
    /// Seconds, for requests to others.
    private static let deliveryBounds: [Double] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private static let requests: [MetricFamily] = [
        .counter(
            "phoneproof_http_requests_total",
            by: ["route", "method", "status"],
            "Responses by the template of the route, the method and the status."
        ),
        .histogram(
            "phoneproof_http_request_duration_seconds",
            requestBounds,
            by: ["route", "method"],
            "Duration of requests from the first line of the request to the response."
        ),
        .gauge("phoneproof_http_requests_in_flight", "Requests in progress."),
    ]

    private static let verifications: [MetricFamily] = [
        .counter(
            "phoneproof_verifications_total",
            by: ["outcome", "region"],
            "Entries of the audit log about verifications, by the region of the number."
        ),
        .counter(
            "phoneproof_accounts_total",
            by: ["event"],
            "Entries of the audit log about accounts, such as refresh token reuse, number changes and deletions."
        ),
        .counter("phoneproof_refusals_total", by: ["operation", "code"], "Failed operations by error code."),
        .counter("phoneproof_limits_hit_total", by: ["policy"], "Requests refused by a rate limit."),
        .counter(
            "phoneproof_guard_verdicts_total",
            by: ["action", "reason"],
            "Verdicts of the toll fraud guard, once for each reason."
        ),
        .gauge(
            "phoneproof_conversion_ratio",
            by: ["window"],
            "Share of messages that led to an approval in the last clock hour and in the last day."
        ),
        .counter("phoneproof_verifications_expired_total", "Verifications that have expired without approval."),
    ]

    private static let messages: [MetricFamily] = [
        .counter(
            "phoneproof_messages_total",
            by: ["gateway", "outcome"],
            "Outcomes of messages by the gateway that accepted them, or none."
        ),
        .histogram(
            "phoneproof_message_delay_seconds",
            deliveryBounds,
            "Time from the request for a message until a gateway has accepted it."
        ),
        .counter("phoneproof_gateway_requests_total", by: ["gateway", "outcome"], "Requests to gateways by outcome."),
        .histogram(
            "phoneproof_gateway_request_duration_seconds",
            deliveryBounds,
            by: ["gateway"],
            "Duration of requests to gateways."
        ),
        .gauge(
            "phoneproof_gateway_circuit_open",
            by: ["gateway"],
            "Whether the circuit breaker of a gateway is open (1) or not (0)."
        ),
        .counter(
            "phoneproof_gateway_feedback_total",
            by: ["gateway", "outcome"],
            "Reports to gateways that a code was entered, by outcome."
        ),
        .gauge("phoneproof_outbox_messages", "Messages in the outbox."),
        .gauge("phoneproof_outbox_oldest_seconds", "Age of the oldest message in the outbox; 0 if it is empty."),
    ]

    private static let webhooks: [MetricFamily] = [
        .counter("phoneproof_webhook_requests_total", by: ["event", "outcome"], "Webhook requests by outcome."),
        .histogram("phoneproof_webhook_request_duration_seconds", deliveryBounds, "Duration of webhook requests."),
    ]

    private static let store: [MetricFamily] = [
        .histogram(
            "phoneproof_store_batch_duration_seconds",
            transactionBounds,
            by: ["kind"],
            "Duration of transactions."
        ),
        .histogram(
            "phoneproof_store_batch_operations",
            [1, 2, 4, 8, 16, 32, 64, 128, 256],
            by: ["kind"],
            "Operations per transaction."
        ),
        .counter("phoneproof_store_batch_failures_total", by: ["kind"], "Failed transactions."),
        .counter(
            "phoneproof_store_unreadable_rows_total",
            by: ["table"],
            "Rows skipped because they cannot be decoded."
        ),
    ]

    private static let tracing: [MetricFamily] = [
        .counter("phoneproof_spans_exported_total", "Spans that the collector has accepted."),
        .counter(
            "phoneproof_spans_dropped_total",
            "Spans that were dropped: the queue was full, or the request failed."
        ),
        .counter(
            "phoneproof_audit_entries_exported_total",
            "Entries of the audit log that the collector has accepted."
        ),
        .counter("phoneproof_audit_entries_dropped_total", "Entries that were dropped, since the queue was full."),
    ]

    private static let process: [MetricFamily] = [
        .counter(
            "phoneproof_settings_reloads_total",
            by: ["result"],
            "Reloads of the settings: loaded, or refused because they are invalid."
        ),
        .gauge("phoneproof_build_info", by: ["version"], "Always 1, labelled by the version."),
        .counter("process_cpu_seconds_total", "User and system CPU time."),
        .gauge("process_resident_memory_bytes", "Resident memory."),
        .gauge("process_virtual_memory_bytes", "Virtual memory."),
        .gauge("process_open_fds", "Open file descriptors."),
        .gauge("process_max_fds", "Maximum number of open file descriptors."),
        .gauge("process_start_time_seconds", "Start time of the process since the Unix epoch."),
    ]

    private static func counter(_ name: String, by labels: [String] = [], _ help: String) -> MetricFamily {
        MetricFamily(name, .counter, labels: labels, help: help)
    }

    private static func gauge(_ name: String, by labels: [String] = [], _ help: String) -> MetricFamily {
        MetricFamily(name, .gauge, labels: labels, help: help)
    }

    private static func histogram(
        _ name: String,
        _ bounds: [Double],
        by labels: [String] = [],
        _ help: String
    ) -> MetricFamily {
        MetricFamily(name, .histogram(bounds: bounds), labels: labels, help: help)
    }
}
