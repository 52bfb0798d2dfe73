import PhoneHTTP

extension Settings {
    /// Pages of which other sites may sign people up.
    static func crossOrigins(_ reader: inout SettingsReader) throws(SettingsError) -> CrossOrigins {
        let key = "server.cors.origins"
        let wanted =
            "origins as browsers write them, such as https://example.com or http://localhost:3000: a scheme and a host in "
            + "lower case, a port unless it is the usual one, and nothing behind"
        let texts = try reader.list(key, default: [], wanted: wanted) { $0 }
        guard !texts.contains("*") else {
            throw SettingsError(
                "\(key) has *: any site could begin signups in its visitors' names and be told their tokens; name the sites "
                    + "that are yours"
            )
        }
        var origins: [WebOrigin] = []
        for text in texts {
            guard let origin = WebOrigin(text) else { throw SettingsError(key: key, value: text, wanted: wanted) }
            origins.append(origin)
        }
        return CrossOrigins(origins)
    }
}
