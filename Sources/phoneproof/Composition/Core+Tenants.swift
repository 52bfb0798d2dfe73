import PhoneDelivery
import PhoneDomain
import PhoneHTTP

extension Core {
    /// Twilio Verify's own interface over these rules, or nil if there is to be none.
    ///
    /// - Parameter verifications: has the rules of verification.
    func twilioVerify(over verifications: any VerificationUseCase) -> TwilioVerifyAPI? {
        guard settings.twilioVerify.isEnabled else { return nil }
        let tenants = LiveTenantUseCase(
            verifications: verifications,
            store: store,
            catalog: catalog,
            digester: vault,
            identifiers: identifiers,
            clock: clock,
            resendCooldowns: settings.twilioVerify.resendCooldowns
        )
        return TwilioVerifyAPI(
            useCase: tenants,
            keys: keys,
            clock: clock,
            base: settings.twilioVerify.address?.description
        )
    }
}
