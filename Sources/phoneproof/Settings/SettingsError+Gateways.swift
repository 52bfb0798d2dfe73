extension SettingsError {
    /// A gateway lacks a setting.
    static func missing(_ key: String, for gateway: Settings.Gateway) -> SettingsError {
        SettingsError("sms.gateway names \(gateway.rawValue), which needs \(key) (or set \(environmentName(of: key)))")
    }

    /// A gateway lacks a secret.
    static func missing(secret key: String, for gateway: Settings.Gateway) -> SettingsError {
        SettingsError(
            "sms.gateway names \(gateway.rawValue), which needs a secret: name its file by \(key)_file, or set "
                + environmentName(of: key)
        )
    }
}
