import Glibc
package import Logging
package import NIOCore
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
package import SMSStub
package import ServiceLifecycle
import Synchronization
import UnixSignals

/// Runs services until one fails or a signal stops the process. They stop in reverse order: the server first, so that
/// nothing new comes in while the others finish. A second signal ends the process at once.
package func runServices(_ services: [any Service], logger: Logger, at address: String) async throws {
    var configuration = ServiceGroupConfiguration(
        services: [ProcessEnd(logger: logger)] + services + [NotifyingService()],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
    )
    // Shorter than the time until a container is killed: Docker kills after 10 seconds, Kubernetes after 30.
    configuration.maximumGracefulShutdownDuration = ProcessEnd.shutdownTimeout
    do {
        try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
        throw Failure.cannotListen(on: address, error, choose: "--host and --port")
    }
}

extension Failure {
    package static func cannotListen(on address: String, _ error: IOError, choose settings: String) -> Failure {
        let reason = String(cString: strerror(error.errnoCode))
        return .unreachable("cannot listen on \(address): \(reason); choose another address with \(settings)")
    }
}

/// Work that is cancelled when the program shuts down.
package struct BackgroundService: Service {
    package let work: @Sendable () async -> Void

    package func run() async { await cancelWhenGracefulShutdown { await work() } }
}

/// Ends the process on the second signal, and in any case when the services have not ended in time.
///
/// Nothing is lost by that: what was acknowledged is stored. It is the first of all services, so that it is the last to
/// stop, and what it begins goes on when the others are stopped by force.
package struct ProcessEnd: Service {
    /// The time from the first signal to the end of the process: later than ``shutdownTimeout``, and before Docker
    /// kills it.
    package static let deadline: Duration = .milliseconds(9500)
    /// How long the services have to end by themselves.
    package static let shutdownTimeout: Duration = .seconds(8)

    package let logger: Logger

    package func run() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task.detached { [logger] in
            var count = 0
            for await signal in signals {
                count += 1
                // The exit code that a shell has for a process that a signal ended.
                if count == 2 { _exit(128 + signal.rawValue) }
                Task.detached {
                    try? await Task.sleep(for: Self.deadline)
                    logger.warning("shutdown timed out; exiting")
                    _exit(0)
                }
            }
        }
        try? await gracefulShutdown()
    }
}

/// Calls `report` on the first signal and ends the process with the exit code that a shell has for one that a signal
/// ended. It waits for nothing: the database rolls back an open transaction.
///
/// - Returns: the watch, to be cancelled when the work is done.
package func onInterruption(_ report: @escaping @Sendable () -> Void) async -> Task<Void, Never> {
    // Before anything that may be interrupted begins.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return Task {
        for await signal in signals {
            report()
            _exit(128 + signal.rawValue)
        }
    }
}

/// Posts the status callbacks of messages in the SMS stub.
package struct StubService: Service {
    package let stub: SMSStub
    package let logger: Logger

    package func run() async {
        let callbacks = StubCallbacks(authenticator: OpenSSLRequestAuthenticator(), logger: logger)
        await cancelWhenGracefulShutdown { await callbacks.run(stub.calledBack) }
    }
}

/// Prints what the SMS stub gets, codes and all, for a developer who tries the service out in a terminal. It is no log:
/// no file and no collector of logs gets it.
struct StubDisplay: Service {
    private static let mostAtOnce = 50

    let stub: SMSStub

    func run() async {
        await cancelWhenGracefulShutdown {
            var last = 0
            // Each list of updates ends after a minute.
            while !Task.isCancelled, let updates = await stub.updates() {
                for await _ in updates {
                    let messages = await stub.messages(to: nil, limit: Self.mostAtOnce).filter { $0.serial > last }
                    for message in messages.reversed() {
                        // WhatsApp's and KakaoTalk's have a prefix.
                        let number = message.to.split(separator: ":").last.flatMap {
                            try? PhoneNumber(e164: String($0))
                        }
                        print("SMS stub │ \(number?.masked ?? "…"): \(message.body.replacing("\n", with: " "))")
                        last = message.serial
                    }
                    fflush(nil)
                }
            }
        }
    }
}

