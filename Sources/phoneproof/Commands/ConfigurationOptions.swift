import ArgumentParser
import Foundation
import Logging
import PhoneCLI

/// Where settings come from, for the commands that need any.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file of settings.",
            discussion: "Without it config/phoneproof.yaml is read, if there is one here.",
            valueName: "file"
        )
    )
    var config: String?

    private static let standardFile = "config/phoneproof.yaml"

    /// The file that is read, or nil if there is none.
    var file: String? {
        config ?? (FileManager.default.fileExists(atPath: Self.standardFile) ? Self.standardFile : nil)
    }

    /// Reads the settings, or ends the program with one line that says what is wrong.
    func load() async throws -> Settings {
        do {
            return try await Settings(file: file, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw Failure(.configuration, error.description)
        }
    }
}
