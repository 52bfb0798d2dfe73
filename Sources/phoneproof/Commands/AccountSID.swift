import ArgumentParser
import PhoneDomain

/// An account of tenants as Twilio names one: `AC` and 32 lower-case hexadecimal digits.
struct AccountSID: ExpressibleByArgument, CustomStringConvertible {
    static let prefix = "AC"

    let id: TenantAccount.ID

    init?(argument: String) {
        guard argument.hasPrefix(Self.prefix),
            let id = TenantAccount.ID(hexadecimal: argument.dropFirst(Self.prefix.count))
        else { return nil }
        self.id = id
    }

    var description: String { Self.prefix + id.hexadecimal }
}
