import NIOCore
public import PhoneDomain

extension PersonalData {
    /// All of it as JSON, as its holder is handed it at `GET /v1/accounts/me/export`, for an operator to hand out.
    ///
    /// - Throws: if what is kept with the account is no JSON.
    public func text(at now: Timestamp) throws -> String {
        String(buffer: try json(for: nil, at: now).bytes)
    }
}
