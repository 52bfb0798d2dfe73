import Console
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

/// Keys as a dock keeps them: the same of every account.
final class KeptKeys: SignInKeyDesk {
    private let store: MemoryStore
    private let kept: Mutex<[SignInKey]>

    init(_ keys: [SignInKey], in store: MemoryStore) {
        self.store = store
        kept = Mutex(keys)
    }

    func keys(of account: Account) -> [SignInKey] { kept.withLock { $0 } }

    func removeKey(_ id: String, of account: Account.ID, by author: Operator) async throws -> String? {
        let removed = kept.withLock { keys in keys.firstIndex { $0.id == id }.map { keys.remove(at: $0) } }
        guard let removed else { return nil }
        let entry = author.entry(.removeSignInKey, account.description, at: removed.createdAt)
        try await store.record(entry, within: .none)
        return removed.name
    }
}

/// A person's passkeys on the page of the support desk.
@Suite struct PersonKeysTests {
    static func key(
        _ name: String = "Anna's phone",
        _ serial: Int = 1,
        lastUsedAt: Timestamp? = nil,
        _ state: SignInKey.State = .active
    ) -> SignInKey {
        // At 2026-01-01.
        let moment = Timestamp(seconds: 1_767_225_600)
        return SignInKey(id: "key-\(serial)", name: name, createdAt: moment, lastUsedAt: lastUsedAt, state: state)
    }

    private static func person(_ server: DockServer<Console>) async throws -> String {
        try await AttackTests.Scene(server).account.id.description
    }

    @Test func `without passkeys in the service there is no word of them`() async throws {
        try await ConsoleTests.run { server in
            let id = try await Self.person(server)
            let browser = try await Browser(server, as: [.admin])
            #expect(try await !browser.get("person?q=\(id)").body.lowercased().contains("passkey"))
            let act = try await browser.act("person/remove-passkey", ["account": id, "key": "key-1"])
            #expect(act.status == 404)
        }
    }

    @Test func `it lists them with their state, and an operator removes one by name`() async throws {
        let used = Timestamp(seconds: 1_767_229_200)
        let keys = [Self.key(lastUsedAt: used), Self.key("Mac", 2, .asks), Self.key("Linux", 3, .ended)]
        try await ConsoleTests.run(keys: keys) { server in
            let id = try await Self.person(server)
            let browser = try await Browser(server, as: [.admin])
            let page = try await browser.get("person?q=\(id)").body
            for part in [
                "<h2>Passkeys</h2>",
                "<td data-label=\"Name\">Anna&#39;s phone</td><td data-label=\"Made at (UTC)\">"
                    + "<time datetime=\"2026-01-01T00:00:00.000Z\">2026-01-01 00:00:00</time></td>"
                    + "<td data-label=\"Last used (UTC)\"><time datetime=\"2026-01-01T01:00:00.000Z\">"
                    + "2026-01-01 01:00:00</time></td><td data-label=\"State\"><span class=\"state good\">active</span>",
                "<td data-label=\"Last used (UTC)\">–</td><td data-label=\"State\"><span class=\"state\">asks</span>",
                "<span class=\"state bad\">ended</span>",
                ">Remove the passkey Anna&#39;s phone of +82 10-1234-5678</h2>\n<p>It was made at <time",
                "Erases 1 account, 1 session, 3 passkeys, 1 number change",
            ] {
                #expect(page.contains(part), "\(part)")
            }
            let removed = try await browser.act("person/remove-passkey", ["account": id, "key": "key-1"])
            #expect(removed.headers["location"] == "/console/person?q=\(id)")
            let after = try await browser.note(after: removed, "person?q=\(id)")
            #expect(
                after.contains("<p role=\"status\" class=\"done\">Removed the passkey Anna&#39;s phone.</p>")
            )
            #expect(after.contains("<td data-label=\"Name\">Mac</td>"))
            #expect(!after.contains("<td data-label=\"Name\">Anna"))
            let again = try await browser.act("person/remove-passkey", ["account": id, "key": "key-1"])
            #expect(again.status == 404)
            #expect(again.body.contains("has no such key."))
        }
    }

    @Test func `who may not remove one sees no button`() async throws {
        try await ConsoleTests.run(keys: [Self.key()]) { server in
            let id = try await Self.person(server)
            for scope in [APIScope.viewer, .support] {
                let page = try await Browser(server, as: [scope], name: scope.rawValue).get("person?q=\(id)").body
                #expect(page.contains("<td data-label=\"Name\">Anna&#39;s phone</td>"))
                #expect(!page.contains("remove-passkey"))
            }
        }
    }

    @Test func `an account may have none`() async throws {
        try await ConsoleTests.run(keys: []) { server in
            let id = try await Self.person(server)
            let page = try await Browser(server, as: [.admin]).get("person?q=\(id)").body
            #expect(page.contains("<h2>Passkeys</h2><p class=\"small\">The account has none.</p>"))
            #expect(
                try await !Browser(server, as: [.admin], name: "ben").get("person?q=010-9999-0000").body.contains(
                    "Passkeys"
                )
            )
        }
    }
}
