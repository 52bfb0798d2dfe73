import ArgumentParser
import PhoneDomain

/// A key as `keys list` names it: `key_…`, or by Twilio's names `AC…` or `SK…`.
struct KeyArgument: ExpressibleByArgument, CustomStringConvertible {
    let id: APIKey.ID
    let description: String

    init?(argument: String) {
        let isTwilios = argument.hasPrefix("AC") || argument.hasPrefix("SK")
        guard let id = isTwilios ? APIKey.ID(hexadecimal: argument.dropFirst(2)) : APIKey.ID(argument) else {
            return nil
        }
        self.id = id
        description = argument
    }

    /// Whether it is the name of this key.
    func names(_ key: APIKey) -> Bool {
        description == key.id.description || description == TwilioKeyNames(of: key)?.sid
    }
}
