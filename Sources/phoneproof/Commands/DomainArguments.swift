public import ArgumentParser
public import PhoneCLI
public import PhoneDomain

// Values of the domain that read themselves from text are arguments as they are.

extension Region: ExpressibleByArgument {}

extension LanguageTag: ExpressibleByArgument {}

extension AuditEntry.Action: ExpressibleByArgument {}

extension PastMoment: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension ServerAddress: ExpressibleByArgument {}

extension OutboxMessage.Status: ExpressibleByArgument {}

extension CallerName: ExpressibleByArgument {}

extension APIScope: ExpressibleByArgument {}

extension Identifier: ExpressibleByArgument {}

extension EventID: ExpressibleByArgument {}

extension Event.Kind: ExpressibleByArgument {}

extension Event.Status: ExpressibleByArgument {}
