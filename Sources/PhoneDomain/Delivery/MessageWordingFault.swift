/// Why no message can be made of a ``MessageWording``.
public enum MessageWordingFault: Error, Hashable, Sendable {
    /// There is no template of that name.
    case templateUnknown
    /// The template has no text for that language, nor for the standard one.
    case translationMissing
    /// Variables of the template that are given no value.
    case substitutionsMissing([String])
    /// A value that no message may bear: a line break, a control character, a link, or longer than it may be; by the name of
    /// the variable, or `service` or `app_hash`.
    case valueRefused(String)
    /// The message would be longer than one SMS, and long ones are not allowed; or longer than any may be.
    case tooLong
}
