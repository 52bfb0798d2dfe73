import AccessTokens
import Logging
import ServiceLifecycle

/// Looks for new signing keys, which other instances and operators make: often, since one may have been stolen.
struct SigningKeyService: Service {
    static let interval: Duration = .seconds(10)

    let tokens: JWTAccessTokens
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                guard !Task.isCancelled else { return }
                do {
                    try await tokens.refreshKeys()
                    isFailing = false
                } catch is CancellationError {
                    return
                } catch {
                    // Once: it is tried often.
                    if !isFailing {
                        logger.error(
                            "the signing keys could not be read; going on with those from before",
                            metadata: ["error": "\(error)"]
                        )
                    }
                    isFailing = true
                }
            }
        }
    }
}
