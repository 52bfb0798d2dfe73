import PhoneDomain

/// What the phone field holds: what it shows of the text, and the number in it if a code can be sent there. It goes to
/// many at each key, by reference.
final class Phone: Sendable {
    let text: String
    let number: PhoneNumber?

    init(text: String, number: PhoneNumber?) {
        self.text = text
        self.number = number
    }
}
