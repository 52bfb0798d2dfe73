import PhoneAccounts
import PhoneSignup

@testable import PhoneDomain

extension SampleRecords {
    static func plainClient(_ serial: UInt64) -> OAuthClient {
        OAuthClient(
            id: OAuthClient.ID(bits: 0, serial),
            profile: ClientProfile(name: clientName("Shop"), redirectURIs: [callback]),
            secretDigest: nil,
            createdAt: moment + .seconds(1)
        )
    }

    static func fullClient(_ serial: UInt64) -> OAuthClient {
        OAuthClient(
            id: OAuthClient.ID(bits: 0, serial),
            profile: ClientProfile(
                name: clientName("예쁜 가게"),
                redirectURIs: [callback, RedirectURI("com.example.app:/signed-in") ?? callback],
                scopes: Set(["b:c", "a"].compactMap { ClientScope($0) }),
                logoutURIs: [callback],
                frameAncestors: ["https://shop.example", "http://127.0.0.1:8080"],
                theme: clientTheme,
                idTokenAlgorithm: .es256,
                requiresPKCE: false,
                signsInDevices: true
            ),
            secretDigest: [0, 255],
            formerSecret: OAuthClient.FormerSecret(digest: [1], endsAt: moment),
            createdAt: moment,
            revokedAt: moment + .seconds(1)
        )
    }

    private static let callback: RedirectURI = {
        guard let uri = RedirectURI("https://shop.example/callback?from=phone") else { preconditionFailure("no URI") }
        return uri
    }()

    private static let clientTheme: ClientTheme = {
        let logo = RedirectURI("https://cdn.shop.example/logo.svg?v=1")
        guard let theme = try? ClientTheme(logo: logo, accent: Color("#0b57d0"), radius: 0) else {
            preconditionFailure("no theme")
        }
        return theme
    }()

    private static func clientName(_ text: String) -> DisplayName {
        guard let name = DisplayName(text) else { preconditionFailure("not a name") }
        return name
    }

    static let plainDevice = DeviceAuthorization(
        key: "0a",
        deviceDigest: [],
        grant: ClientGrant(clientID: OAuthClient.ID(bits: 0, 1), scopes: [.openID]),
        address: nil,
        userAgent: nil,
        createdAt: moment,
        expiresAt: moment + .seconds(600),
        openedSessionID: Session.ID(bits: 0, 1)
    )

    static let fullDevice = DeviceAuthorization(
        key: "0b",
        deviceDigest: [0, 255],
        grant: ClientGrant(clientID: OAuthClient.ID(bits: 0, 2), scopes: Set(OpenIDScope.allCases)),
        address: ClientAddress("2001:db8::1"),
        userAgent: "Terminal 🙂",
        createdAt: moment + .seconds(1),
        expiresAt: moment + .seconds(601),
        openedSessionID: Session.ID(bits: 0, 2),
        interval: .seconds(10),
        askedAt: moment + .seconds(1),
        status: .approved,
        sessionID: Session.ID(bits: 0, 3)
    )

    static func plainCode(_ serial: UInt64) -> AuthorizationCode {
        AuthorizationCode(
            id: AuthorizationCode.ID(bits: 0, serial),
            digest: [],
            grant: ClientGrant(clientID: OAuthClient.ID(bits: 0, 1), scopes: [.openID]),
            redirectURI: callback,
            challenge: [],
            nonce: nil,
            sessionID: Session.ID(bits: 0, 1),
            expiresAt: moment
        )
    }

    static func fullCode(_ serial: UInt64) -> AuthorizationCode {
        AuthorizationCode(
            id: AuthorizationCode.ID(bits: 0, serial),
            digest: [0, 255],
            grant: ClientGrant(clientID: OAuthClient.ID(bits: 0, 2), scopes: Set(OpenIDScope.allCases)),
            redirectURI: RedirectURI("com.example.app:/signed-in") ?? callback,
            challenge: Array(0...31),
            nonce: "n 🙂",
            sessionID: Session.ID(bits: 0, 2),
            expiresAt: moment + .seconds(60),
            usedAt: moment + .seconds(1)
        )
    }
}
