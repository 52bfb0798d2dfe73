import ArgumentParser
import PhoneDomain

/// A tenant as Twilio names one, a service: `VA` and 32 lower-case hexadecimal digits.
struct ServiceSID: ExpressibleByArgument, CustomStringConvertible {
    static let prefix = "VA"

    let id: Tenant.ID

    init?(argument: String) {
        guard argument.hasPrefix(Self.prefix), let id = Tenant.ID(hexadecimal: argument.dropFirst(Self.prefix.count))
        else { return nil }
        self.id = id
    }

    var description: String { Self.prefix + id.hexadecimal }
}
