import PhoneAccounts
import PhoneAdministration
import PhoneDomain

/// The types of record that a store has, given to it where the service is composed: it makes tables of them, loads,
/// saves, copies, backs up, purges and erases them. Docks, targets that may be left out, bring their own.
///
/// Their order is that in which every transaction locks and saves them, so that no two wait for each other, and in
/// which they are copied. The activity of a number is first: its lock covers the number, so that no second verification
/// begins beside one that is being begun. An account comes after the verification that is used for it, and before its
/// sessions and changes of number: its lock covers its number and additions to them. What all requests share, the
/// meters and the traffic of the whole service, is last and locked for the shortest time.
public struct RecordTypes: Sendable {
    public let all: [any Record.Type]
    public let tables: [Table]

    /// - Parameter docks: what docks add to the core's.
    public init(docks: [any Record.Type] = []) {
        all =
            [
                ActiveNumber.self, OutboxMessage.self, Verification.self, Account.self, NumberHolder.self,
                ExternalHolder.self, Session.self, NumberChange.self, Event.self, Signup.self, IdempotentRequest.self,
            ] + docks + [
                UsedProof.self, APIKey.self, OAuthClient.self, AuthorizationCode.self,
                DeviceAuthorization.self, MeterInUse.self, KeyedTraffic.self, GuardRule.self, SigningKey.self,
                Override.self, DailyFigure.self,
                FigureProgress.self, Instance.self, SenderQueue.self, WaitingMessage.self, AuditRecord.self,
            ]
        tables = all.map { $0.table }
    }

    /// The types of a service without docks.
    public static let core = RecordTypes()
}
