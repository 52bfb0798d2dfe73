import PhoneDelivery
import PhoneDomain

extension Settings {
    /// Twilio Verify's own interface, for programs that are written against it.
    struct TwilioVerify {
        /// Whether there is anything at its paths.
        let isEnabled: Bool
        /// The address that the service is known by to such programs; nil for the one that each of them uses.
        let address: GatewayAddress?
        /// How long tenants wait between messages to a number.
        let resendCooldowns: [Duration]

        /// Reads it.
        init(_ reader: inout SettingsReader) throws(SettingsError) {
            isEnabled = try reader.flag("twilio_verify.enabled", default: true)
            address = try reader.value(
                "twilio_verify.address",
                default: nil,
                wanted: "an http or https address without a query, such as https://verify.example.com"
            ) { GatewayAddress($0).map(Optional.some) }
            let key = "twilio_verify.resend_cooldowns_seconds"
            resendCooldowns = try reader.list(key, default: [.zero], wanted: "whole numbers from 0 to 3600") {
                Int($0).flatMap { (0...3600).contains($0) ? Duration.seconds($0) : nil }
            }
            guard !resendCooldowns.isEmpty else {
                throw SettingsError(key: key, value: "", wanted: "one number or more")
            }
        }
    }
}
