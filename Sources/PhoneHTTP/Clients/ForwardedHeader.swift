import HTTPTypes

/// The header by which proxies say whom they had a request from. One is believed and never the other, which a proxy
/// passes on as its client has sent it.
public enum ForwardedHeader: String, CaseIterable, Sendable {
    /// The standard's (RFC 7239).
    case forwarded = "forwarded"
    /// The one that most proxies write: addresses with commas between.
    case xForwardedFor = "x-forwarded-for"

    /// The values of its fields in these, in order.
    func values(in headers: HTTPFields) -> [String] {
        HTTPField.Name(rawValue).map { headers[values: $0] } ?? []
    }
}
