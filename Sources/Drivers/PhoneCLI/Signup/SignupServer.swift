import AsyncHTTPClient
public import CoreEncodings
package import PhoneDomain
package import PhoneNumbers
import PhoneProofAsyncHTTPClient
package import PhoneProofClient
public import PhoneSignup
import PhoneViewModel

/// Begins signups on a server: with the same view model, over HTTP.
public struct SignupServer: Sendable {
    private let server: String
    private let region: Region
    private let channel: Channel?
    private let client: PhoneProofClient?
    private let solver: (any ChallengeSolver)?
    private let saved: SavedSignup?

    /// - Parameters:
    ///   - region: where numbers in national form are at home.
    ///   - channel: nil for the order of the number's country.
    ///   - solver: of the challenges that the server asks for.
    ///   - saved: where a signup is kept while its code can be entered; nil for nowhere.
    package init(
        _ server: EndpointURL,
        region: Region,
        language: LanguageTag,
        channel: Channel? = nil,
        clock: (any WallClock)? = nil,
        solver: (any ChallengeSolver)? = nil,
        saved: SavedSignup? = nil,
        transport: (any HTTPTransport)? = nil
    ) {
        self.saved = saved
        (self.server, self.region, self.channel, self.solver) = (server.description, region, channel, solver)
        client = PhoneProofClient(
            server: server.description,
            language: language.description,
            transport: transport ?? Self.transport,
            // A person at a prompt wants to know of a refused connection now, and tries again.
            retries: PhoneProofClient.Retries(attempts: 1),
            now: { clock?.now() ?? .now }
        )
    }

    /// Begins a signup, or goes on with the one whose code can still be entered.
    public func begin() async throws(SignupFlowError) -> SignupFlow {
        do throws(PhoneProofError) {
            guard let client else { throw .unreachable(reason: "not a base URL") }
            let signup: RemoteSignup
            if let continued = try await continued(by: client) {
                signup = continued
            } else {
                signup = try await begun(by: client)
            }
            // The prompt shows the rules, and asks about them, before it sends anything.
            signup.acceptConsent()
            let consent = signup.consent.map {
                ConsentPolicy(
                    version: $0.version,
                    isRequired: $0.isRequired,
                    terms: $0.termsURL.flatMap { RedirectURI($0) },
                    privacy: $0.privacyURL.flatMap { RedirectURI($0) }
                )
            }
            let viewModel = PhoneViewModel(
                useCase: signup,
                phoneText: signup.startText,
                sentCode: signup.sentCode,
                channel: channel
            )
            return SignupFlow(viewModel, consent: consent) { [server, saved] state in
                if state.signedUp != nil {
                    saved?.remove()
                } else if state.takesCode {
                    saved?.write(SavedSignup.Entry(server: server, id: signup.id, token: signup.token))
                }
                guard let error = signup.error else { return nil }
                if case .refused(let problem) = error, problem.keepsSignup { return nil }
                return SignupFlowError(error, server)
            }
        } catch {
            throw SignupFlowError(error, server)
        }
    }

    /// The server knows how long its codes are.
    private func begun(by client: PhoneProofClient) async throws(PhoneProofError) -> RemoteSignup {
        let solver = solver.map(Self.solving)
        return try await client.beginSignup(region: region, codeLengths: VerificationCode.lengths, solver: solver)
    }

    /// Nil if no code can be entered any more.
    private func continued(by client: PhoneProofClient) async throws(PhoneProofError) -> RemoteSignup? {
        guard let entry = saved?.entry, entry.server == server else { return nil }
        do throws(PhoneProofError) {
            let signup = try await client.signup(
                entry.id,
                token: entry.token,
                region: region,
                codeLengths: VerificationCode.lengths,
                solver: solver.map(Self.solving)
            )
            guard let sentCode = signup.sentCode, sentCode.isOpen, sentCode.channel?.carriesCode != false else {
                return nil
            }
            return signup
        } catch .refused {
            return nil
        }
    }

    private static func solving(_ solver: any ChallengeSolver) -> WorkChallenge.Solver {
        { work in
            let work = ProofOfWork(
                hash: work.challenge,
                salt: work.salt,
                signature: work.signature,
                maxNumber: work.maxNumber,
                expiresAt: .now
            )
            return try? await solver.solve(work)?.number
        }
    }

    /// One for the process. Its client must not be released without being shut down, so it lives until the process
    /// ends.
    static let transport = AsyncHTTPClientTransport(
        HTTPClient(eventLoopGroupProvider: .singleton, configuration: AsyncHTTPClientTransport.configuration)
    )
}

extension SignupFlowError {
    fileprivate init(_ error: PhoneProofError, _ server: String) {
        switch error {
        case .unreachable(let reason): self = .unreachable(server: server, reason: reason)
        case .notUnderstood(let status): self = .notUnderstood(server: server, status: status)
        case .refused(let problem):
            self = .refused(status: problem.status, message: problem.message ?? problem.detail)
        }
    }
}

/// The messages in the SMS stub of a server, if it has one that we may read.
public actor RemoteInbox {
    private let server: EndpointURL
    private var shown: Set<String> = []

    public init(server: EndpointURL) { self.server = server }

    /// The message that has just been sent to this number, if it arrives within two seconds; nil at once if there is
    /// no stub.
    public func note(_ sent: SentCode) async -> String? {
        for _ in 0..<20 {
            guard let inbox = await messages(to: sent.address) else { return nil }
            if let message = inbox.first, let id = message["sid"]?.string, shown.insert(id).inserted {
                return message["body"]?.string
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func messages(to address: String) async -> [JSON]? {
        let url = server.description + "/stub/messages?limit=1&to=" + address.percentEncoded
        let request = HTTPTransportRequest(method: "GET", url: url)
        guard let response = try? await SignupServer.transport.response(to: request), response.status == 200
        else { return nil }
        return response.body.withUnsafeBytes { JSON(parsing: $0) }?["messages"]?.array
    }
}

extension SentCode {
    /// What the stub lists its message under.
    fileprivate var address: String { (channel ?? .sms).address(of: number) }
}
