import PhoneDomain
import PhoneHTTP

extension TLSIdentity {
    /// Why clients will not take the certificate at this moment; nil if its dates are no reason.
    func doubt(at now: Timestamp) -> String? {
        if now >= validUntil { return "the certificate has ended at \(validUntil); clients refuse it" }
        if now < validFrom { return "the certificate begins at \(validFrom); clients refuse it until then" }
        return nil
    }
}
