import AsyncHTTPClient
import CoreEncodings
import Glibc
import NIOCore
import NIOHTTP1
import OpenSSLCrypto
package import PhoneAdministration
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
package import PhoneSignup
import PhoneStore

/// Checks a service and its machine as they are now.
package struct Doctor {
    package private(set) var findings: [Finding] = []
    private let settings: Settings
    private let now: Timestamp

    package init(_ settings: Settings, at now: Timestamp) {
        (self.settings, self.now) = (settings, now)
    }

    package mutating func examine() async {
        let machine = MachineCheck(settings, at: now)
        // Why one cannot be read is among the settings.
        let isReadable = (try? settings.server.tls?.files.load()) != nil
        let certificate = isReadable ? machine.certificate : nil
        checkSettings(without: certificate)
        checkClock()
        if let disk = machine.disk { findings.append(disk) }
        checkFlush()
        checkOpenFiles()
        checkKeys()
        if let certificate { findings.append(certificate) }
        await checkDatabase()
        await checkPeers()
    }

    private mutating func add(
        _ subject: String,
        _ verdict: Finding.Verdict,
        _ text: String,
        advice: String? = nil
    ) { findings.append(Finding(subject, verdict, text, advice: advice)) }

    // MARK: - Settings

    /// - Parameter finding: what is reported of the certificate anyway.
    private mutating func checkSettings(without finding: Finding?) {
        let doubts = ConfigurationCheck(settings, at: now).findings.filter { doubt in
            let isReported = finding.map { $0.verdict != .fine && doubt.text.hasPrefix($0.text) } ?? false
            return doubt.verdict != .fine && !isReported
        }
        let fine = Finding("settings", settings.file ?? "no file; defaults and the environment")
        findings += doubts.isEmpty ? [fine] : doubts
    }

    // MARK: - Machine

    private mutating func checkClock() {
        guard let clock = KernelClock() else {
            return add("clock", .doubtful, "the kernel does not say whether it is synchronized")
        }
        let advice = "codes, tokens and limits depend on the clock: run chrony or systemd-timesyncd"
        if clock.isSynchronized {
            add("clock", .fine, "\(now), synchronized, off by at most \(clock.largestError.wholeMilliseconds) ms")
        } else {
            add("clock", .doubtful, "\(now), and nothing keeps it synchronized", advice: advice)
        }
    }

    private mutating func checkFlush() {
        guard case .file(let link) = settings.database.place else { return }
        let folder = DataFolder(of: SQLiteStore.file(at: link))
        guard let times = folder.flushTimes() else {
            return add(
                "flush",
                .failed,
                "\(folder.path) cannot be written",
                advice: "check its permissions and free space"
            )
        }
        let (median, worst) = (times[times.count / 2], times[times.count - 1])
        let rate = Int(1 / max(median / .seconds(1), 0.000_001))
        let text =
            "\(median.shortMilliseconds) ms, at most \(worst.shortMilliseconds) ms (\(times.count) tries): \(rate) commits a "
            + "second one after another, and requests that come together share one"
        let isSlow = median > .milliseconds(10) && settings.database.isDurable
        add(
            "flush",
            isSlow ? .doubtful : .fine,
            text,
            advice: isSlow ? "use a disk that is faster to flush; every request that writes waits for it" : nil
        )
    }

    private mutating func checkOpenFiles() {
        let (wanted, room) = (settings.server.limits.maxConnections, OpenFiles.attainableConnections)
        guard room < wanted else {
            return add("open files", .fine, "room for \(wanted) connections (server.max_connections)")
        }
        add(
            "open files",
            .doubtful,
            "room for \(room) connections, where server.max_connections is \(wanted)",
            advice: "raise LimitNOFILE of the unit, or `ulimit -Hn`, or lower the setting"
        )
    }

    private mutating func checkKeys() {
        guard let path = try? settings.keyPath() else { return }
        var keys = stat()
        guard stat(path, &keys) == 0 else {
            return add("keys", .fine, "none at \(path) yet; the first start creates them")
        }
        // Why they cannot be read is among the settings.
        guard let facts = settings.keyFileFacts else { return }
        var database = stat()
        if case .file(let link) = settings.database.place, stat(link, &database) == 0, database.st_uid != keys.st_uid {
            return add(
                "keys",
                .failed,
                "\(path) belongs to user \(keys.st_uid), and the database to user \(database.st_uid)",
                advice: "chown \(database.st_uid) \(path)"
            )
        }
        let count = counted(facts.keys, "key")
        let changed = "last changed on \(facts.changedAt.description.prefix(10))"
        add("keys", .fine, "\(path), \(count), \(changed), only user \(keys.st_uid) can read it")
    }

    // MARK: - Database

    private mutating func checkDatabase() async {
        let place = settings.database.place
        do {
            switch place {
            case .memory: return add("database", .fine, "in memory")
            case .file(let path) where access(path, F_OK) != 0:
                guard settings.database.migratesAtStart else {
                    return add("database", .failed, "none at \(path) yet", advice: "run `phoneproof migrate`")
                }
                return add("database", .fine, "none at \(path) yet; the first start creates it")
            case .file(let path):
                // This comes before this process has it open.
                let process = SQLiteStore.process(usingDatabaseAt: path)
                add("server", .fine, process.map { "process \($0) has \(path) open" } ?? "none has \(path) open")
            case .postgresql(let url):
                let count = try PostgreSQLStore.sessionCount(url: url, timeout: settings.database.busyTimeout)
                add(
                    "server",
                    .fine,
                    "\(counted(count, "connection")) of instances, \(PostgreSQLStore.connectionCount) each"
                )
            }
            let store = try settings.existingStore()
            try await (store as? PostgreSQLStore)?.connect()
            try await store.ping()
            add("database", .fine, "\(place) is at the current schema, and can be read")
            let instances = try await store.instances().map {
                "\($0.host) process \($0.process), \($0.version), since \($0.startedAt)"
            }
            if !instances.isEmpty { add("instances", .fine, instances.joined(separator: "; ")) }
            // What this process finds of its machine is above.
            let known = Set(findings.compactMap(\.kind))
            let found = try await settings.administration(over: store).findings()
            findings += found.filter { $0.kind.map { !known.contains($0) } ?? true }
        } catch SQLiteStoreError.olderSchema, PostgreSQLStoreError.olderSchema {
            add(
                "database",
                settings.database.migratesAtStart ? .doubtful : .failed,
                "\(place) is of an older schema",
                advice: "run `phoneproof backup`, then `migrate`"
            )
        } catch {
            add("database", .failed, (error as? Failure ?? .store(error))?.line ?? "\(error)")
        }
    }

    // MARK: - Others

    /// Gateways, and the receiver of webhooks.
    private mutating func checkPeers() async {
        var peers = settings.sms.gateways.compactMap { gateway in
            settings.sms.vendors[gateway].map { (name: gateway.description, address: $0.address) }
        }
        if let webhooks = settings.webhooks { peers.append((name: "webhooks", address: webhooks.endpoint)) }
        for peer in peers {
            let finding = await Self.reach(peer.address, as: peer.name)
            // One line of each. That it answers is no good news where it refuses all that it is asked.
            guard let index = findings.firstIndex(where: { $0.subject == peer.name && $0.kind != nil }) else {
                findings.append(finding)
                continue
            }
            let known = findings[index]
            findings[index] = Finding(
                known.subject,
                known.verdict,
                known.text,
                kind: known.kind,
                advice: "from here, \(finding.text)" + (known.advice.map { "; \($0)" } ?? ""),
                since: known.since
            )
        }
    }

    /// Looks the name up, connects, and asks for nothing: `HEAD /`, to which any response will do.
    private static func reach(_ address: EndpointURL, as name: String) async -> Finding {
        let host = address.host.filter { $0 != "[" && $0 != "]" }
        guard let isFound = await withTimeout(.seconds(5), on: ContinuousClock(), { Self.finds(host) }) else {
            return Finding(name, .failed, "no name server answers for \(host)", advice: "check /etc/resolv.conf")
        }
        guard isFound else {
            return Finding(
                name,
                .failed,
                "there is no host \(host)",
                advice: "correct the address, or check the name servers"
            )
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing(.seconds(5)))
        var request = HTTPClientRequest(url: address.origin + "/")
        request.method = .HEAD
        let start = ContinuousClock.now
        let finding: Finding
        do {
            _ = try await client.execute(request, timeout: .seconds(10))
            let took = (ContinuousClock.now - start).wholeMilliseconds
            finding = Finding(
                name,
                .fine,
                "\(address.origin) answers in \(took) ms\(address.isPlain ? "" : ", by TLS")"
            )
        } catch {
            finding = Finding(
                name,
                .failed,
                "\(address.origin) cannot be reached: \(GatewayClient.cause(of: error)?.description ?? "\(error)")",
                advice: "check the firewall, and that its certificate is trusted here"
            )
        }
        try? await client.shutdown()
        return finding
    }

    /// Waits for the name servers.
    private static func finds(_ host: String) -> Bool {
        var list: UnsafeMutablePointer<addrinfo>?
        defer { if let list { freeaddrinfo(list) } }
        return getaddrinfo(host, nil, nil, &list) == 0
    }
}

extension Duration {
    fileprivate var shortMilliseconds: String {
        let hundredths = Int64((self / .microseconds(10)).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