/// Reads or writes again and again what instances and operators share.
package struct RefreshService: Service {
    let interval: Duration
    var isFirstAtOnce = false
    /// What it means that the work failed, for the log.
    let failure: String
    let work: @Sendable () async throws -> Void
    let logger: Logger

    /// How often signing keys are read: often, since one may have been stolen.
    package static let keyInterval: Duration = .seconds(10)

    package func run() async {
        await cancelWhenGracefulShutdown {
            var (isFailing, wait) = (false, isFirstAtOnce ? .zero : interval)
            while (try? await Task.sleep(for: wait)) != nil {
                wait = interval
                do {
                    try await work()
                    isFailing = false
                } catch is CancellationError {
                    return
                } catch {
                    // Logged once, since it is tried often.
                    if !isFailing { logger.error("\(failure)", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
            }
        }
    }
}

/// Keeps this instance on the list of those that run, which takes it off when it stops. That the database cannot be
/// written is no reason to stop.
struct InstanceService: Service {
    let instance: Instance
    let findings: @Sendable () -> [Finding]
    let store: any AdministrationStore
    let logger: Logger

    func run() async {
        let last = Mutex<(at: ContinuousClock.Instant, findings: [Finding])?>(nil)
        await RefreshService(
            interval: Instance.lookInterval,
            isFirstAtOnce: true,
            failure: "this instance could not be put on the list of those that run",
            work: { [instance, findings, store] in
                var instance = instance
                instance.findings = Array(findings().prefix(20))
                // What is as it was is written seldom, since each write costs a flush.
                let isKnown = last.withLock { last in
                    last.map { $0.findings == instance.findings && .now - $0.at < Instance.interval } ?? false
                }
                if isKnown { return }
                try await (store as? PostgreSQLStore)?.compareClocks()
                try await store.record(instance)
                last.withLock { [findings = instance.findings] in $0 = (.now, findings) }
            },
            logger: logger
        ).run()
        try? await store.remove(instance.id)
    }
}

extension Instance {
    /// What operators know a process by: the name of its machine, and its number there.
    init(_ identifiers: any IdentifierSource, version: String, at now: Timestamp) throws {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        self.init(
            id: try identifiers.makeIdentifier(),
            host: String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
            process: Int(getpid()),
            version: version,
            startedAt: now,
            seenAt: now
        )
    }
}

/// - Parameter hints: what to open and type next, given the URL.
/// - Returns: a closure that prints the line that a server takes requests, given its port, and notifies the service
///   manager.
package func announceReady(
    host: String,
    isSecure: Bool,
    hints: @escaping @Sendable (_ url: String) -> [String] = { _ in [] }
) -> @Sendable (Int) -> Void {
    { port in
        let url = "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        print("PhoneProof is ready at \(url)")
        for hint in hints(url) { print("  " + hint) }
        // A program that waits for the line reads it from a pipe, which is not flushed at a line's end.
        fflush(nil)
        ServiceManager.notify("READY=1\nSTATUS=Serving at \(url)")
    }
}

/// How many files, connections included, this process may have open at a time.
package enum OpenFiles {
    /// File descriptors for everything but connections from outside: the database, gateways, the log.
    private static let reserve = 128

    /// How many connections from outside ``raiseLimit()`` would leave room for.
    package static var attainableConnections: Int { connections(besides: limit?.rlim_max) }

    /// Raises the limit as far as the system allows, since the usual one of shells, 1024, is for programs that use
    /// select(2) (https://0pointer.net/blog/file-descriptor-limits.html).
    ///
    /// - Returns: how many connections from outside that leaves room for, at least one.
    package static func raiseLimit() -> Int {
        if var limit {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(resource, &limit)
        }
        return connections(besides: limit?.rlim_cur)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Nil if the system does not say.
    private static var limit: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    private static func connections(besides files: rlim_t?) -> Int { max(1, Int(clamping: files ?? 1024) - reserve) }
}
