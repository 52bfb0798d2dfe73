import ArgumentParser
import Logging
import OpenSSLCrypto
import PhoneCLI

/// Says what is configured, what is missing, and what is unsafe.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Say what is configured, and what of it is missing or unsafe.",
        discussion: "Exits with 1 if `serve` would not start. Makes no file."
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings: Settings
            do {
                settings = try await options.load()
            } catch let failure as Failure {
                print("error: \(failure.line)")
                return .failed
            }
            let check = ConfigurationCheck(settings, file: options.file, at: SystemWallClock().now())
            check.lines.forEach { print($0) }
            return check.wouldStart ? .done : .failed
        }
    }
}
