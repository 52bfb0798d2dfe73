import HTTPTypes
import Hummingbird
import PhoneDomain

/// Where the dialect is, for the addresses in its answers: clients walk lists by them.
struct TwilioPlace: Sendable {
    /// The address of `/v2`, without a slash at its end.
    let address: String

    /// - Parameters:
    ///   - request: by which host the caller knows the service.
    ///   - base: the address that the service is known by, if it was told; it goes before the caller's word.
    init(_ request: Request, base: String?) {
        if let base {
            address = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v2"
        } else {
            let scheme = request.head.scheme.map { $0.isEmpty ? "http" : $0 } ?? "http"
            address = "\(scheme)://\(request.head.authority ?? "localhost")/v2"
        }
    }

    func service(_ id: Tenant.ID) -> String { "\(address)/Services/\(TwilioSID.of(id))" }
}
