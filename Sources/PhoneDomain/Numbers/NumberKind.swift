/// What a number is for, which decides whether a code may be sent to it. Raw values are stable: they are the wire's.
public enum NumberKind: String, Hashable, Sendable, CaseIterable {
    /// A mobile line in service.
    case mobile

    /// A mobile line of a network that has been switched off, such as Korea's 2G prefixes.
    case legacyMobile = "legacy_mobile"

    /// A line of a building.
    case fixedLine = "fixed_line"

    /// A line of which the plan does not tell whether it is fixed or mobile, as in North America.
    case fixedLineOrMobile = "fixed_line_or_mobile"

    /// A line carried over the internet.
    case voip

    /// A number that forwards to another one, such as Korea's 050X safety numbers.
    case personal

    /// A company's one number for the whole country, which can call and text but is not reached by text.
    case representative

    /// A call its receiver pays for.
    case tollFree = "toll_free"

    /// A call that costs its caller more than a call does.
    case premium

    /// A call whose cost caller and receiver share.
    case sharedCost = "shared_cost"

    /// A pager.
    case pager

    /// A mailbox for voice messages.
    case voicemail

    /// A device, not a person.
    case machine
}
