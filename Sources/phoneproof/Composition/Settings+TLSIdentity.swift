import Logging
import PhoneDomain
import PhoneHTTP

extension Settings.TLS {
    /// The certificate to begin with, and what sees to those that come after it.
    ///
    /// - Throws: ``SettingsError`` if the files will not do.
    func makeIdentity(
        clock: any WallClock,
        logger: Logger
    ) async throws(SettingsError) -> (identity: TLSIdentityInUse, service: CertificateService) {
        let (identity, contents) = try files.load()
        if let doubt = identity.doubt(at: clock.now()) { logger.warning("\(doubt)") }
        if files.keyIsExposed {
            logger.warning("others on this machine can read or change the certificate's key; chmod 600 it")
        }
        let inUse = TLSIdentityInUse(identity)
        let reload = CertificateReload(
            files: files,
            contents: contents,
            identity: inUse,
            clock: clock,
            logger: logger
        )
        return (inUse, await CertificateService(reload: reload, interval: reloadInterval))
    }
}
