public import PhoneDomain

extension SQLiteStore {
    public func delete(_ command: DeleteAccount) async throws -> Bool {
        try await write { tables in
            guard let account = try tables.accounts.find(command.id), command.covers(account) else { return false }
            // As far as SQLite goes by itself; see `erase`.
            try tables.overwritingDeleted { try tables.delete(account, by: command) }
            return true
        }
    }
}

extension Tables {
    fileprivate func delete(_ account: Account, by command: DeleteAccount) throws {
        let covered = try verifications.concerning(account).filter { command.covers($0, of: account) }
        let ids = Set(covered.map(\.id))
        let changeIDs = Set(try changes.ids(of: account.id))
        let messageIDs = try messages.ids(of: ids, changeIDs)
        let digests = try command.digests(of: account)
        let known = ids.union([account.createdBy])
        let concerning = try audit.concerning(known, digests)
        for place in concerning.places where command.covers(place.entry, of: known, digests, account) {
            try audit.unlink(place)
        }
        _ = try audit.unlink(unreadable: concerning.unreadable)
        journal.append(concerning.unreadable, of: AuditEntryTable.name)
        // Each before what it refers to, or is found by.
        try events.delete(about: command.subjects(verifications: ids, messages: messageIDs))
        _ = try requests.delete(about: ids)
        _ = try signups.delete(of: ids)
        _ = try messages.delete(messageIDs)
        _ = try changes.delete(changeIDs)
        _ = try verifications.delete(ids)
        _ = try sessions.delete(of: account.id)
        _ = try accounts.delete(account.id)
        try audit.append(command.entry)
    }
}
