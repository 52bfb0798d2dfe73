import NIOSSL
import Synchronization

/// The identity that those who connect from now on are shown; those who have connected keep theirs.
public final class TLSIdentityInUse: Sendable {
    private let identity: Mutex<TLSIdentity>

    /// Begins with this one.
    public init(_ identity: TLSIdentity) {
        self.identity = Mutex(identity)
    }

    /// Puts another in its place.
    public func replace(by identity: TLSIdentity) {
        self.identity.withLock { $0 = identity }
    }

    /// The one that is shown now.
    public var current: TLSIdentity { identity.withLock { $0 } }

    var context: NIOSSLContext { identity.withLock { $0.context } }
}
