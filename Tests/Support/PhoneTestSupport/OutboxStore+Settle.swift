public import PhoneAdministration
public import PhoneDomain

extension OutboxStore {
    public func settle(_ command: SettleMessage) async throws -> Bool { try await settle([command])[0] }
}

extension AdministrationStore {
    /// The first messages of this status, or of all, newest first.
    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        var (search, found) = (MessageSearch(limit: min(limit, 1000)), [OutboxClaim]())
        search.status = status
        repeat {
            let page = try await messages(search)
            found += page.items
            search.before = page.next.flatMap { OutboxMessage.ID($0) }
        } while search.before != nil && found.count < limit
        return Array(found.prefix(limit))
    }
}
