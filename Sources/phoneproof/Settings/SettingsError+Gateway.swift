extension SettingsError {
    /// A key that a gateway does not do without.
    init(needed key: String, by gateway: Settings.Gateway) {
        self.init(
            "sms.gateway names \(gateway.rawValue), which needs \(key) (or set \(Self.environmentName(of: key)))"
        )
    }

    /// A secret that a gateway does not do without.
    init(neededSecret key: String, by gateway: Settings.Gateway) {
        self.init(
            "sms.gateway names \(gateway.rawValue), which needs a secret: name its file by \(key)_file, or set "
                + Self.environmentName(of: key)
        )
    }
}
