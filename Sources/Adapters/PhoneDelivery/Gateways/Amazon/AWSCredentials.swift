public import CoreEncodings
import NIOHTTP1
public import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Synchronization

/// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html.
public struct AWSCredentials: Hashable, Sendable, ConcealsSecrets {
    public let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    public var isTemporary: Bool { sessionToken != nil }

    /// `nil` unless the ID is 11 to 128 ASCII letters, digits and underscores, and the secret and the token, if there
    /// is one, are printable ASCII without spaces, of at most 128 and 16,384 characters.
    ///
    /// - Parameter sessionToken: of temporary credentials, which expire within hours.
    public init?(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        // Amazon's own example, AKIDEXAMPLE, has 11.
        guard 11...128 ~= accessKeyID.utf8.count,
            accessKeyID.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }),
            secretAccessKey.isGatewayKey(), sessionToken?.isGatewayKey(1...16_384) ?? true
        else { return nil }
        (self.accessKeyID, self.secretAccessKey) = (accessKeyID, secretAccessKey)
        self.sessionToken = sessionToken
    }

    public var description: String { accessKeyID }
}

/// Where credentials come from. Those of a role end within hours.
public enum AWSCredentialsSource: Hashable, Sendable {
    case fixed(AWSCredentials)
    /// A profile of a shared credentials file, which somebody else keeps valid.
    /// Source: https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html.
    case file(path: String, profile: String)
    /// The endpoint of a container of ECS or EKS, with what goes into `Authorization`.
    /// Source: https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html.
    case container(EndpointURL, tokenFile: String?, token: String?)
    /// A role for the token of a Kubernetes service account, by STS.
    /// Source: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html.
    case webIdentity(role: String, session: String, tokenFile: String, sts: EndpointURL)
    /// The role of an EC2 instance, by IMDSv2.
    /// Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html.
    case instance(EndpointURL)
}

extension AWSCredentialsSource: CustomStringConvertible {
    /// Contains no secret.
    public var description: String {
        switch self {
        case .fixed(let credentials): credentials.description
        case .file(let path, let profile): "profile \(profile) in \(path)"
        case .container(let url, _, _): "the role of this container (\(url.origin))"
        case .webIdentity(let role, _, _, _): role
        case .instance(let url): "the role of this machine (\(url.origin))"
        }
    }

    /// What the variables name that Amazon's own libraries read, in their order: keys, the token of a service account, a
    /// file, the endpoint of a container, and else the instance. Nil where it cannot be used: an endpoint gets a token
    /// or gives keys away, and must be encrypted or on this machine.
    public init?(region: AWSRegion, variable: (String) -> String?, fileExists: (String) -> Bool) {
        func url(_ name: String) -> EndpointURL? { variable(name).flatMap(EndpointURL.init(base:)) }
        let path = variable("AWS_SHARED_CREDENTIALS_FILE") ?? variable("HOME").map { $0 + "/.aws/credentials" }
        let container = variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").map { "http://169.254.170.2" + $0 }
        if let id = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            let token = variable("AWS_SESSION_TOKEN")
            guard let keys = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
            else { return nil }
            self = .fixed(keys)
        } else if let file = variable("AWS_WEB_IDENTITY_TOKEN_FILE"), let role = variable("AWS_ROLE_ARN") {
            let session = variable("AWS_ROLE_SESSION_NAME") ?? "phoneproof"
            let sts = url("AWS_ENDPOINT_URL_STS") ?? .amazon("sts", in: region)
            guard !sts.isPlain || sts.isLoopback else { return nil }
            self = .webIdentity(role: role, session: session, tokenFile: file, sts: sts)
        } else if let path, fileExists(path) {
            self = .file(path: path, profile: variable("AWS_PROFILE") ?? "default")
        } else if let text = container ?? variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            let own = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "fd00:ec2::23"]
            guard let url = EndpointURL(text), !url.isPlain || url.isLoopback || own.contains(url.host) else {
                return nil
            }
            let tokenFile = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
            self = .container(url, tokenFile: tokenFile, token: variable("AWS_CONTAINER_AUTHORIZATION_TOKEN"))
        } else if variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true",
            let base = url("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? EndpointURL("http://169.254.169.254"),
            !base.isPlain || base.isLoopback || ["169.254.169.254", "[fd00:ec2::254]"].contains(base.host)
        {
            self = .instance(base)
        } else {
            return nil
        }
    }
}

