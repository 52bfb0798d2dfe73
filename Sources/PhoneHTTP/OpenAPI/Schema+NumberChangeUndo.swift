extension Schema {
    /// By what a change of number is undone.
    static let undoNumberChange = object(
        [Property("token", text().described("What the link in the message ends in: 22 characters."))],
        isClosed: false
    )

    /// What one is told who is not signed in.
    static let undoneNumberChange = object([
        Property("phone_number", text().described("The number that the account has again, masked.")),
        Property("undone", constant(true)),
    ])
}
