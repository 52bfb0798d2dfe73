public import PhoneDomain

extension OutboxStore {
    public func settle(_ command: SettleMessage) async throws -> Bool { try await settle([command])[0] }
}
