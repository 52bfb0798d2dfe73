/// Why something was not done for a tenant, beyond what ``PhoneFailure`` tells.
public enum TenantFailure: Error, Hashable, Sendable {
    /// There is no such tenant, limit, bucket, safe number or attempt, or it is another account's.
    case notFound
    /// The name is not to be used (``TenantName``).
    case nameRestricted
    /// Another limit has that name.
    case uniqueNameTaken
    /// The tenant has as many limits as it may (``Tenant/mostLimits``).
    case tooManyLimits
    /// The limit has as many buckets as it may (``TenantLimit/mostBuckets``).
    case tooManyBuckets
    /// Another bucket has that length of time.
    case intervalTaken
    /// The tenant may not do that: bring a code of its own.
    case featureDisabled
    /// A message is counted by a name that none of the tenant's limits has.
    case limitUnknown(String)
    /// The number is on the list already.
    case numberListed
    /// The message cannot be made.
    case wording(MessageWordingFault)
    /// What the rules of verification say.
    case refused(PhoneFailure)
}
