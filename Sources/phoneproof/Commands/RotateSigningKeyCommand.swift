import AccessTokens
import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

/// Puts a new key in the place of the one that signs access tokens.
struct RotateSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-signing",
        abstract: "Put a new key in the place of the one that signs access tokens.",
        discussion: """
            The new key is published now and signs when all who verify tokens have had the time to hear of it \
            (tokens.signing_key_ahead_seconds); the old one stays published until its last token is over. Nobody is signed \
            out. Running services take it up within \(SigningKeyService.interval.components.seconds) seconds.

            With --at-once the new key signs from now on, and all others are worthless, with every token that they have \
            signed: for a key that was stolen, or one that cannot be opened any more. Clients get new tokens by their refresh \
            tokens, which go on. Others who verify tokens may go by the keys that they have fetched for \
            \(SigningKeyPolicy.publicationMaxAge.components.seconds / 60) minutes more.
            """
    )

    @Flag(help: "Make all other keys worthless at once, and what they have signed.")
    var atOnce = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let now = SteadyClock.ofMachine().now()
            let material = try SigningKeyMaker.ofOpenSSL(sealer: settings.existingVault()).make()
            let keys = try await settings.existingStore().rotate(
                RotateSigningKey(
                    material: material,
                    policy: settings.tokens.signingKeys,
                    isAtOnce: atOnce,
                    now: now
                )
            )
            for line in SigningKeyListing(keys: keys, now: now).rotated(to: material.id) { print(line) }
            return .done
        }
    }
}
