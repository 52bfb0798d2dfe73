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
            address = "\(scheme)://\(Self.host(request.head.authority))/v2"
        }
    }

    /// What the caller calls the host, if it is a host's name or address with or without a port.
    private static func host(_ authority: String?) -> String {
        guard let authority, !authority.isEmpty,
            authority.utf8.allSatisfy({
                $0.isUnreserved || [UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]")].contains($0)
            })
        else { return "localhost" }
        return authority
    }

    func service(_ id: Tenant.ID) -> String { "\(address)/Services/\(TwilioSID.of(id))" }
}
