import ArgumentParser
import CoreEncodings
import OpenSSLCrypto
import PhoneAccounts
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSignup

struct MakeKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Create the key file that codes are encrypted with.",
        discussion: """
            A single instance creates it by itself. Several instances on one PostgreSQL database need the same file: create \
            it once, and copy it to each. An existing file is not changed.
            """
    )

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        guard let path = try options.load().keyPath() else {
            throw Failure.configuration("the database is in memory, and so are its keys; set database.url")
        }
        let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
        print(
            isNew
                ? "Created \(path). Copy it to every instance, and back it up."
                : "\(path) exists, with \(keys.ids.count == 1 ? "1 key" : "\(keys.ids.count) keys"); not changed."
        )
    }
}

struct RotateKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Rotate the key that codes are encrypted with.",
        discussion: """
            Adds a new key at the top of the key file. Running services use it within a minute; pending codes stay valid, \
            because the old keys stay in the file.

            When to remove an old key: codes need it for 10 minutes, and retries with an Idempotency-Key for 24 hours. \
            Audit entries made with it can be found by number and erased only while it is there (retention.audit_days). \
            Refresh tokens made with it stop working without it (tokens.session_days). Signing keys are encrypted with it: \
            it is unused once `keys list-signing` no longer shows it, after `keys rotate-signing`.

            If instances have copies of the file instead of sharing it, no instance may use a key that another does not \
            have: distribute the file first with the new key at the end, and a minute later with the new key at the top.
            """
    )

    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        guard let path = try settings.keyPath() else {
            throw Failure.configuration("the database is in memory, and so are its keys; there is nothing to rotate")
        }
        // Opened first, so that nothing is rotated that cannot be recorded. Without a database there is no log yet.
        let store = settings.database.place.isMissing ? nil : try settings.existingStore()
        try await store?.ping()
        let keys = try KeyRing.rotate(at: path, waiting: settings.database.busyTimeout)
        let entry = act.author.entry(.rotateSealingKey, keys.ids[0], at: SystemWallClock().now())
        do {
            try await store?.record(entry, within: .none)
        } catch {
            throw Failure.unreachable("the key was rotated, but not recorded in the audit log: \(error)")
        }
        print("\(path) has \(keys.ids.count) keys; new codes are encrypted with \(keys.ids[0]).")
    }
}

struct ListSigningKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list-signing",
        abstract:
            "List the keys that tokens are signed with.",
        discussion: """
            States: signing, next (published, but not signing yet), published (verifies older tokens), expired. ENCRYPTED \
            WITH is a key of the key file.
            """
    )

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let keys = try await options.load().existingStore().signingKeys()
        let now = SteadyClock.ofMachine().now()
        let rows = keys.all.map { key -> JSON in
            [
                "id": .string(key.id.description), "algorithm": .string(key.algorithm.rawValue),
                "state": .string(keys.state(of: key, at: now)), "created_at": .string(key.createdAt.description),
                "signs_from": .string(key.activeAt.description),
                "published_until": .string(key.removedAt?.description),
                "sealed_under": .string(key.sealedPrivateKey.keyID),
            ]
        }
        if json { return print((["items": .array(rows), "next_cursor": nil] as JSON).indentedText) }
        let columns: [Listing.Column] = [
            .init("KEY", "id"), .init("ALGORITHM", "algorithm"), .init("STATE", "state"),
            .init("CREATED", "created_at"), .init("SIGNS FROM", "signs_from"),
            .init("PUBLISHED UNTIL", "published_until"), .init("ENCRYPTED WITH", "sealed_under"),
        ]
        let ifEmpty = "No signing keys; the service creates one when it starts."
        print(Listing(rows, columns).table(.standardOutput, ifEmpty: ifEmpty))
    }
}

struct RotateSigningKeyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate-signing",
        abstract: "Rotate the keys that tokens are signed with.",
        discussion: """
            A new key of each algorithm is published now, and used an hour later, when all verifiers have had time to fetch \
            it. An old one stays published until its last token has expired. Nobody is \
            signed out. Running services load it within \(RefreshService.keyInterval.components.seconds) seconds.

            With --at-once a new key is used immediately, and all other keys and the tokens they have signed become \
            invalid: for a key that was stolen or cannot be decrypted. Clients get new tokens with their refresh tokens. \
            Other verifiers may use cached keys for \(SigningKeyPolicy.publicationMaxAge.components.seconds / 60) more \
            minutes.
            """
    )

    @Flag(help: "Revoke all other keys, and the tokens they have signed, immediately.") var atOnce = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let now = SteadyClock.ofMachine().now()
        let (store, maker) = (try settings.existingStore(), SigningKeyMaker(sealer: try settings.existingVault()))
        for algorithm in SigningAlgorithm.allCases {
            // Of an algorithm that nobody has used so far it is the first.
            let key = try maker.make(algorithm, at: now)
            let keys = try await store.rotate(
                RotateSigningKey(to: key, policy: settings.tokens.signingKeys, isAtOnce: atOnce),
                audit: act.author.entry(.rotateSigningKey, key.id.description, at: now)
            )
            for line in keys.report(ofRotationTo: key, at: now) { print(line) }
        }
    }
}

extension SigningKeys {
    fileprivate func state(of key: SigningKey, at now: Timestamp) -> String {
        if key.isRemoved(at: now) { return "expired" }
        if key == signing(at: now, by: key.algorithm) { return "signing" }
        return key.activeAt > now ? "next" : "published"
    }

    fileprivate func report(ofRotationTo made: SigningKey, at now: Timestamp) -> [String] {
        guard let key = all.first(where: { $0.id == made.id }) else { return [] }
        let (id, name) = (key.id, "\(key.id) (\(key.algorithm.rawValue))")
        let others = all.filter { $0.id != id && $0.algorithm == key.algorithm }
        guard key.activeAt > now else {
            let line = "\(name) signs from now on."
            let revoked =
                "All other keys and the tokens they have signed are revoked: running services know within "
                + "\(RefreshService.keyInterval.components.seconds) seconds, other verifiers when they fetch the keys again."
            return others.isEmpty ? [line] : [line, revoked]
        }
        return ["\(name) is published, and signs from \(key.activeAt)."]
            + others.filter { !$0.isRemoved(at: now) }.map { old in
                "\(old.id) signs until \(end(of: old) ?? key.activeAt), and is published until "
                    + "\(old.removedAt?.description ?? "it is rotated")."
            }
    }
}
