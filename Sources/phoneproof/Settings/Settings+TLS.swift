extension Settings {
    /// By what the service is known to those who connect, and how.
    struct TLS {
        let files: TLSFiles
        /// How often the files are looked at.
        let reloadInterval: Duration
        /// For how long browsers are to come back by TLS alone; zero to tell them nothing.
        let transportSecurity: Duration

        /// Reads it.
        ///
        /// - Returns: nil if no files are named: then nothing is encrypted here.
        init?(_ reader: inout SettingsReader) throws(SettingsError) {
            let certificateKey = "server.tls.certificate_file"
            let keyKey = "server.tls.key_file"
            let certificate = try reader.text(certificateKey).flatMap { $0.isEmpty ? nil : $0 }
            let key = try reader.text(keyKey).flatMap { $0.isEmpty ? nil : $0 }
            reloadInterval = try reader.seconds("server.tls.reload_seconds", default: .seconds(10), in: 1...3600)
            transportSecurity = try reader.seconds(
                "server.tls.hsts_seconds",
                default: .seconds(31_536_000),
                in: 0...63_072_000
            )
            switch (certificate, key) {
            case (nil, nil): return nil
            case (let certificate?, let key?): files = TLSFiles(certificate: certificate, key: key)
            case (_?, nil): throw Self.missing(keyKey, beside: certificateKey)
            case (nil, _?): throw Self.missing(certificateKey, beside: keyKey)
            }
        }

        /// The standard, with these files.
        init(files: TLSFiles, transportSecurity: Duration) {
            self.files = files
            self.transportSecurity = transportSecurity
            reloadInterval = .seconds(10)
        }

        private static func missing(_ key: String, beside other: String) -> SettingsError {
            SettingsError(
                "\(other) is set, which needs \(key) beside it (or set \(SettingsError.environmentName(of: key)))"
            )
        }
    }
}
