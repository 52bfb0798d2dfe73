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

    /// With the unit as a suffix, and `_total` for a counter (https://prometheus.io/docs/practices/naming/).
    public let name: String
    public let kind: Kind
    public let help: String
    /// The names of its labels, in the order in which they are written. Their values are from small fixed sets: never a number,
    /// an ID, a path or anything else that a client chooses.
    public let labels: [String]

    public init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}

extension MetricFamily {
    /// Every metric of the service.
    public static let all = requests + verifications + messages + webhooks + store + tracing + process

    /// Seconds, for requests to this service.
    private static let requestBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Seconds, for transactions.
    private static let transactionBounds: [Double] = [0.0001, 0.00025, 0.0005] + requestBounds.dropLast(2)
    /// Seconds, for requests to others.
    private static let deliveryBounds: [Double] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private static let requests = [
        MetricFamily(
            "phoneproof_http_requests_total",
            .counter,
            labels: ["route", "method", "status"],
            help: "Responses by the template of the route, the method and the status."
        ),
        MetricFamily(
            "phoneproof_http_request_duration_seconds",
            .histogram(bounds: requestBounds),
            labels: ["route", "method"],
            help: "Duration of requests from the first line of the request to the response."
        ),
        MetricFamily(
            "phoneproof_http_requests_in_flight",
            .gauge,
            help: "Requests in progress."
        ),
    ]

    private static let verifications = [
        MetricFamily(
            "phoneproof_verifications_total",
            .counter,
            labels: ["outcome", "region"],
            help: "Entries of the audit log about verifications, by the region of the number."
        ),
        MetricFamily(
            "phoneproof_accounts_total",
            .counter,
            labels: ["event"],
            help: "Entries of the audit log about accounts, such as refresh token reuse, number changes and deletions."
        ),
        MetricFamily(
            "phoneproof_refusals_total",
            .counter,
            labels: ["operation", "code"],
            help: "Failed operations by error code."
        ),
        MetricFamily(
            "phoneproof_limits_hit_total",
            .counter,
            labels: ["policy"],
            help: "Requests refused by a rate limit."
        ),
        MetricFamily(
            "phoneproof_guard_verdicts_total",
            .counter,
            labels: ["action", "reason"],
            help: "Verdicts of the toll fraud guard, once for each reason."
        ),
        MetricFamily(
            "phoneproof_conversion_ratio",
            .gauge,
            labels: ["window"],
            help: "Share of messages that led to an approval in the last clock hour and in the last day."
        ),
        MetricFamily(
            "phoneproof_verifications_expired_total",
            .counter,
            help: "Verifications that have expired without approval."
        ),
    ]

    private static let messages = [
        MetricFamily(
            "phoneproof_messages_total",
            .counter,
            labels: ["gateway", "outcome"],
            help: "Outcomes of messages by the gateway that accepted them, or none."
        ),
        MetricFamily(
            "phoneproof_message_delay_seconds",
            .histogram(bounds: deliveryBounds),
            help: "Time from the request for a message until a gateway has accepted it."
        ),
        MetricFamily(
            "phoneproof_gateway_requests_total",
            .counter,
            labels: ["gateway", "outcome"],
            help: "Requests to gateways by outcome."
        ),
        MetricFamily(
            "phoneproof_gateway_request_duration_seconds",
            .histogram(bounds: deliveryBounds),
            labels: ["gateway"],
            help: "Duration of requests to gateways."
        ),
        MetricFamily(
            "phoneproof_gateway_circuit_open",
            .gauge,
            labels: ["gateway"],
            help: "Whether the circuit breaker of a gateway is open (1) or not (0)."
        ),
        MetricFamily("phoneproof_outbox_messages", .gauge, help: "Messages in the outbox."),
        MetricFamily(
            "phoneproof_outbox_oldest_seconds",
            .gauge,
            help: "Age of the oldest message in the outbox; 0 if it is empty."
        ),
    ]

    private static let webhooks = [
        MetricFamily(
            "phoneproof_webhook_requests_total",
            .counter,
            labels: ["event", "outcome"],
            help: "Webhook requests by outcome."
        ),
        MetricFamily(
            "phoneproof_webhook_request_duration_seconds",
            .histogram(bounds: deliveryBounds),
            help: "Duration of webhook requests."
        ),
    ]

    private static let store = [
        MetricFamily(
            "phoneproof_store_batch_duration_seconds",
            .histogram(bounds: transactionBounds),
            labels: ["kind"],
            help: "Duration of transactions."
        ),
        MetricFamily(
            "phoneproof_store_batch_operations",
            .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256]),
            labels: ["kind"],
            help: "Operations per transaction."
        ),
        MetricFamily(
            "phoneproof_store_batch_failures_total",
            .counter,
            labels: ["kind"],
            help: "Failed transactions."
        ),
        MetricFamily(
            "phoneproof_store_unreadable_rows_total",
            .counter,
            labels: ["table"],
            help: "Rows skipped because they cannot be decoded."
        ),
    ]

    private static let tracing = [
        MetricFamily("phoneproof_spans_exported_total", .counter, help: "Spans that the collector has accepted."),
        MetricFamily(
            "phoneproof_spans_dropped_total",
            .counter,
            help: "Spans that were dropped: the queue was full, or the request failed."
        ),
    ]

    private static let process = [
        MetricFamily(
            "phoneproof_build_info",
            .gauge,
            labels: ["version"],
            help: "Always 1, labelled by the version."
        ),
        MetricFamily("process_cpu_seconds_total", .counter, help: "User and system CPU time."),
        MetricFamily("process_resident_memory_bytes", .gauge, help: "Resident memory."),
        MetricFamily("process_virtual_memory_bytes", .gauge, help: "Virtual memory."),
        MetricFamily("process_open_fds", .gauge, help: "Open file descriptors."),
        MetricFamily("process_max_fds", .gauge, help: "Maximum number of open file descriptors."),
        MetricFamily("process_start_time_seconds", .gauge, help: "Start time of the process since the Unix epoch."),
    ]
}
