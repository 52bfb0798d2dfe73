import PhoneDomain
package import PhoneSettings
package import TextEncodings

package struct TwilioVerifySettings: ExtraSettings {
    package let isEnabled: Bool
    /// Nil for the address that each request was sent to.
    package let address: EndpointURL?
    package let resendCooldowns: [Duration]

    package init(_ reader: SettingsReader) {
        let verify = reader.section("twilio_verify") {
            "The API of Twilio Verify (v2) at /v2, for programs written for Twilio Verify. They need the URL of this"
            "service and keys made by `phoneproof keys create --twilio`."
        }
        isEnabled = verify("enabled").flag(true) { "Whether the API at /v2 is on." }
        address = verify("address")
            .value(
                example: "https://verify.example.com",
                "an http or https URL without a query, such as https://verify.example.com",
                EndpointURL.init(base:)
            ) {
                "The URL of this service for such programs, without /v2. Links in lists begin with it. By default it"
                "is the URL of the request, with http: set it if a proxy terminates TLS."
            }
        resendCooldowns = verify("resend_cooldowns_seconds").cooldowns([.zero]) {
            "Like verification.resend_cooldowns_seconds, for these programs. Twilio Verify has no cooldown. All other"
            "limits apply."
        }
    }

    /// A tenant chooses how long its codes are.
    package var longestCode: Int? { isEnabled ? VerificationCode.lengths.upperBound : nil }
}
