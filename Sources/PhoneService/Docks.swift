import OneTimePasswordSMS
package import PhoneDock
import PhoneDomain
import PhoneHTTP
import PhoneSettings
package import Records
import TwilioVerify

/// What answers in somebody else's words beside the service's own API; each may be left out.
package let docks: [any Dock.Type] = [
    TwilioVerify.self, OneTimePasswordSMS.self,
]

extension RecordTypes {
    /// Those of this service, with what its docks bring.
    package static let service = RecordTypes(docks: docks.flatMap { $0.records })
}

extension Core {
    func addDocks(to router: APIRouter, over verifications: any VerificationUseCase, _ accounts: AccountUseCase) {
        let service = DockService(
            verifications: verifications,
            accounts: accounts,
            store: store,
            keys: keys,
            catalog: renderer,
            digester: vault,
            identifiers: identifiers,
            clock: clock
        )
        for case let dock as any Dock in settings.extras { dock.addRoutes(to: router, over: service) }
    }
}
