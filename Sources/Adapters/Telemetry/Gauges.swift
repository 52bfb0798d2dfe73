public import CoreMetrics
import Glibc
public import PhoneAdministration
public import PhoneDomain
import PhoneSignup
import Synchronization

/// Numbers that are read from the store: the size of the outbox, the share of messages that leads to an approval, and
/// what operators are shown as wrong.
///
/// They are read on each scrape. If the store is slow, the previous numbers are shown until they are too old.
public final class StoreGauges: Sendable {
    private struct State {
        var isReading = false
        var readAt: Timestamp?
    }

    private let backlog: @Sendable () async throws -> OutboxBacklog
    private let traffic: @Sendable () async throws -> Traffic
    private let findings: @Sendable () async throws -> [Finding]
    private let clock: any WallClock
    private let timeout: Duration
    private let maxAge: Duration
    private let depth: Meter
    private let age: Meter
    private let lastHour: Meter
    private let lastDay: Meter
    private let found: [Finding.Kind: Meter]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - timeout: how long a scrape waits for the store.
    ///   - maxAge: how long old numbers are shown.
    public init(
        metrics factory: any MetricsFactory,
        clock: any WallClock,
        timeout: Duration = .milliseconds(250),
        maxAge: Duration = .seconds(60),
        backlog: @escaping @Sendable () async throws -> OutboxBacklog,
        traffic: @escaping @Sendable () async throws -> Traffic,
        findings: @escaping @Sendable () async throws -> [Finding]
    ) {
        (self.backlog, self.traffic, self.findings, self.clock) = (backlog, traffic, findings, clock)
        (self.timeout, self.maxAge) = (timeout, maxAge)
        depth = Meter(label: "phoneproof_outbox_messages", factory: factory)
        age = Meter(label: "phoneproof_outbox_oldest_seconds", factory: factory)
        func conversion(_ window: String) -> Meter {
            Meter(label: "phoneproof_conversion_ratio", dimensions: [("window", window)], factory: factory)
        }
        lastHour = conversion("1h")
        lastDay = conversion("24h")
        found = Finding.Kind.allCases.reduce(into: [:]) { meters, kind in
            let label = [("finding", kind.rawValue)]
            meters[kind] = Meter(label: "phoneproof_finding", dimensions: label, factory: factory)
        }
    }

    /// Updates the gauges, or sets them to NaN if the last numbers are too old.
    public func refresh() async {
        let isMine = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        // One at a time: queries must not pile up while the store hangs.
        // In a task of its own, which goes on: what it reads late is shown at the next scrape.
        if isMine { _ = await withTimeout(timeout, on: ContinuousClock()) { await Task { await self.read() }.value } }
        let now = clock.now()
        let isOld = state.withLock { state in state.readAt.map { now - $0 > maxAge } ?? true }
        if isOld { for gauge in [depth, age, lastHour, lastDay] + found.values { gauge.set(Double.nan) } }
    }

    private func read() async {
        let reading: (backlog: OutboxBacklog, traffic: Traffic, findings: [Finding])?
        do {
            reading = (try await backlog(), try await traffic(), try await findings())
        } catch {
            // The store's own metrics count it.
            reading = nil
        }
        let now = clock.now()
        if let reading {
            depth.set(reading.backlog.count)
            age.set(reading.backlog.oldest.map { Double(max(0, (now - $0).wholeMilliseconds)) / 1000 } ?? 0)
            lastHour.set(reading.traffic.lastHour(at: now).ratio)
            lastDay.set(reading.traffic.lastDay(at: now).ratio)
            for (kind, meter) in found {
                let verdicts = reading.findings.filter { $0.kind == kind }.map(\.verdict)
                meter.set(verdicts.contains(.failed) ? 2 : verdicts.isEmpty ? 0 : 1)
            }
        }
        state.withLock { state in
            state.isReading = false
            if reading != nil { state.readAt = now }
        }
    }
}

extension Traffic.Sample {
    fileprivate var ratio: Double { sent > 0 ? Double(approved) / Double(sent) : .nan }
}

/// The process's resources (proc(5), https://man7.org/linux/man-pages/man5/proc.5.html), under the names that
/// Prometheus' own libraries use.
public struct ProcessGauges: Sendable {
    private let cpu: Meter
    private let resident: Meter
    private let virtual: Meter
    private let openFiles: Meter
    private let maxFiles: Meter
    private let start: Meter

    public init(_ factory: any MetricsFactory, version: String) {
        func meter(_ label: String) -> Meter { Meter(label: label, factory: factory) }
        cpu = meter("process_cpu_seconds_total")
        resident = meter("process_resident_memory_bytes")
        virtual = meter("process_virtual_memory_bytes")
        openFiles = meter("process_open_fds")
        maxFiles = meter("process_max_fds")
        start = meter("process_start_time_seconds")
        Meter(label: "phoneproof_build_info", dimensions: [("version", version)], factory: factory).set(1)
    }

    /// Updates the gauges. Those that cannot be read stay as they are.
    public func refresh() {
        readStatus()
        if let count = Self.openFileCount() { openFiles.set(count) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { maxFiles.set(Double(limit.rlim_cur)) }
    }

    private func readStatus() {
        // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
        guard let text = Self.contents(of: "/proc/self/stat"), let end = text.lastIndex(of: ")") else { return }
        let fields = text[text.index(after: end)...].split(separator: " ")
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        // Counted from the third field on.
        guard fields.count > 21, ticks > 0, let user = Double(fields[11]), let system = Double(fields[12]),
            let startTicks = Double(fields[19]), let bytes = Double(fields[20]), let pages = Double(fields[21])
        else { return }
        cpu.set((user + system) / ticks)
        virtual.set(bytes)
        resident.set(pages * Double(sysconf(Int32(_SC_PAGESIZE))))
        if let boot = Self.bootTime() { start.set(boot + startTicks / ticks) }
    }

    /// When the machine started, in seconds of Unix time.
    private static func bootTime() -> Double? {
        contents(of: "/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
            .flatMap { Double($0.dropFirst(6)) }
    }

    private static func openFileCount() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the directory itself.
        return max(0, count - 3)
    }

    private static func contents(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk.prefix(count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
