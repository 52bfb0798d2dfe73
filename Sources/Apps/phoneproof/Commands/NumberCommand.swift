import ArgumentParser
import FoundationEssentials
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService
import Texts

struct NumberCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "number",
        abstract: "Format and validate a phone number.",
        discussion: "Exits with 1 if it is not a valid number."
    )

    @Argument(help: "The phone number.") var text: String
    @Option(help: .region) var region: Region?
    @Flag(help: "Print JSON.") var json = false

    @Option(help: "The language of the report: \(Languages.list). Default: that of the environment.")
    var locale: LanguageTag?

    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        let settings = try options.load()
        let report = NumberReport(text, region: region ?? settings.region) { text, region throws(PhoneFailure) in
            try settings.policy.phoneNumber(in: text, region: region)
        }
        let environment = ProcessInfo.processInfo.environment
        let language = locale ?? LanguageTag(environment: environment) ?? settings.language
        let texts = language.texts(environment: environment)
        print(json ? report.json(in: texts) : report.text(in: texts))
        try end(with: report.exitStatus)
    }
}

/// A number that may be one that no code is sent to: stored data may be older than the rules.
enum NumberArgument {
    /// - Throws: ``Failure``, which does not quote the text.
    static func read(_ text: String, region: Region) throws -> PhoneNumber {
        do throws(PhoneNumberError) {
            return try PhoneNumber(parsing: text, region: region)
        } catch {
            throw Failure.failed("invalid phone number: \(error.detail)")
        }
    }
}
