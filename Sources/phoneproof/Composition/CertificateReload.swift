import Logging
import PhoneDomain
import PhoneHTTP

/// Takes a new certificate when the files hold one that will do, and says so; else the one from before stays.
actor CertificateReload {
    private let files: TLSFiles
    private let identity: TLSIdentityInUse
    private let clock: any WallClock
    private let logger: Logger
    /// What was in the files when they were looked at last; nil if they could not be read. What was refused once is not
    /// complained of again until it changes.
    private var seen: TLSFiles.Contents?

    /// - Parameters:
    ///   - files: where to look.
    ///   - contents: what was in them when `identity` was made.
    ///   - identity: what those who connect are shown.
    ///   - clock: says what time it is.
    ///   - logger: where it says what it has done.
    init(
        files: TLSFiles,
        contents: TLSFiles.Contents,
        identity: TLSIdentityInUse,
        clock: any WallClock,
        logger: Logger
    ) {
        self.files = files
        self.identity = identity
        self.clock = clock
        self.logger = logger
        seen = contents
    }

    /// Looks at the files.
    ///
    /// - Parameter isAsked: whether somebody wants it, and an answer, though they are as before.
    func look(isAsked: Bool = false) {
        do {
            let wasReadable = seen != nil
            let contents: TLSFiles.Contents
            do {
                contents = try files.read()
            } catch {
                seen = nil
                if wasReadable || isAsked { throw error }
                return
            }
            guard contents != seen || isAsked else { return }
            seen = contents
            let new = try files.identity(contents)
            let doubt = new.doubt(at: clock.now())
            // One that clients refuse is no better than the one that they take.
            if let doubt, identity.current.doubt(at: clock.now()) == nil { throw SettingsError(doubt) }
            identity.replace(by: new)
            logger.notice(
                "took the certificate from its file; whoever connects from now on is shown it",
                metadata: ["tls.serial": .string(new.serialNumber), "tls.until": .string(new.validUntil.description)]
            )
            if let doubt { logger.warning("\(doubt)") }
        } catch {
            logger.error(
                "the new certificate will not do; going on with the one from before",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
