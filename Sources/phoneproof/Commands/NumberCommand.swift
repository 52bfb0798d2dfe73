import ArgumentParser
import FoundationEssentials
import PhoneCLI
import PhoneDomain

struct NumberCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "number",
        abstract: "Format a phone number and say what it is.",
        discussion: "Exits with 1 if it is no number of its plan."
    )

    @Argument(help: "The number, as people write it.") var text: String
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?
    @Flag(help: "Print JSON.") var json = false

    @Option(help: "The language of the report: en or ko. Otherwise that of the environment.")
    var locale: LanguageTag?

    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        let settings = try await options.load()
        let report = NumberReport(text, region: region ?? settings.region) { text, region throws(PhoneFailure) in
            try settings.policy.phoneNumber(in: text, region: region)
        }
        let environment = ProcessInfo.processInfo.environment
        let language = locale ?? LanguageTag(environment: environment) ?? settings.language
        print(json ? try report.json() : report.text(in: language.promptTexts(environment: environment)))
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
            throw Failure.failed("this is no phone number: \(error.detail)")
        }
    }
}
