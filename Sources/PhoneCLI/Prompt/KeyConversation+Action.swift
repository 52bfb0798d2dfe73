extension KeyConversation {
    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// Write this to the output.
        case write(String)
        /// Write this to the error output.
        case complain(String)
        /// Ask this of the signup, and report back. There is one such request at a time.
        case ask(SignupRequest)
        /// See whether the message that was sent can be shown.
        case lookForMessage(SignupView.SentCode)
        /// End.
        case leave(ExitStatus)
    }
}
