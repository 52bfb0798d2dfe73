public import PhoneDomain

extension MemoryStore: ErasureStore {
    public func erase(_ command: EraseNumber) throws -> Erasure {
        try reach()
        let number = command.number
        let account = accounts.values.first { $0.phoneNumber == number }
        let ids = Set(
            verifications.values
                .filter { $0.phoneNumber == number || account != nil && $0.consumedBy == account?.id }
                .map(\.id)
        )
        let goneChanges = Set(
            changes.values
                .filter { $0.oldNumber == number || $0.newNumber == number || $0.accountID == account?.id }
                .map(\.id)
        )
        let known = ids.union([account?.createdBy].compactMap(\.self))
        var erasure = Erasure()
        for index in audit.indices where command.covers(audit[index].entry, of: known) {
            audit[index].entry = audit[index].entry.unlinked
            erasure.auditEntries += 1
        }
        erasure.signups = remove(from: &signups) { command.covers($0, of: ids) }
        let gone = messages.values
            .filter { ids.contains($0.verificationID) || $0.numberChangeID.map(goneChanges.contains) ?? false }
            .map(\.id)
        let subjects = command.subjects(verifications: ids, messages: gone, account: account?.id)
        events = events.filter { !subjects.contains($0.value.subject) }
        erasure.answers = remove(from: &requests) { $0.answer?.verificationID.map(ids.contains) ?? false }
        erasure.messages = remove(from: &messages) { gone.contains($0.id) }
        erasure.numberChanges = remove(from: &changes) { goneChanges.contains($0.id) }
        erasure.verifications = remove(from: &verifications) { ids.contains($0.id) }
        erasure.sessions = remove(from: &sessions) { $0.accountID == account?.id }
        erasure.accounts = remove(from: &accounts) { $0.phoneNumber == number }
        for account in accounts.values.compactMap(command.redacted) {
            accounts[account.id] = account
            erasure.metadata += 1
        }
        erasure.guardRules = remove(from: &rules) { command.covers($0) }
        erasure.safeNumbers = remove(from: &safeNumbers) { $0.e164 == number.e164 }
        erasure.activities = activities.removeValue(forKey: number.e164) == nil ? 0 : 1
        for key in meters.keys where command.covers(key) {
            meters[key] = nil
            erasure.limitMeters += 1
        }
        if !erasure.isEmpty { keep(command.entry) }
        return erasure
    }

    /// A dictionary keeps nothing of what was taken out of it.
    public func removeTraces() throws {
        try reach()
    }

    /// Takes out of a dictionary what is to go.
    ///
    /// - Returns: how much that was.
    func remove<Key, Value>(from table: inout [Key: Value], where isCovered: (Value) -> Bool) -> Int {
        let kept = table.filter { !isCovered($0.value) }
        defer { table = kept }
        return table.count - kept.count
    }
}
