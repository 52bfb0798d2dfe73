package import Glibc
package import Logging
package import PhoneDomain
package import PhoneHTTP
package import PhoneSignup
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// Whether others than its owner and its group can read a file or folder, or others than its owner can change it. A
/// secret that is mounted into a container is often readable by all, so this is a reason to warn, not to refuse.
///
/// - Parameter permissions: the bits that are too many.
package func isExposed(_ path: String, by permissions: mode_t = 0o026) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & permissions != 0
}

/// Reads the certificate's files again at an interval, and at once on SIGHUP, which programs that renew certificates
/// send. Uses a new certificate when they have a valid one, and logs it; else the current one stays.
package actor CertificateService: Service {
    package nonisolated let identity: TLSIdentityInUse
    private let files: TLSFiles
    private let clock: any WallClock
    private let logger: Logger
    private let signals: UnixSignalsSequence
    /// Two small files are read that often: a certificate is renewed weeks before it ends, so nobody waits for it.
    private static let interval: Duration = .seconds(10)
    /// What was in the files last; nil if they could not be read. A problem is logged once until they change.
    private var seen: TLSFiles.Contents?

    /// Handles SIGHUP from here on, which would end the process.
    package init(_ files: TLSFiles, clock: any WallClock, logger: Logger) async throws(SettingsError) {
        let (identity, contents) = try files.load()
        if let doubt = identity.doubt(at: clock.now()) { logger.warning("\(doubt)") }
        if isExposed(files.key) {
            logger.warning("other users of this machine can access the certificate's key; chmod 600 it")
        }
        self.identity = TLSIdentityInUse(identity)
        (self.files, self.clock, self.logger, seen) = (files, clock, logger, contents)
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    for await _ in self.signals { await self.reload(isForced: true) }
                }
                group.addTask {
                    while (try? await Task.sleep(for: Self.interval)) != nil { await self.reload() }
                }
            }
        }
    }

    /// - Parameter isForced: whether to read and log even if nothing has changed.
    private func reload(isForced: Bool = false) {
        do {
            let wasReadable = seen != nil
            let contents: TLSFiles.Contents
            do {
                contents = try files.read()
            } catch {
                seen = nil
                if wasReadable || isForced { throw error }
                return
            }
            guard contents != seen || isForced else { return }
            seen = contents
            let new = try files.identity(contents)
            let doubt = new.doubt(at: clock.now())
            // One that clients refuse is no better than the one that they take.
            if let doubt, identity.current.doubt(at: clock.now()) == nil { throw SettingsError(doubt) }
            identity.replace(by: new)
            logger.notice(
                "loaded the certificate; new connections use it",
                metadata: ["tls.serial": .string(new.serialNumber), "tls.until": .string(new.validUntil.description)]
            )
            if let doubt { logger.warning("\(doubt)") }
        } catch {
            logger.error(
                "the new certificate is invalid; still using the previous one",
                metadata: ["error": "\(error)"]
            )
        }
    }
}

/// Answers SIGHUP, which would end the process.
struct HangupService: Service {
    private let signals: UnixSignalsSequence
    private let answer: @Sendable () async -> Void

    /// Handles SIGHUP from here on.
    init(_ answer: @escaping @Sendable () async -> Void = {}) async {
        self.answer = answer
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async {
        await cancelWhenGracefulShutdown { for await _ in signals { await answer() } }
    }
}

extension TLSIdentity {
    /// Why clients refuse the certificate now, by its dates; nil if they do not.
    package func doubt(at now: Timestamp) -> String? {
        if now >= validUntil { return "the certificate expired at \(validUntil); clients refuse it" }
        if now < validFrom { return "the certificate is not valid before \(validFrom); clients refuse it until then" }
        return nil
    }
}
