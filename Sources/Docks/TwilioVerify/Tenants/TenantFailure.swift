import PhoneDomain

/// Why a tenant's request failed, beyond the cases of ``PhoneFailure``.
enum TenantFailure: Error, Hashable, Sendable {
    /// There is no such tenant, limit, bucket, safe number or attempt, or it is another account's.
    case notFound
    case nameRestricted
    case uniqueNameTaken
    case tooManyLimits
    case tooManyBuckets
    case intervalTaken
    /// The tenant may not bring a code of its own.
    case featureDisabled
    /// A message is counted by a name that none of the tenant's limits has.
    case limitUnknown(String)
    case numberListed
    case wording(MessageWordingError)
    case refused(PhoneFailure)
}

extension TenantFailure {
    /// An ended verification is treated as absent, as Twilio has it: its codes for one are never reached from here.
    init(_ failure: PhoneFailure) {
        self =
            switch failure {
            case .verificationNotFound, .verificationClosed, .codeExpired: .notFound
            default: .refused(failure)
            }
    }
}

/// What the domain throws, as a tenant's failure.
func converting<Value>(_ work: () async throws(PhoneFailure) -> Value) async throws(TenantFailure) -> Value {
    do throws(PhoneFailure) {
        return try await work()
    } catch {
        throw TenantFailure(error)
    }
}
