import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Somebody, or some machine, who asks for a code: when, for which number, and what comes then.
struct SimulatedPerson: Sendable {
    let number: PhoneNumber
    let address: ClientAddress?
    /// Whether this is a person, and not the attack.
    let isHonest: Bool
    /// When the code is asked for.
    let asksAt: Timestamp
    /// When it is asked for once more, if it is.
    let asksAgainAt: Timestamp?
    /// When it is typed, if it is and a message came.
    let typesAt: Timestamp?
}
