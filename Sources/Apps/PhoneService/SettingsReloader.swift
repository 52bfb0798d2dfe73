import CoreMetrics
import Glibc
import Logging
import PhoneAccounts
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import Synchronization
import Telemetry

/// The core of a service with the settings that are in force. A request keeps those that it began with.
final class CoreInForce: Sendable {
    private let core: Mutex<ServiceCore>

    init(_ core: ServiceCore) { self.core = Mutex(core) }

    var current: ServiceCore { core.withLock { $0 } }

    func replace(by new: ServiceCore) { core.withLock { $0 = new } }
}

/// Reads the settings again while the service runs: on SIGHUP, and when an operator asks for it by the API.
///
/// All of them are checked before any is used, as `check-config` does. The routes are then made anew over the same
/// store, keys and dispatcher, and replace those of before at once.
actor SettingsReloader {
    static let metric = "phoneproof_settings_reloads_total"
    static let results = ["loaded", "refused"]

    private let load: @Sendable () throws -> Settings
    private let threshold: LogThreshold?
    private let logger: Logger
    private var inForce: CoreInForce?
    private var observation: Observation?
    private var use: @Sendable (ServiceCore) -> Void = { _ in }
    /// The last one, for which the next one waits.
    private var last: Task<SettingsReload, any Error>?

    init(_ load: @escaping @Sendable () throws -> Settings, _ threshold: LogThreshold?, logger: Logger) {
        (self.load, self.threshold, self.logger) = (load, threshold, logger)
    }

    /// - Parameter use: has everything follow the settings of a core.
    func begin(with inForce: CoreInForce, _ observation: Observation, use: @escaping @Sendable (ServiceCore) -> Void) {
        (self.inForce, self.observation, self.use) = (inForce, observation, use)
    }

    /// - Parameter author: nil for a signal, which leaves no entry on the audit log.
    /// - Throws: ``AdministrationFailure`` with all that is wrong with the settings; those of before stay in force. What
    ///   the store throws.
    func reload(by author: Operator? = nil) async throws -> SettingsReload {
        let task = Task { [last] in
            _ = await last?.result
            return try await reloadNow(by: author)
        }
        last = task
        return try await task.value
    }

    private func reloadNow(by author: Operator?) async throws -> SettingsReload {
        guard let inForce else { throw AdministrationFailure.conflict("the service has not started yet") }
        ServiceManager.notifyReloading()
        defer { ServiceManager.notify("READY=1") }
        let running = inForce.current
        let (core, reload): (ServiceCore, SettingsReload)
        do {
            (core, reload) = try read(running)
        } catch {
            count("refused")
            let lines = (error as? Failure)?.lines ?? (error as? SettingsError)?.lines ?? ["\(error)"]
            for line in lines { logger.error("the settings are as before, since the new ones are invalid: \(line)") }
            throw AdministrationFailure.conflict(
                "the settings are as before, since the new ones are invalid: \(lines.joined(separator: "; "))"
            )
        }
        if let author {
            let subject = (reload.changed + reload.needingRestart.map { "\($0) (needs a restart)" })
            let text = subject.isEmpty ? "nothing changed" : subject.joined(separator: ", ")
            try await running.store.record(
                author.entry(.reloadSettings, String(text.prefix(500)), at: running.clock.now()),
                within: .none
            )
        }
        inForce.replace(by: core)
        use(core)
        count("loaded")
        // By the level of before or that of now, whichever logs more.
        threshold?.set(min(running.settings.logLevel, core.settings.logLevel))
        logger.notice("the settings were loaded", metadata: ["changed": "\(reload.changed.joined(separator: ", "))"])
        for key in reload.needingRestart { logger.warning("\(key) changed: needs a restart") }
        threshold?.set(core.settings.logLevel)
        return reload
    }

    private func read(_ running: ServiceCore) throws -> (ServiceCore, SettingsReload) {
        let new = try load()
        let (settings, reload) = try new.taken(by: running.settings)
        for settings in reload.needingRestart.isEmpty ? [new] : [new, settings] {
            let check = ConfigurationCheck(settings, at: SystemWallClock().now())
            let errors = check.findings.filter { $0.verdict == .failed }
            if !errors.isEmpty { throw Failure(status: .configuration, lines: errors.map(\.text)) }
        }
        return (try running.reloaded(with: settings), reload)
    }

    private func count(_ result: String) {
        let metrics = observation?.metrics ?? NOOPMetricsHandler.instance
        Counter(label: Self.metric, dimensions: [("result", result)], factory: metrics).increment()
    }
}