/// Has credentials ready. Those that end are fetched when they are first needed and again before they end, beside the
/// requests that need them, by one fetch at a time.
public final class AWSCredentialsProvider: Sendable {
    private static let timeout: Duration = .seconds(5)
    /// How long before their end they are fetched again; after half of a shorter life.
    private static let margin: Duration = .seconds(300)
    /// The pause after a fetch, whether it failed or not.
    private static let pause: Duration = .seconds(5)
    /// How long a file is believed.
    private static let fileLife: Duration = .seconds(60)

    private struct Fetched {
        let credentials: AWSCredentials
        let end: Timestamp
    }

    private struct State {
        var fetched: Fetched?
        var failure = GatewayFailure.retry("there are no credentials in time")
        /// Nil for at once.
        var nextFetch: Timestamp?
        /// Nothing is fetched before, whatever became of the last fetch.
        var pauseEnd: Timestamp?
        var fetch: Task<Void, Never>?
    }

    private let source: AWSCredentialsSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let client: GatewayClient
    private let state = Mutex(State())

    /// - Parameter connectTimeout: of an endpoint, which is near.
    public init(
        _ source: AWSCredentialsSource,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(),
        connectTimeout: Duration = .seconds(2)
    ) {
        (self.source, self.wallClock, self.clock) = (source, wallClock, clock)
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    /// - Throws: ``GatewayFailure/Kind/retry`` while there are none that are valid. When the task is cancelled, it
    ///   returns without delay.
    func credentials() async throws(GatewayFailure) -> AWSCredentials {
        if case .fixed(let credentials) = source { return credentials }
        let now = wallClock.now()
        let (fetched, fetch) = state.withLock { state in
            if state.fetch == nil, state.nextFetch.map({ now >= $0 }) ?? true {
                state.fetch = Task { await self.fetch() }
            }
            return (state.fetched, state.fetch)
        }
        if let fetched, now < fetched.end { return fetched.credentials }
        _ = await withTimeout(Self.timeout * 2, on: clock) { await fetch?.value }
        let result = state.withLock { ($0.fetched, $0.failure) }
        guard let fetched = result.0, wallClock.now() < fetched.end else { throw result.1 }
        return fetched.credentials
    }

    /// Has what Amazon does not take any more fetched anew.
    func discard(_ credentials: AWSCredentials) {
        state.withLock { state in
            guard state.fetched?.credentials == credentials else { return }
            (state.fetched, state.nextFetch) = (nil, state.pauseEnd)
        }
    }

    private func fetch() async {
        let result: Result<Fetched?, GatewayFailure>
        do throws(GatewayFailure) {
            result = .success(
                try await withTimeout(Self.timeout, on: clock) { () async throws(GatewayFailure) in
                    try await self.read()
                }
            )
        } catch {
            result = .failure(error)
        }
        let now = wallClock.now()
        state.withLock { state in
            (state.fetch, state.nextFetch, state.pauseEnd) = (nil, now + Self.pause, now + Self.pause)
            switch result {
            case .success(let fetched?):
                state.fetched = fetched
                state.nextFetch = max(now + Self.pause, fetched.end - min(Self.margin, (fetched.end - now) / 2))
            case .success(nil): state.failure = .retry("there are no credentials in time")
            case .failure(let failure): state.failure = failure
            }
        }
    }

    private func read() async throws(GatewayFailure) -> Fetched {
        switch source {
        case .fixed(let credentials): return Fetched(credentials: credentials, end: wallClock.now() + Self.fileLife)
        case .file(let path, let profile):
            guard let credentials = AWSCredentials(profile: profile, in: try Self.contents(of: path)) else {
                throw .retry("the credentials file has no such profile")
            }
            return Fetched(credentials: credentials, end: wallClock.now() + Self.fileLife)
        case .container(let url, let tokenFile, var token):
            if let tokenFile { token = try Self.contents(of: tokenFile) }
            let response = try await get(url.description, token.map { [("Authorization", $0)] } ?? [])
            return try Self.fetched { response.json?[$0]?.string }
        case .webIdentity(let role, let session, let tokenFile, let sts):
            let form = URLEncodedForm([
                ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
                ("RoleSessionName", session), ("WebIdentityToken", try Self.contents(of: tokenFile)),
            ])
            let response = try await client.post(form, to: "\(sts)/", headers: [("Accept", "text/xml")])
            if response.statusFailure != nil { throw .retry("STS refuses the role", code: response.status) }
            let result = response.body.flatMap(XMLElement.init(document:))?.child("AssumeRoleWithWebIdentityResult")
            let parts = result?.child("Credentials")
            return try Self.fetched { parts?.child($0 == "Token" ? "SessionToken" : $0)?.text }
        case .instance(let base):
            let life = [("X-aws-ec2-metadata-token-ttl-seconds", "60")]
            let url = "\(base)/latest/api/token"
            let token = try await client.post([], contentType: "text/plain", to: url, method: .PUT, headers: life)
            let proof = [("X-aws-ec2-metadata-token", try Self.word(token))]
            let path = "\(base)/latest/meta-data/iam/security-credentials/"
            let role = try Self.word(try await get(path, proof))
            let response = try await get(path + role.percentEncoded, proof)
            return try Self.fetched { response.json?[$0]?.string }
        }
    }

    private func get(
        _ url: String,
        _ headers: [GatewayClient.Header]
    ) async throws(GatewayFailure) -> GatewayResponse {
        let response = try await client.get(url, headers: headers)
        if response.statusFailure != nil { throw .retry("there is no role", code: response.status) }
        return response
    }

    private static func fetched(_ part: (String) -> String?) throws(GatewayFailure) -> Fetched {
        guard let id = part("AccessKeyId"), let secret = part("SecretAccessKey"), let token = part("Token"),
            let end = part("Expiration").flatMap(Timestamp.init(rfc3339:)),
            let credentials = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
        else { throw .retry("the credentials of the role cannot be read") }
        return Fetched(credentials: credentials, end: end)
    }

    private static func word(_ response: GatewayResponse) throws(GatewayFailure) -> String {
        let text = response.statusFailure == nil ? response.body.map { String(decoding: $0, as: UTF8.self) } : nil
        guard let word = text?.split(whereSeparator: \.isWhitespace).first else {
            throw .retry("there is no role", code: response.status)
        }
        return String(word)
    }

    private static func contents(of path: String) throws(GatewayFailure) -> String {
        guard let bytes = try? MessageFolder.contents(of: path) else {
            throw .retry("a file of credentials cannot be read")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension AWSCredentials {
    /// - Parameter file: sections in brackets, and `name = value` below.
    init?(profile: String, in file: String) {
        // Spaces within a name count, those around it do not.
        func words(_ text: some StringProtocol) -> String { text.split(separator: " ").joined(separator: " ") }
        var values: [String: String] = [:]
        var isWanted = false
        for line in file.replacing("\t", with: " ").split(whereSeparator: \.isNewline) {
            let line = words(line)
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                let name = words(line[..<end].dropFirst())
                // As the file of settings has them (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
                isWanted = [words(profile), "profile " + words(profile)].contains(name)
            } else if isWanted, let equals = line.firstIndex(of: "=") {
                values[words(line[..<equals])] = words(line[equals...].dropFirst())
            }
        }
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
        self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: values["aws_session_token"])
    }
}
