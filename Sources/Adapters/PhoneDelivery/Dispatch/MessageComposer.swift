import Logging
public import PhoneAccounts
public import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Makes the text of a message from its verification's code, or its change's link.
public struct MessageComposer: Sendable {
    enum Problem: String, Error {
        case sealedCode = "the code cannot be decrypted"
        case undoToken = "the link cannot be created"
        case text = "the text cannot be rendered"
    }

    private let vault: any CodeVault
    private let undoTokens: UndoTokens
    private let renderer: any MessageRendering

    public init(vault: any CodeVault, undoTokens: UndoTokens, renderer: any MessageRendering) {
        (self.vault, self.undoTokens, self.renderer) = (vault, undoTokens, renderer)
    }

    func compose(
        _ claim: OutboxClaim,
        to recipient: PhoneNumber,
        _ log: MessageLog
    ) throws(Problem) -> GatewayMessage {
        var language = claim.change?.language ?? claim.verification.language
        var body: String
        var variables: MessageVariables?
        if claim.message.isNotice {
            let token = try undoToken(of: claim.change, log)
            body = try text(log) { try renderer.notice(undoneBy: token, language: language) }
        } else {
            let code = try code(of: claim.verification, log)
            let remaining = claim.verification.life(ifAcceptedAt: claim.message.createdAt)
            let wording = claim.message.wording
            let rendered = try text(log) {
                try renderer.message(with: code, language: language, remaining: remaining, wording: wording)
            }
            if let fault = rendered.fault { log.warn(of: fault, in: wording) }
            body = rendered.body
            variables = rendered.variables
            if claim.message.channel == .call, let variables {
                (body, language) = variables.spoken(in: language)
            }
        }
        return GatewayMessage(
            dedupeKey: claim.message.id.description,
            to: recipient,
            channel: claim.message.channel,
            fallsBackToSMS: claim.verification.fallbacks.first == .sms,
            body: body,
            language: language,
            variables: variables
        )
    }

    /// A message as people get it, with a code of zeros.
    func test(
        to recipient: PhoneNumber,
        by channel: Channel,
        _ language: LanguageTag,
        key: String
    ) throws -> GatewayMessage {
        guard let zeros = VerificationCode("000000") else { throw Problem.text }
        let life = VerificationPolicy.standard.codeTTL
        let rendered = try renderer.message(with: zeros, language: language, remaining: life, wording: nil)
        let call = channel == .call ? rendered.variables?.spoken(in: language) : nil
        return GatewayMessage(
            dedupeKey: key,
            to: recipient,
            channel: channel,
            body: call?.words ?? rendered.body,
            language: call?.language ?? language,
            variables: rendered.variables
        )
    }

    private func code(of verification: Verification, _ log: MessageLog) throws(Problem) -> VerificationCode {
        do {
            return try vault.open(verification.code, for: verification.codeContext)
        } catch {
            log.log(
                .error,
                "The code cannot be decrypted",
                ["code.key_id": "\(verification.code.keyID)", "error": "\(error)"]
            )
            throw .sealedCode
        }
    }

    private func undoToken(of change: NumberChange?, _ log: MessageLog) throws(Problem) -> SecretToken {
        let error: String
        do {
            if let token = try change.flatMap({ try undoTokens.token(of: $0) }) { return token }
            error = "the key that its secret was derived from is missing"
        } catch let failure {
            error = "\(failure)"
        }
        log.log(.error, "The link cannot be created", ["error": "\(error)"])
        throw .undoToken
    }

    private func text<Text>(_ log: MessageLog, _ make: () throws -> Text) throws(Problem) -> Text {
        do {
            return try make()
        } catch {
            // The type alone: the error's own words may quote the code or the secret.
            log.log(.error, "The text cannot be rendered", ["error.type": "\(type(of: error))"])
            throw .text
        }
    }
}
