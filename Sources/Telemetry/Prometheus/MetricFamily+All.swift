extension MetricFamily {
    /// Every metric of the service. Whoever counts names them as they are named here.
    public static let all = requests + verifications + messages + webhooks + store + tracing + process

    /// Seconds, for what should take milliseconds.
    private static let quick: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Seconds, for transactions.
    private static let quicker: [Double] = [0.0001, 0.00025, 0.0005] + quick.dropLast(2)
    /// Seconds, for what others do on the way to a phone.
    private static let patient: [Double] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private static let requests = [
        MetricFamily(
            "phoneproof_http_requests_total",
            .counter,
            labels: ["route", "method", "status"],
            help: "Requests answered, by the template of their route, the method and the status."
        ),
        MetricFamily(
            "phoneproof_http_request_duration_seconds",
            .histogram(bounds: quick),
            labels: ["route", "method"],
            help: "How long requests took from their first line read to their answer made."
        ),
        MetricFamily(
            "phoneproof_http_requests_in_flight",
            .gauge,
            help: "Requests that are being answered."
        ),
    ]

    private static let verifications = [
        MetricFamily(
            "phoneproof_verifications_total",
            .counter,
            labels: ["outcome", "region"],
            help: "What was done with verifications, as the audit trail has it, by the country of the number."
        ),
        MetricFamily(
            "phoneproof_accounts_total",
            .counter,
            labels: ["event"],
            help: "What befell accounts, as the audit trail has it: tokens used twice, numbers changed, deletions."
        ),
        MetricFamily(
            "phoneproof_refusals_total",
            .counter,
            labels: ["operation", "code"],
            help: "What was not done, by what was asked for and the code that programs act on."
        ),
        MetricFamily(
            "phoneproof_limits_hit_total",
            .counter,
            labels: ["policy"],
            help: "Requests that a limit stood against, by the limit."
        ),
        MetricFamily(
            "phoneproof_guard_verdicts_total",
            .counter,
            labels: ["action", "reason"],
            help: "What the guard against toll fraud said, once for each of its reasons."
        ),
        MetricFamily(
            "phoneproof_conversion_ratio",
            .gauge,
            labels: ["window"],
            help: "The share of messages that led to an approval within the last hour of the clock and the last day."
        ),
        MetricFamily(
            "phoneproof_verifications_expired_total",
            .counter,
            help: "Verifications that were closed because nobody had approved them in their time."
        ),
    ]

    private static let messages = [
        MetricFamily(
            "phoneproof_messages_total",
            .counter,
            labels: ["gateway", "outcome"],
            help: "What became of messages, by the gateway that took them, or none."
        ),
        MetricFamily(
            "phoneproof_message_delay_seconds",
            .histogram(bounds: patient),
            help: "How long messages waited from the request for them until a gateway had taken them."
        ),
        MetricFamily(
            "phoneproof_gateway_requests_total",
            .counter,
            labels: ["gateway", "outcome"],
            help: "Messages handed to gateways, by what they said."
        ),
        MetricFamily(
            "phoneproof_gateway_request_duration_seconds",
            .histogram(bounds: patient),
            labels: ["gateway"],
            help: "How long gateways took to answer."
        ),
        MetricFamily(
            "phoneproof_gateway_circuit_open",
            .gauge,
            labels: ["gateway"],
            help: "Whether a gateway is left alone because it fails (1), or not (0)."
        ),
        MetricFamily("phoneproof_outbox_messages", .gauge, help: "Messages that are owed."),
        MetricFamily(
            "phoneproof_outbox_oldest_seconds",
            .gauge,
            help: "How long the oldest message has been owed; 0 if none is."
        ),
    ]

    private static let webhooks = [
        MetricFamily(
            "phoneproof_webhook_requests_total",
            .counter,
            labels: ["event", "outcome"],
            help: "Events posted to the operator's receiver, by what it answered."
        ),
        MetricFamily(
            "phoneproof_webhook_request_duration_seconds",
            .histogram(bounds: patient),
            help: "How long the receiver of events took to answer."
        ),
    ]

    private static let store = [
        MetricFamily(
            "phoneproof_store_batch_duration_seconds",
            .histogram(bounds: quicker),
            labels: ["kind"],
            help: "How long transactions took."
        ),
        MetricFamily(
            "phoneproof_store_batch_operations",
            .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256]),
            labels: ["kind"],
            help: "How many operations shared a transaction."
        ),
        MetricFamily(
            "phoneproof_store_batch_failures_total",
            .counter,
            labels: ["kind"],
            help: "Transactions that were lost with all that was in them."
        ),
        MetricFamily(
            "phoneproof_store_unreadable_rows_total",
            .counter,
            labels: ["table"],
            help: "How often a row that cannot be read was passed over."
        ),
    ]

    private static let tracing = [
        MetricFamily("phoneproof_spans_exported_total", .counter, help: "Spans that the collector took."),
        MetricFamily(
            "phoneproof_spans_dropped_total",
            .counter,
            help: "Spans that were lost: too many waited, or the collector did not take them."
        ),
    ]

    private static let process = [
        MetricFamily(
            "phoneproof_build_info",
            .gauge,
            labels: ["version"],
            help: "Always 1; the label says what runs."
        ),
        MetricFamily("process_cpu_seconds_total", .counter, help: "Time that the process had a processor."),
        MetricFamily("process_resident_memory_bytes", .gauge, help: "Memory of the process that is in use."),
        MetricFamily("process_virtual_memory_bytes", .gauge, help: "Memory of the process, in use or not."),
        MetricFamily("process_open_fds", .gauge, help: "Open files and connections."),
        MetricFamily("process_max_fds", .gauge, help: "How many of them there may be."),
        MetricFamily("process_start_time_seconds", .gauge, help: "When the process was started, in Unix time."),
    ]
}
