import ArgumentParser
import Foundation
import PhoneCLI
import PhoneDomain

/// Formats and judges a number.
struct NumberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "number",
        abstract: "Format a phone number and say what it is.",
        discussion: "Exits with 1 if it is no number of its plan."
    )

    @Argument(help: "The number, as people write it.")
    var text: String

    @Option(help: "The region whose plan a number without + is read by.")
    var region: Region?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: "The language of the report: en or ko. Otherwise that of the environment.")
    var locale: LanguageTag?

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let report = NumberReport(text, region: region ?? settings.region) { text, region throws(PhoneFailure) in
                try settings.policy.phoneNumber(in: text, region: region)
            }
            let environment = ProcessInfo.processInfo.environment
            let language = locale ?? LanguageTag(environment: environment) ?? settings.language
            print(json ? try report.json() : report.text(in: language.promptTexts(environment: environment)))
            return report.exitStatus
        }
    }
}
