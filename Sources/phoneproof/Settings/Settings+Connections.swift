import PhoneHTTP

extension Settings {
    /// What one who connects may use up.
    static func connectionLimits(_ reader: inout SettingsReader) throws(SettingsError) -> ConnectionLimits {
        var limits = ConnectionLimits()
        func timeout(
            _ name: String,
            _ standard: Duration,
            atMost most: Int = 300
        ) throws(SettingsError) -> Duration {
            try reader.seconds("server.\(name)_timeout_seconds", default: standard, in: 1...most)
        }
        func most(_ name: String, _ standard: Int, in range: ClosedRange<Int>) throws(SettingsError) -> Int {
            try reader.integer("server.\(name)", default: standard, in: range)
        }
        limits.firstByteTimeout = try timeout("first_byte", limits.firstByteTimeout)
        limits.headerTimeout = try timeout("header", limits.headerTimeout)
        limits.bodyTimeout = try timeout("body", limits.bodyTimeout)
        limits.writeTimeout = try timeout("write", limits.writeTimeout)
        limits.idleTimeout = try timeout("idle", limits.idleTimeout, atMost: 3600)
        limits.maxConnections = try most("max_connections", limits.maxConnections, in: 1...1_000_000)
        limits.maxConnectionsPerAddress = try most(
            "max_connections_per_address",
            limits.maxConnectionsPerAddress,
            in: 1...1_000_000
        )
        limits.maxHeaderBytes = try most("max_header_bytes", limits.maxHeaderBytes, in: 1024...1_048_576)
        limits.maxBodyBytes = try most("max_body_bytes", limits.maxBodyBytes, in: 1024...16_777_216)
        limits.maxPipelinedRequests = try most("max_pipelined_requests", limits.maxPipelinedRequests, in: 1...1000)
        limits.maxStreams = try most("http2.max_streams", limits.maxStreams, in: 1...10_000)
        limits.maxOpenStreams = try most("http2.max_open_streams", limits.maxOpenStreams, in: 1...1_000_000)
        limits.maxStreamResets = try most("http2.max_stream_resets", limits.maxStreamResets, in: 1...100_000)
        return limits
    }
}
