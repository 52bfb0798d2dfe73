import PhoneDomain

extension TenantLimit {
    /// The limit as Twilio Verify shows a rate limit (https://github.com/twilio/twilio-oai, `verify.v2.service.rate_limit`).
    func twilioJSON(_ tenant: Tenant, _ place: TwilioPlace) -> JSON {
        let url = url(tenant, place)
        return [
            "sid": .string(TwilioSID.of(id)),
            "service_sid": .string(TwilioSID.of(tenant.id)),
            "account_sid": .string(TwilioSID.of(tenant.account)),
            "unique_name": .string(uniqueName.description),
            "description": .string(text),
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
            "url": .string(url),
            "links": ["buckets": .string(url + "/Buckets")],
        ]
    }

    /// One of its buckets (`verify.v2.service.rate_limit.bucket`).
    func twilioJSON(_ bucket: Bucket, _ tenant: Tenant, _ place: TwilioPlace) -> JSON {
        [
            "sid": .string(TwilioSID.of(bucket.id)),
            "rate_limit_sid": .string(TwilioSID.of(id)),
            "service_sid": .string(TwilioSID.of(tenant.id)),
            "account_sid": .string(TwilioSID.of(tenant.account)),
            "max": .integer(bucket.limit.quota),
            "interval": .integer(bucket.limit.window.components.seconds),
            "date_created": .string(bucket.createdAt.wholeSecondsText),
            "date_updated": .string(bucket.updatedAt.wholeSecondsText),
            "url": .string(url(tenant, place) + "/Buckets/\(TwilioSID.of(bucket.id))"),
        ]
    }

    private func url(_ tenant: Tenant, _ place: TwilioPlace) -> String {
        place.service(tenant.id) + "/RateLimits/\(TwilioSID.of(id))"
    }
}
