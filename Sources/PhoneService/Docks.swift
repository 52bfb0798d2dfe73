import AuthHooks
import Console
import Firebase
import OneTimePasswordSMS
import OpenSSLCrypto
import PhoneAccounts
package import PhoneDock
import PhoneHTTP
import PhoneSettings
package import Records
import SupabaseAuth
import TwilioVerify

/// What answers in somebody else's words beside the service's own API; each may be left out.
package let docks: [any Dock.Type] = [
    AuthHooks.self, Console.self, Firebase.self, OneTimePasswordSMS.self, SupabaseAuth.self, TwilioVerify.self,
]

extension RecordTypes {
    /// Those of this service, with what its docks bring.
    package static let service = RecordTypes(docks: docks.flatMap { $0.records })
}

extension Core {
    var docks: [any Dock] { settings.extras.compactMap { $0 as? any Dock } }

    func dockService(
        _ accounts: AccountUseCase,
        _ discovery: Discovery,
        _ accessTokens: JWTAccessTokens
    ) -> DockService {
        DockService(
            verifications: useCase,
            accounts: accounts,
            store: store,
            keys: keys,
            catalog: renderer,
            digester: vault,
            deriver: vault,
            identifiers: identifiers,
            clock: clock,
            discovery: discovery,
            claims: accessTokens,
            tokens: tokens,
            administration: administration,
            proxies: settings.server.proxies,
            language: settings.language
        )
    }
}

extension JWTAccessTokens: ClaimsSigner {}
