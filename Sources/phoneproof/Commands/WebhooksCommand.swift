import ArgumentParser

/// What is told of what happens, to whom, and what went wrong.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Try the receiver of events out, make its secret, and see to events that it did not take.",
        discussion: "Events are signed as Standard Webhooks has it (https://www.standardwebhooks.com).",
        subcommands: [
            WebhooksSendTestCommand.self, WebhooksSecretCommand.self, WebhooksListCommand.self,
            WebhooksRetryCommand.self,
        ]
    )
}
