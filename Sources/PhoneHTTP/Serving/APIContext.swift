public import Hummingbird
import NIOCore
import PhoneDomain

/// What is known of a request besides itself.
public struct APIContext: Hummingbird.RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection, be it a client's or a proxy's; nil for a socket of the Unix domain,
    /// and where it is not known.
    let peer: IPAddress?
    /// Whether the connection is gone already, and with it the address of whoever asked.
    let isAbandoned: Bool
    /// By what limits know the client; nil where there is nothing to know it by.
    var address: ClientAddress?
    /// The program that calls; nil in front of ``CallersOnly``.
    var caller: Caller?
    /// The program that calls in the name of tenants; nil in front of ``TenantCallersOnly``.
    var tenantCaller: TenantCaller?
    /// Who is signed in; nil in front of ``SignedInOnly``.
    var signedIn: SignedIn?

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let peer = source.channel.remoteAddress
        // The addresses of the Unix domain have no such text.
        self.peer = peer?.ipAddress.flatMap { IPAddress($0) }
        // A socket of the Unix domain has an address as well, if an empty one; a closed connection has none at all.
        let isOfUnixDomain = if case .unixDomainSocket? = source.channel.localAddress { true } else { false }
        isAbandoned = peer == nil && !isOfUnixDomain
    }
}
