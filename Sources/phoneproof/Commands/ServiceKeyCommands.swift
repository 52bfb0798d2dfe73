import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

struct MakeKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make the file of the keys under which codes are sealed.",
        discussion: """
            A single service does so by itself. Several instances on one PostgreSQL database must have the same file: make \
            it once, and hand it to each. A file that is there already is left as it is.
            """
    )

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        guard let path = try await options.load().keyPath() else {
            throw Failure.configuration("the database is in memory, and so are its keys; there is no file to make")
        }
        let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
        print(
            isNew
                ? "\(path) has a new key; give every instance this very file, and keep it with your backups."
                : "\(path) is there already, with \(keys.ids.count == 1 ? "1 key" : "\(keys.ids.count) keys"); "
                    + "nothing was changed."
        )
    }
}

struct RotateKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Put a new key in front of those under which codes are sealed.",
        discussion: """
            A running service takes it up within a minute; codes in flight stay good, since the older keys stay in the file. \
            A key may be taken out of it a day after the next one was made: codes need it for ten minutes, and requests that \
            come again with their Idempotency-Key for 24 hours. Audit entries that were written under it \
            can then no longer be found by number, nor unlinked by `erase`; so leave it there for retention.audit_days. Refresh tokens \
            are made under it as well: whoever has not used one since the rotation is signed out when it is taken away, so leave \
            it for tokens.session_days. And signing keys are sealed under it: `keys list-signing` shows none of its name once \
            `keys rotate-signing` has replaced them.

            Instances that read one and the same file need nothing more. Where each has a copy, none may seal under a key \
            that another does not know: first hand out the file with the new key behind the others, which makes it known, \
            and a minute later with the new key in front.
            """
    )

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        guard let path = try settings.keyPath() else {
            throw Failure.configuration("the database is in memory, and so are its keys; there is nothing to rotate")
        }
        let keys = try KeyRing.rotate(at: path, waiting: settings.database.busyTimeout)
        print("\(path) has \(keys.ids.count) keys; new codes are sealed under \(keys.ids[0]).")
    }
}

struct ListSigningKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list-signing",
        abstract:
            "Show the keys that access tokens are signed with: which one signs, and until when each is published.",
        discussion: "No private part is shown. SEALED UNDER names the key of the file of keys that opens it."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let keys = try await options.load().existingStore().signingKeys()
        let now = SteadyClock.ofMachine().now()
        let listing = Listing(
            keys.all,
            columns: [
                .init("KEY", "id") { $0.id },
                .init("STATE", "state") { keys.state(of: $0, at: now) },
                .init("MADE", "created_at") { $0.createdAt },
                .init("SIGNS FROM", "signs_from") { $0.activeAt },
                .init("PUBLISHED UNTIL", "published_until") { $0.removedAt },
                .init("SEALED UNDER", "sealed_under") { $0.sealedPrivateKey.keyID },
            ]
        )
        let ifEmpty = "There are no signing keys; the service makes one when it starts."
        print(try listing.text(json: options.json, "signing_keys", ifEmpty: ifEmpty))
    }
}

struct RotateSigningKeyCommand: Command {
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

    @Flag(help: "Make all other keys worthless at once, and what they have signed.") var atOnce = false
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let now = SteadyClock.ofMachine().now()
        let key = try SigningKeyMaker(sealer: settings.existingVault()).make(at: now)
        let keys = try await settings.existingStore().rotate(
            RotateSigningKey(to: key, policy: settings.tokens.signingKeys, isAtOnce: atOnce)
        )
        for line in keys.report(ofRotationTo: key.id, at: now) { print(line) }
    }
}

extension SigningKeys {
    fileprivate func state(of key: SigningKey, at now: Timestamp) -> String {
        if key.isRemoved(at: now) { return "gone" }
        if key == signing(at: now) { return "signs" }
        return key.activeAt > now ? "to sign" : "published"
    }

    fileprivate func report(ofRotationTo id: SigningKey.ID, at now: Timestamp) -> [String] {
        guard let key = all.first(where: { $0.id == id }) else { return [] }
        guard key.activeAt > now else {
            let line = "\(id) is published and signs from now on."
            let others =
                "All other keys are worthless, and every access token that they have signed: to a running service within "
                + "\(SigningKeyService.interval.components.seconds) seconds, to others when they look for keys again."
            return all.contains { $0.id != id } ? [line, others] : [line]
        }
        let old = published(at: now).filter { $0.id != id }
        return ["\(id) is published now and signs from \(key.activeAt) on."]
            + old.map { old in
                "\(old.id) signs until \(end(of: old) ?? key.activeAt), and stays published until "
                    + "\(old.removedAt?.description ?? "it is rotated")."
            }
    }
}
