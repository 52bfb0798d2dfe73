import ArgumentParser
import OpenSSLCrypto
import PhoneCLI

/// A new secret.
struct WebhooksSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Print a new secret to sign events with.",
        discussion: """
            It is kept nowhere: put it into the file that webhooks.secrets_file names (mode 0600), and give it to the \
            receiver. To change a secret, put the new one beside the old one, restart, have the receiver know both or the \
            new one, and take the old one away.
            """
    )

    func run() async throws {
        try await reporting {
            print(try WebhookSecret.makeText())
            return .done
        }
    }
}
