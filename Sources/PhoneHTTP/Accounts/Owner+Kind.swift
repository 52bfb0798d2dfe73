import PhoneDomain

extension Owner {
    /// What kind of a one asked.
    enum Kind: String, CaseIterable {
        /// A guided signup.
        case signup
        /// A device that was signed in.
        case session
        /// A program by its API key.
        case program
        /// A program, or a person, on the machine that the service runs on.
        case local
    }

    /// Which it is.
    var kind: Kind {
        if self == .local { return .local }
        if Signup.ID(rawValue) != nil { return .signup }
        return Session.ID(rawValue) != nil ? .session : .program
    }
}
