import Glibc
import Logging
import PhoneDomain
import PhoneHTTP
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// Whether others than its owner and its group can read a file or folder, or others than its owner can change it. A
/// secret that is mounted into a container is often readable by all, so this is a reason to warn, not to refuse.
///
/// - Parameter permissions: the bits that are too many.
func isExposed(_ path: String, by permissions: mode_t = 0o026) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & permissions != 0
}

struct TLSFiles {
    /// The path of the certificate and, behind it, its chain, in PEM.
    let certificate: String
    let key: String
    /// What errors call them: the settings or flags that they come from.
    var names = (certificate: "server.tls.certificate_file", key: "server.tls.key_file")

    /// - Returns: the certificate and key, and the bytes that they were read from, to find changes.
    /// - Throws: ``SettingsError`` that names the invalid file.
    func load() throws(SettingsError) -> (identity: TLSIdentity, contents: Contents) {
        let contents = try read()
        return (try identity(contents), contents)
    }

    struct Contents: Equatable {
        fileprivate let certificate: [UInt8]
        fileprivate let key: [UInt8]
    }

    /// The bytes of the files, valid or not.
    func read() throws(SettingsError) -> Contents {
        Contents(certificate: try Self.read(certificate, names.certificate), key: try Self.read(key, names.key))
    }

    func identity(_ contents: Contents) throws(SettingsError) -> TLSIdentity {
        do throws(TLSIdentityError) {
            return try TLSIdentity(certificateChain: contents.certificate, privateKey: contents.key)
        } catch {
            throw switch error {
            case .noCertificate:
                SettingsError(
                    "\(names.certificate): \(certificate) contains no readable certificate; it must be PEM, with the "
                        + "service's own certificate first, followed by its chain"
                )
            case .noKey:
                SettingsError("\(names.key): \(key) contains no readable key; it must be PEM and not encrypted")
            case .mismatch:
                SettingsError(
                    "\(names.key): the key in \(key) does not match the first certificate in \(certificate); name "
                        + "a matching pair"
                )
            }
        }
    }

    /// The most bytes of a file that are read; more than any chain has.
    private static let maxSize = 1_048_576

    private static func read(_ path: String, _ name: String) throws(SettingsError) -> [UInt8] {
        var status = stat()
        // Reading a pipe could wait for ever, and the end of the service with it.
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maxSize else {
                throw SettingsError("\(name): \(path) is not a regular file of at most 1 MB; name a PEM file")
            }
        }
        do {
            return try FilePath(path).contents()
        } catch {
            throw SettingsError("\(name): cannot read \(path): \(error); name a file that can be read")
        }
    }
}

/// Reads the certificate's files again at an interval, and at once on SIGHUP, which programs that renew certificates
/// send. Uses a new certificate when they have a valid one, and logs it; else the current one stays.
actor CertificateService: Service {
    nonisolated let identity: TLSIdentityInUse
    private let settings: Settings.TLS
    private let clock: any WallClock
    private let logger: Logger
    private let signals: UnixSignalsSequence
    /// What was in the files last; nil if they could not be read. A problem is logged once until they change.
    private var seen: TLSFiles.Contents?

    /// Handles SIGHUP from here on, which would end the process.
    init(_ settings: Settings.TLS, clock: any WallClock, logger: Logger) async throws(SettingsError) {
        let (identity, contents) = try settings.files.load()
        if let doubt = identity.doubt(at: clock.now()) { logger.warning("\(doubt)") }
        if isExposed(settings.files.key) {
            logger.warning("other users of this machine can access the certificate's key; chmod 600 it")
        }
        self.identity = TLSIdentityInUse(identity)
        (self.settings, self.clock, self.logger, seen) = (settings, clock, logger, contents)
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    for await _ in self.signals { await self.reload(isForced: true) }
                }
                group.addTask {
                    while (try? await Task.sleep(for: self.settings.reloadInterval)) != nil { await self.reload() }
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
                contents = try settings.files.read()
            } catch {
                seen = nil
                if wasReadable || isForced { throw error }
                return
            }
            guard contents != seen || isForced else { return }
            seen = contents
            let new = try settings.files.identity(contents)
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

extension TLSIdentity {
    /// Why clients refuse the certificate now, by its dates; nil if they do not.
    func doubt(at now: Timestamp) -> String? {
        if now >= validUntil { return "the certificate expired at \(validUntil); clients refuse it" }
        if now < validFrom { return "the certificate is not valid before \(validFrom); clients refuse it until then" }
        return nil
    }
}
