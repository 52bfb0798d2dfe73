import PhoneDomain
import PhoneTestSupport
import Synchronization

/// Opens nothing until it is told to.
final class RefusingSealer: SecretSealer {
    private let sealer = PlainSecretSealer()
    private let isAccepting = Mutex(false)

    func accept() {
        isAccepting.withLock { $0 = true }
    }

    func seal(_ secret: [UInt8], for subject: String) -> SealedSecret {
        sealer.seal(secret, for: subject)
    }

    func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        guard isAccepting.withLock({ $0 }) else { throw SecretSealerError.unknownKey(id: sealed.keyID) }
        return try sealer.open(sealed, for: subject)
    }
}
