import Logging
import PhoneDomain

extension MessageLog {
    /// Says that a message went out in other words than were asked for, and bears none of them.
    func warn(of fault: MessageWordingFault, in wording: MessageWording?) {
        var metadata: Logger.Metadata = ["reason": "\(fault.reason)"]
        if let template = wording?.template { metadata["template.name"] = "\(template)" }
        log(.warning, "The message cannot be worded as asked for; the service's own text is sent", metadata)
    }
}

extension MessageWordingFault {
    fileprivate var reason: StaticString {
        switch self {
        case .templateUnknown: "there is no such template"
        case .translationMissing: "the template has no text in that language"
        case .substitutionsMissing: "a variable of the template has no value"
        case .valueRefused: "a value may not stand in a message"
        case .tooLong: "it is too long"
        }
    }
}
