import PhoneDomain

extension Account {
    /// The account as its holder is shown it.
    ///
    /// - Throws: ``Problem`` if what is kept with it is no JSON.
    func json() throws(Problem) -> JSON {
        [
            "id": .string(id.description),
            "phone_number": .string(phoneNumber?.e164),
            "national_format": .string(phoneNumber?.nationalFormat),
            "phone_number_verified": .bool(phoneNumber != nil),
            "phone_number_since": .string(phoneNumberSince.description),
            "created_at": .string(createdAt.description),
            "last_active_at": .string(lastActiveAt.description),
            "metadata": try metadata.value(),
            "deletion_due_at": .string(deletionDueAt?.description),
        ]
    }

    /// The account as a program is shown it that is to judge whether somebody is its holder.
    ///
    /// - Throws: ``Problem`` if what is kept with it is no JSON.
    func dormantJSON() throws(Problem) -> JSON {
        [
            "id": .string(id.description),
            "created_at": .string(createdAt.description),
            "last_active_at": .string(lastActiveAt.description),
            "metadata": try metadata.value(),
        ]
    }
}
