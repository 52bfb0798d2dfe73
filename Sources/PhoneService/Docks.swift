package import PhoneDock
import PhoneDomain
import PhoneHTTP
import PhoneSettings
package import Records
import TwilioVerify

/// What answers in somebody else's words beside the service's own API; each may be left out.
package let docks: [any Dock.Type] = [
    TwilioVerify.self
]

extension RecordTypes {
    /// Those of this service, with what its docks bring.
    package static let service = RecordTypes(docks: docks.flatMap { $0.records })
}

extension Core {
    var docsLines: [DocsLine] { settings.extras.compactMap { ($0 as? any Dock)?.docsLine } }

    func addDocks(to router: APIRouter, over verifications: any VerificationUseCase) {
        let service = DockService(
            verifications: verifications,
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
