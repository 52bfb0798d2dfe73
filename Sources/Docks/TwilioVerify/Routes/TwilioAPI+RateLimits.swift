import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP
import SMSStub

/// Twilio Verify's programmable rate limits and their buckets, of the tenant in the path.
extension TwilioAPI {
    func addRateLimits(to router: APIRouter) {
        router
            .post(use: create)
            .get(use: list)
            .get("{limit}", use: show)
            .post("{limit}", use: update)
            .delete("{limit}", use: delete)
            .post("{limit}/Buckets", use: createBucket)
            .get("{limit}/Buckets", use: listBuckets)
            .get("{limit}/Buckets/{bucket}", use: showBucket)
            .post("{limit}/Buckets/{bucket}", use: updateBucket)
            .delete("{limit}/Buckets/{bucket}", use: deleteBucket)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let form = try await TwilioForm(of: request)
        guard let text = form.text("UniqueName") else { throw TwilioError.parameter("UniqueName") }
        guard let name = UniqueName(text) else {
            throw TwilioError(60209, "UniqueName must be 1 to 64 letters, digits, hyphens, underscores and dots.")
        }
        let limit = try await useCase.makeLimit(name, text: form.text("Description") ?? "", in: tenant)
        return Response(.created, json: limit.twilioJSON(tenant, urls(request)))
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let urls = urls(request)
        let page = TwilioPage(request, address: urls.service(tenant.id) + "/RateLimits")
        return Response(
            json: page.json("rate_limits", tenant.limits.dropFirst(page.offset).map { $0.twilioJSON(tenant, urls) })
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit) = try await find(context)
        return Response(json: limit.twilioJSON(tenant, urls(request)))
    }

    @Sendable private func update(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let form = try await TwilioForm(of: request)
        let id: TenantLimit.ID = try context.sid("limit")
        let limit: TenantLimit
        if let text = form.text("Description") {
            limit = try await useCase.describe(id, as: text, in: tenant)
        } else {
            (_, limit) = try await find(context)
        }
        return Response(json: limit.twilioJSON(tenant, urls(request)))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        try await useCase.deleteLimit(context.sid("limit"), in: tenant)
        return Response(status: .noContent)
    }

    @Sendable private func createBucket(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit) = try await find(context)
        let form = try await TwilioForm(of: request)
        let (max, interval) = try rate(form)
        guard let max else { throw TwilioError.parameter("Max") }
        guard let interval, let rate = RateLimit(quota: max, window: interval) else {
            throw TwilioError.parameter("Interval")
        }
        let bucket = try await useCase.makeBucket(rate, of: limit.id, in: tenant)
        return Response(.created, json: limit.twilioJSON(bucket, tenant, urls(request)))
    }

    @Sendable private func listBuckets(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit) = try await find(context)
        let urls = urls(request)
        let address = "\(urls.service(tenant.id))/RateLimits/\(limit.id.sid)/Buckets"
        let page = TwilioPage(request, address: address)
        let buckets = limit.buckets.dropFirst(page.offset).map { limit.twilioJSON($0, tenant, urls) }
        return Response(json: page.json("buckets", buckets))
    }

    @Sendable private func showBucket(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit, bucket) = try await findBucket(context)
        return Response(json: limit.twilioJSON(bucket, tenant, urls(request)))
    }

    @Sendable private func updateBucket(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit, bucket) = try await findBucket(context)
        let form = try await TwilioForm(of: request)
        let (max, interval) = try rate(form)
        let changed = try await useCase.update(bucket.id, of: limit.id, in: tenant) { present in
            RateLimit(quota: max ?? present.quota, window: interval ?? present.window)
        }
        return Response(json: limit.twilioJSON(changed, tenant, urls(request)))
    }

    @Sendable private func deleteBucket(request: Request, context: APIContext) async throws -> Response {
        let (tenant, limit, bucket) = try await findBucket(context)
        try await useCase.delete(bucket.id, of: limit.id, in: tenant)
        return Response(status: .noContent)
    }

    private func rate(_ form: TwilioForm) throws -> (max: Int?, interval: Duration?) {
        let max = try form.integer("Max", in: 1...1_000_000)
        return (max, try form.integer("Interval", in: 1...31 * 86_400).map { .seconds($0) })
    }

    private func find(_ context: APIContext) async throws -> (Tenant, TenantLimit) {
        let tenant = try context.tenant()
        let id: TenantLimit.ID = try context.sid("limit")
        guard let limit = tenant.limits.first(where: { $0.id == id }) else { throw TwilioError.notFound }
        return (tenant, limit)
    }

    private func findBucket(_ context: APIContext) async throws -> (Tenant, TenantLimit, TenantLimit.Bucket) {
        let (tenant, limit) = try await find(context)
        let id: TenantLimit.Bucket.ID = try context.sid("bucket")
        guard let bucket = limit.buckets.first(where: { $0.id == id }) else { throw TwilioError.notFound }
        return (tenant, limit, bucket)
    }
}

extension TenantLimit {
    /// https://github.com/twilio/twilio-oai, `verify.v2.service.rate_limit`.
    func twilioJSON(_ tenant: Tenant, _ urls: TwilioURLs) -> JSON {
        let url = url(tenant, urls)
        return [
            "sid": .string(id.sid),
            "service_sid": .string(tenant.id.sid),
            "account_sid": .string(tenant.account.sid),
            "unique_name": .string(uniqueName.description),
            "description": .string(text),
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
            "url": .string(url),
            "links": ["buckets": .string(url + "/Buckets")],
        ]
    }

    /// `verify.v2.service.rate_limit.bucket`.
    func twilioJSON(_ bucket: Bucket, _ tenant: Tenant, _ urls: TwilioURLs) -> JSON {
        [
            "sid": .string(bucket.id.sid),
            "rate_limit_sid": .string(id.sid),
            "service_sid": .string(tenant.id.sid),
            "account_sid": .string(tenant.account.sid),
            "max": .integer(bucket.limit.quota),
            "interval": .integer(bucket.limit.window.components.seconds),
            "date_created": .string(bucket.createdAt.wholeSecondsText),
            "date_updated": .string(bucket.updatedAt.wholeSecondsText),
            "url": .string(url(tenant, urls) + "/Buckets/\(bucket.id.sid)"),
        ]
    }

    private func url(_ tenant: Tenant, _ urls: TwilioURLs) -> String {
        urls.service(tenant.id) + "/RateLimits/\(id.sid)"
    }
}
