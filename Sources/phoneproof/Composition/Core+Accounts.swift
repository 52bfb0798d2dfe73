import PhoneDelivery
import PhoneDomain

extension Core {
    /// What the holders of accounts can do, with tokens of this authority.
    func accounts(with authority: some AccessTokenAuthority) -> LiveAccountUseCase {
        LiveAccountUseCase(
            accountPolicy: settings.accounts.policy,
            sessionPolicy: settings.tokens.sessions,
            store: store,
            authority: authority,
            deriver: vault,
            vault: tokens,
            digester: vault,
            identifiers: identifiers,
            clock: clock,
            noticeLanguage: settings.language,
            messageQueued: { [dispatcher] in dispatcher.wake() }
        )
    }
}
