import PhoneDomain

extension SignedUp {
    /// The account as its owner is shown it.
    var json: JSON {
        [
            "id": .string(account.id.description),
            "phone_number": .string(account.phoneNumber?.e164),
            "created_at": .string(account.createdAt.description),
            "is_new": .bool(isNew),
        ]
    }
}
