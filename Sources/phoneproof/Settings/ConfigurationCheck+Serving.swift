import Glibc
import PhoneDomain
import PhoneHTTP

/// What those who connect find.
extension ConfigurationCheck {
    mutating func checkServing(_ settings: Settings) {
        checkTLS(settings)
        let origins = settings.crossOrigins.origins
        guard !origins.isEmpty else { return }
        add("cors", origins.map(\.description).joined(separator: ", "))
        for origin in origins where origin.isPlain {
            warn("whoever is on the way to \(origin) can put what he likes into its pages (server.cors.origins)")
        }
    }

    private mutating func checkTLS(_ settings: Settings) {
        guard let tls = settings.tls else {
            add("tls", "none")
            if !settings.isLoopback, settings.proxies.blocks.isEmpty {
                warn("tokens and numbers can be read on their way here (server.tls.certificate_file)")
            }
            return
        }
        do {
            let identity = try tls.files.load().identity
            add("tls", "\(tls.files.certificate) until \(identity.validUntil)")
            if let doubt = identity.doubt(at: SteadyClock.ofMachine().now()) {
                warn("\(doubt) (server.tls.certificate_file)")
            }
        } catch {
            refuse("\(error)")
        }
        if tls.files.keyIsExposed {
            warn("others on this machine can read or change \(tls.files.key); chmod 600 it (server.tls.key_file)")
        }
    }
}
