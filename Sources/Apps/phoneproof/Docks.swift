import AppIntegrity
import AuthHooks
import Console
import Firebase
import FirebasePNV
import NetworkProof
import OneTimePasswordSMS
import Passkeys
import PhoneService
import PhoneStore
import SupabaseAuth
import TwilioVerify

/// What answers in somebody else's words beside the service's own API; each may be left out.
let docks: [any Dock.Type] = [
    AppIntegrity.self, AuthHooks.self, Console.self, Firebase.self, FirebasePNV.self, NetworkProof.self,
    OneTimePasswordSMS.self, Passkeys.self, SupabaseAuth.self, TwilioVerify.self,
]

extension RecordTypes {
    /// The types of this program, with what its docks bring.
    static let service = RecordTypes(docks: docks.flatMap { $0.records })
}
