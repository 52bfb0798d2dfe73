public import CoreMetrics
import Glibc

/// What the system says of this process (proc(5), https://man7.org/linux/man-pages/man5/proc.5.html), under the names
/// that Prometheus' own libraries give it.
public struct ProcessGauges: Sendable {
    private let cpu: Meter
    private let resident: Meter
    private let virtual: Meter
    private let openFiles: Meter
    private let maxFiles: Meter
    private let start: Meter

    /// - Parameters:
    ///   - factory: keeps the gauges.
    ///   - version: that of the program.
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

    /// Brings the gauges up to date; what the system does not say is left as it was.
    public func refresh() {
        readStatus()
        if let count = Self.openFileCount() { openFiles.set(count) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { maxFiles.set(Double(limit.rlim_cur)) }
    }

    private func readStatus() {
        // The second field is the program's name in parentheses, which may have both white space and parentheses in it.
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

    /// In seconds of Unix time.
    private static func bootTime() -> Double? {
        guard let text = contents(of: "/proc/stat"),
            let line = text.split(separator: "\n").first(where: {
                $0.hasPrefix("btime ")
            })
        else { return nil }
        return Double(line.dropFirst(6))
    }

    private static func openFileCount() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The folder itself, the one above it, and the descriptor by which it is read.
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
