import GRDB
public import PhoneDomain

extension SQLiteStore: ErasureStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        try await write { tables in
            // What is deleted is overwritten in its page, so that little is left for `removeTraces`. It costs nothing where
            // the pages are written anyway; other operations have it as SQLite was built.
            try tables.overwritingDeleted { try tables.erase(command) }
        }
    }

    /// Rewrites the file without what lingers in it, and empties the write-ahead log.
    ///
    /// To overwrite what is deleted is not enough: pages that were split or emptied long before keep copies of rows in
    /// what is free of them (https://www.sqlite.org/pragma.html#pragma_secure_delete), and the log keeps pages as they
    /// were. It takes about 0.6 s for 100 MB, in which writers wait as long as their busy timeout lets them, and as much
    /// free space again, in the folder and in that of temporary files. What the file system itself keeps of freed blocks is out of reach.
    public func removeTraces() async throws {
        do {
            try await writer.connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
            try await checkpoint?.emptyLog()
        } catch let error as DatabaseError {
            throw SQLiteStoreError(error)
        }
    }
}

extension Tables {
    func overwritingDeleted<Value>(_ work: () throws -> Value) throws -> Value {
        let before = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
        try db.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? db.execute(sql: "PRAGMA secure_delete = \(before == 2 ? "FAST" : "\(before)")") }
        return try work()
    }

    fileprivate func erase(_ command: EraseNumber) throws -> Erasure {
        let e164 = command.number.e164
        let account = try accounts.origin(e164: e164)
        let used = try account.map { try verifications.ids(consumedBy: $0.id) } ?? []
        let ids = Set(try verifications.ids(e164: e164) + used)
        let ofAccount = try account.map { try changes.ids(of: $0.id) } ?? []
        let changeIDs = Set(try changes.ids(e164: e164) + ofAccount)
        let messageIDs = try messages.ids(of: ids, changeIDs)
        var erasure = Erasure()
        // The one that made the account may be long gone, and its entries still there.
        let known = ids.union([account?.createdBy].compactMap(\.self))
        let concerning = try audit.concerning(known, command.digests)
        for place in concerning.places where command.covers(place.entry, of: known) {
            try audit.unlink(place)
            erasure.auditEntries += 1
        }
        // Those are the person's as well, whatever else they say.
        erasure.auditEntries += try audit.unlink(unreadable: concerning.unreadable)
        journal.append(concerning.unreadable, of: AuditEntryTable.name)
        let (signups, unreadableSignups) = try signups.all()
        // They go when their time is over, within minutes.
        journal.append(unreadableSignups, of: SignupTable.name)
        for signup in signups where command.covers(signup, of: ids) {
            erasure.signups += try db.run("DELETE FROM signup WHERE id = ?", [signup.id.description])
        }
        for key in try meters.keys(endingIn: e164) where command.covers(key) {
            erasure.limitMeters += try db.run("DELETE FROM rate_meter WHERE key = ?", [key.description])
        }
        // Other rules that fit the number are of more numbers than this (``EraseNumber/covers(_:)``).
        erasure.guardRules = try db.run("DELETE FROM guard_rule WHERE prefix = ?", [e164])
        erasure.safeNumbers = try safeNumbers.delete(e164: e164)
        // Each before what it refers to, or is found by.
        try events.delete(about: command.subjects(verifications: ids, messages: messageIDs, account: account?.id))
        erasure.answers = try requests.delete(about: ids)
        erasure.messages = try messages.delete(messageIDs)
        erasure.numberChanges = try changes.delete(changeIDs)
        erasure.verifications = try verifications.delete(ids)
        if let account {
            erasure.sessions = try sessions.delete(of: account.id)
            erasure.accounts = try accounts.delete(account.id)
        }
        // Other accounts with the number in their metadata are found by reading all metadata.
        var last = ""
        while true {
            let (page, unreadable) = try accounts.pageWithMetadata(after: last, limit: 1000)
            journal.append(unreadable, of: AccountTable.name)
            guard let end = (page.map(\.id.description) + unreadable).max() else { break }
            for account in page {
                guard let redacted = command.redacted(account) else { continue }
                try accounts.save(redacted, loaded: account, at: command.entry.at)
                erasure.metadata += 1
            }
            last = end
        }
        erasure.activities = try db.run("DELETE FROM number_activity WHERE e164 = ?", [e164])
        if !erasure.isEmpty { try audit.append(command.entry) }
        return erasure
    }
}
