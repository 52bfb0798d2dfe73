public import PhoneDomain

extension MemoryStore: ErasureStore {
    public func erase(_ command: EraseNumber) throws -> Erasure {
        try reach()
        let number = command.number
        let ids = Set(verifications.values.filter { $0.phoneNumber == number }.map(\.id))
        let account = accounts.values.first { $0.phoneNumber == number }
        let known = ids.union([account?.createdBy].compactMap(\.self))
        var erasure = Erasure()
        for index in audit.indices where command.covers(audit[index].entry, of: known) {
            audit[index].entry = audit[index].entry.unlinked
            erasure.auditEntries += 1
        }
        erasure.signups = remove(from: &signups) { command.covers($0, of: ids) }
        let gone = messages.values.filter { ids.contains($0.verificationID) }.map(\.id)
        let subjects = command.subjects(verifications: ids, messages: gone, account: account?.id)
        events = events.filter { !subjects.contains($0.value.subject) }
        erasure.answers = remove(from: &requests) { $0.answer?.verificationID.map(ids.contains) ?? false }
        erasure.messages = remove(from: &messages) { ids.contains($0.verificationID) }
        erasure.verifications = remove(from: &verifications) { ids.contains($0.id) }
        erasure.accounts = remove(from: &accounts) { $0.phoneNumber == number }
        erasure.guardRules = remove(from: &rules) { command.covers($0) }
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

    private func remove<Key, Value>(from table: inout [Key: Value], where isCovered: (Value) -> Bool) -> Int {
        let kept = table.filter { !isCovered($0.value) }
        defer { table = kept }
        return table.count - kept.count
    }
}
