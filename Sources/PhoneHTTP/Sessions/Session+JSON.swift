import PhoneDomain

extension Session {
    /// The session as its holder is shown it.
    ///
    /// - Parameter current: the session that asks.
    func json(current: Session.ID?) -> JSON {
        [
            "id": .string(id.description),
            "user_agent": .string(userAgent),
            "created_at": .string(createdAt.description),
            "last_used_at": .string(refreshedAt.description),
            "expires_at": .string(end.description),
            "is_current": .bool(id == current),
        ]
    }
}
