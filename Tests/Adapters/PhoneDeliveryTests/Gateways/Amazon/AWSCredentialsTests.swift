import CoreEncodings
import Foundation
import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("Credentials of a role", .hangLimit)
struct AWSCredentialsTests {
    private let clock = ManualClock()
    private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    private static func json(_ id: String, until end: String) -> String {
        let secrets = #""SecretAccessKey":"\#(secret)","Token":"t0ken==""#
        return #"{"Code":"Success","AccessKeyId":"\#(id)",\#(secrets),"Expiration":"\#(end)"}"#
    }

    private func provider(_ source: AWSCredentialsSource) -> AWSCredentialsProvider {
        // No time passes by itself, however long the machine takes.
        AWSCredentialsProvider(source, wallClock: clock, clock: ManualTimer(), connectTimeout: .seconds(60))
    }

    private func container(_ port: Int, tokenFile: String? = nil, token: String? = nil) throws -> AWSCredentialsSource {
        let url = try #require(EndpointURL("http://127.0.0.1:\(port)/v2/credentials?id=1"))
        return .container(url, tokenFile: tokenFile, token: token)
    }

    @Test("those of a container are fetched once for all that need them, with what authorizes it")
    func once() async throws {
        let answer = response(200, Self.json("ASIAEXAMPLE01", until: "2026-01-01T06:00:00Z"))
        try await FakeVendor.with(.answer(answer)) { vendor in
            let provider = provider(try container(vendor.port, token: "a b"))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await provider.credentials().accessKeyID } }
                for try await id in group { #expect(id == "ASIAEXAMPLE01") }
            }
            for _ in 0..<3 { _ = try await provider.credentials() }
            #expect(vendor.requests.count == 1)
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect((request.method, request.target) == ("GET", "/v2/credentials?id=1"))
            #expect(request["authorization"] == "a b")
        }
    }

    @Test("they are fetched again before they end, and those at hand are used meanwhile")
    func renewal() async throws {
        let count = Atomic(0)
        let answer = FakeVendor.Behavior.judge { _ in
            let count = count.add(1, ordering: .relaxed).newValue
            let end = count == 1 ? "2026-01-01T01:00:00Z" : "2026-01-01T02:00:00Z"
            return response(200, Self.json("ASIAEXAMPLE0\(count)", until: end))
        }
        try await FakeVendor.with(answer) { vendor in
            let provider = provider(try container(vendor.port))
            #expect(try await provider.credentials().accessKeyID == "ASIAEXAMPLE01")
            clock.advance(by: .seconds(3600 - 301))
            #expect(try await provider.credentials().accessKeyID == "ASIAEXAMPLE01")
            #expect(vendor.requests.count == 1)
            clock.advance(by: .seconds(1))
            #expect(try await provider.credentials().accessKeyID == "ASIAEXAMPLE01")
            try await vendor.hasRead(2)
            clock.advance(by: .seconds(301))
            #expect(try await provider.credentials().accessKeyID == "ASIAEXAMPLE02")
            #expect(vendor.requests.count == 2)
        }
    }

    @Test("while there are none, messages are tried later, and the endpoint is left alone for a while")
    func outage() async throws {
        try await FakeVendor.with(.answer(response(500))) { vendor in
            let provider = provider(try container(vendor.port))
            for _ in 0..<3 {
                await #expect(throws: GatewayFailure.retry("there is no role", code: 500)) {
                    try await provider.credentials()
                }
            }
            #expect(vendor.requests.count == 1)
            clock.advance(by: .seconds(5))
            await #expect(throws: GatewayFailure.retry("there is no role", code: 500)) {
                try await provider.credentials()
            }
            #expect(vendor.requests.count == 2)
        }
    }

    @Test("what Amazon does not take any more is fetched anew")
    func discarded() async throws {
        let count = Atomic(0)
        let answer = FakeVendor.Behavior.judge { request in
            if request.hasPrefix("POST") { return response(400, #"{"__type":"ExpiredTokenException"}"#) }
            let id = "ASIAEXAMPLE0\(count.add(1, ordering: .relaxed).newValue)"
            return response(200, Self.json(id, until: "2026-01-01T06:00:00Z"))
        }
        try await FakeVendor.with(answer) { vendor in
            let provider = provider(try container(vendor.port))
            let gateway = try AWSGatewayTests.gateway(port: vendor.port, credentials: provider)
            for id in ["ASIAEXAMPLE01", "ASIAEXAMPLE02"] {
                if id == "ASIAEXAMPLE02" {
                    // Not at once: the endpoint is left alone for a while, whatever it gave.
                    await #expect(throws: GatewayFailure.retry("there are no credentials in time")) {
                        try await provider.credentials()
                    }
                    clock.advance(by: .seconds(5))
                }
                let message = try vendorMessage()
                await #expect(throws: GatewayFailure.self) { try await gateway.send(message) }
                let request = HTTPRequestText(try #require(vendor.requests.last))
                #expect(request["authorization"]?.contains("Credential=\(id)/") == true)
                #expect(request["x-amz-security-token"] == "t0ken==")
            }
        }
    }

    @Test("an instance gives its role for a token that is asked for first (IMDSv2)")
    func instance() async throws {
        let answer = FakeVendor.Behavior.judge { text in
            let request = HTTPRequestText(text)
            let role = "/latest/meta-data/iam/security-credentials/"
            switch (request.method, request.target, request["x-aws-ec2-metadata-token"]) {
            case ("PUT", "/latest/api/token", nil):
                return request["x-aws-ec2-metadata-token-ttl-seconds"] == nil ? response(400) : response(200, "pr00f")
            case ("GET", role, "pr00f"): return response(200, "sender\n")
            case ("GET", role + "sender", "pr00f"):
                return response(200, Self.json("ASIAEXAMPLE01", until: "2026-01-01T06:00:00Z"))
            default: return response(401)
            }
        }
        try await FakeVendor.with(answer) { vendor in
            let url = try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)"))
            #expect(try await provider(.instance(url)).credentials().accessKeyID == "ASIAEXAMPLE01")
            #expect(vendor.requests.count == 3)
        }
    }

    @Test("a service account gives its token for a role, by STS")
    func webIdentity() async throws {
        let credentials = """
            <Credentials><SessionToken>t0ken==</SessionToken><SecretAccessKey>\(Self.secret)</SecretAccessKey>\
            <Expiration>2026-01-01T06:00:00Z</Expiration><AccessKeyId>ASIAEXAMPLE01</AccessKeyId></Credentials>
            """
        let body = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">\
            <AssumeRoleWithWebIdentityResult>\(credentials)</AssumeRoleWithWebIdentityResult>\
            </AssumeRoleWithWebIdentityResponse>
            """
        try await FakeVendor.with(.answer(response(200, body))) { vendor in
            let folder = try MessageDirectory(["token": "eyJ.a.b\n"])
            let sts = try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)"))
            let source = AWSCredentialsSource.webIdentity(
                role: "arn:aws:iam::123456789012:role/sms",
                session: "phoneproof",
                tokenFile: folder.path + "/token",
                sts: sts
            )
            #expect(try await provider(source).credentials().accessKeyID == "ASIAEXAMPLE01")
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(
                request.body == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
                    + "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fsms&RoleSessionName=phoneproof"
                    + "&WebIdentityToken=eyJ.a.b"
            )
        }
    }

    @Test("a file has profiles, and is read again as somebody writes it anew")
    func file() async throws {
        func content(_ id: String) -> String {
            """
            [default]
            aws_access_key_id = AKIAOTHER0001
            aws_secret_access_key = other
            [sms]
            aws_access_key_id=\(id)
            aws_secret_access_key = \(Self.secret)
            """
        }
        let folder = try MessageDirectory(["credentials": content("AKIAEXAMPLE01")])
        let path = folder.path + "/credentials"
        let provider = provider(.file(path: path, profile: "sms"))
        #expect(try await provider.credentials().accessKeyID == "AKIAEXAMPLE01")
        try Data(content("AKIAEXAMPLE02").utf8).write(to: URL(filePath: path))
        #expect(try await provider.credentials().accessKeyID == "AKIAEXAMPLE01")
        clock.advance(by: .seconds(60))
        #expect(try await provider.credentials().accessKeyID == "AKIAEXAMPLE02")
        await #expect(throws: GatewayFailure.retry("the credentials file has no such profile")) {
            try await self.provider(.file(path: path, profile: "none")).credentials()
        }
    }

    @Test("the name of a profile may have spaces, and be that of a file of settings")
    func profile() {
        let file = """
            [ my\tprofile ] # of the year
            aws_access_key_id = AKIAEXAMPLE01
            aws_secret_access_key = \(Self.secret)
            [profile sms codes]
            aws_access_key_id = AKIAEXAMPLE02
            aws_secret_access_key = \(Self.secret)
            """
        #expect(AWSCredentials(profile: "my profile", in: file)?.accessKeyID == "AKIAEXAMPLE01")
        #expect(AWSCredentials(profile: "sms codes", in: file)?.accessKeyID == "AKIAEXAMPLE02")
        #expect(AWSCredentials(profile: "myprofile", in: file) == nil)
    }

    private static let found: [(variables: [String: String], file: String?, shows: String?)] = [
        (
            ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE01", "AWS_SECRET_ACCESS_KEY": "s", "AWS_ROLE_ARN": "r"], nil,
            "AKIAEXAMPLE01"
        ),
        (["AWS_ACCESS_KEY_ID": "?", "AWS_SECRET_ACCESS_KEY": "s"], nil, nil),
        (["AWS_WEB_IDENTITY_TOKEN_FILE": "/t", "AWS_ROLE_ARN": "arn:r", "HOME": "/h"], "/h/.aws/credentials", "arn:r"),
        (
            [
                "AWS_WEB_IDENTITY_TOKEN_FILE": "/t", "AWS_ROLE_ARN": "arn:r",
                "AWS_ENDPOINT_URL_STS": "http://sts.example.com",
            ], nil, nil
        ),
        (["HOME": "/h"], "/h/.aws/credentials", "profile default in /h/.aws/credentials"),
        (["AWS_SHARED_CREDENTIALS_FILE": "/c", "AWS_PROFILE": "sms"], "/c", "profile sms in /c"),
        (
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/1", "HOME": "/h"], nil,
            "the role of this container (http://169.254.170.2)"
        ),
        (
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"], nil,
            "the role of this container (http://169.254.170.23)"
        ),
        (
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "https://credentials.example.com/1"], nil,
            "the role of this container (https://credentials.example.com)"
        ),
        (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://evil.example/1"], nil, nil),
        (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "@evil.example/1"], nil, nil),
        ([:], nil, "the role of this machine (http://169.254.169.254)"),
        (["AWS_EC2_METADATA_DISABLED": "TRUE"], nil, nil),
        (["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://evil.example"], nil, nil),
        (["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://169.254.169.254.evil.example"], nil, nil),
        (
            ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://[fd00:ec2::254]"], nil,
            "the role of this machine (http://[fd00:ec2::254])"
        ),
    ]

    @Test("what the environment names is found in Amazon's own order, and nothing unsafe", arguments: found)
    func environment(variables: [String: String], file: String?, shows: String?) throws {
        let region = try #require(AWSRegion("ap-northeast-2"))
        let source = AWSCredentialsSource(region: region, variable: { variables[$0] }, fileExists: { $0 == file })
        #expect(source?.description == shows)
    }
}
