import HTTPTypes
import Hummingbird
public import PhoneDomain

/// Twilio Verify v2, as far as text messages go: for programs that are written against it, by Twilio's own libraries or
/// without them, and change nothing but the address (https://www.twilio.com/docs/verify/api).
public struct TwilioVerifyAPI: Sendable {
    private let useCase: any TenantUseCase
    private let keys: APIKeys
    private let clock: any WallClock
    private let base: String?

    /// The dialect over these.
    ///
    /// - Parameters:
    ///   - useCase: what can be done in the name of tenants.
    ///   - keys: knows every key.
    ///   - clock: says what time it is.
    ///   - base: the address that the service is known by, for the addresses in answers; nil for the one that the caller used.
    public init(useCase: any TenantUseCase, keys: APIKeys, clock: any WallClock, base: String? = nil) {
        self.useCase = useCase
        self.keys = keys
        self.clock = clock
        self.base = base
    }

    func addRoutes(to router: Router<APIContext>) {
        let routes = router.group("/v2").add(middleware: TenantCallersOnly(keys: keys, clock: clock))
        let services = TwilioServiceRoutes(useCase: useCase, base: base)
        routes.addRoutes(services.routes, atPath: "/Services")
        let verifications = TwilioVerificationRoutes(useCase: useCase, clock: clock, base: base)
        routes.addRoutes(verifications.routes, atPath: "/Services/{service}")
        routes.addRoutes(
            TwilioRateLimitRoutes(useCase: useCase, base: base).routes,
            atPath: "/Services/{service}/RateLimits"
        )
        routes.addRoutes(TwilioAttemptRoutes(useCase: useCase, base: base).routes, atPath: "/Attempts")
        routes.addRoutes(TwilioSafeListRoutes(useCase: useCase, base: base).routes, atPath: "/SafeList/Numbers")
        routes.addRoutes(TwilioTemplateRoutes(useCase: useCase, base: base).routes, atPath: "/Templates")
        // What Twilio Verify has and this has not is answered in the same way as what neither has.
        for method in [HTTPRequest.Method.get, .post, .delete] {
            routes.on("**", method: method) { _, _ -> Response in throw TwilioError.notFound }
        }
    }
}
