import PhoneDelivery

extension ConfigurationCheck {
    /// What the service tells of itself, and to whom.
    mutating func checkObservability(_ settings: Settings) {
        let observability = settings.observability
        if !observability.measures {
            add("metrics", "none")
        } else if let listener = observability.listener {
            let isLocal = Settings.isLoopback(listener.host)
            add(
                "metrics",
                "http://\(listener.host):\(listener.port)/metrics (\(isLocal ? "this machine only" : "other machines too"))"
            )
            if !isLocal {
                warn(
                    "whoever can reach \(listener.host):\(listener.port) reads how much goes on here, without a key "
                        + "(metrics.host)"
                )
            }
        } else {
            add("metrics", "/metrics, for programs on this machine and for keys with the scope admin")
        }
        guard let collector = observability.collector else { return }
        let names = collector.headers.map(\.name)
        add(
            "tracing",
            "\(observability.sampleRatio) of all traces to \(collector.url)"
                + (names.isEmpty ? "" : ", with \(names.joined(separator: ", "))")
        )
        if collector.url.isPlain, !Settings.isLoopback(collector.url.host) {
            let what = names.isEmpty ? "spans" : "spans and \(names.joined(separator: ", "))"
            warn("\(what) can be read on their way to \(collector.url) (tracing.otlp_endpoint)")
        }
    }
}
