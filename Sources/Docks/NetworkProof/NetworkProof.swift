import CoreEncodings
import OpenSSLCrypto
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
import PhoneNumbers
package import PhoneService

/// CAMARA Number Verification: the mobile network says whether the phone that is on it has a number
/// (https://github.com/camaraproject/NumberVerification), by OpenID Connect as CAMARA's Security and Interoperability
/// Profile has it, or as Vonage has it; or Twilio's Silent Network Auth.
package struct NetworkProof: Dock {
    private enum Source {
        case openID(Provider)
        case twilio(TwilioService)
    }

    private let source: Source?

    package init(_ reader: SettingsReader) {
        _ = reader.section("proofs") {
            "What proves a number in place of a message, with the proof of a signup or a verification."
        }
        let section = reader.section("proofs.network") {
            "CAMARA Number Verification, or Twilio's Silent Network Auth: the phone opens a URL over its mobile data, and"
            "the network says whether the number is its own. It is on if this has a client_id."
        }
        let clientID = section("client_id").text(example: "00000000-0000-0000-0000-000000000000") {
            "What the provider knows you by; of Vonage the application's ID, of Twilio the SID of an API key or the account."
        }
        let method = section("authentication").choice(ClientAuthentication.Method.privateKeyJWT) {
            "How the service authenticates to the provider. CAMARA's profile has private_key_jwt, by RS256; vonage_jwt is"
            "for Vonage."
        }
        let credential = section("credential").secret(example: "/run/secrets/network-proof", isNeeded: clientID != nil)
        {
            "The client's secret; for private_key_jwt and vonage_jwt its private RSA key of 2048 bits, in PEM; of Twilio the"
            "API key's secret or the auth token."
        }
        let keyID = section("key_id").text(example: "key-1") {
            "For private_key_jwt, what the provider knows the key by, if it wants that."
        }
        let authorization = Self.url(section, "authorization_url", "https://operator.example/oauth2/auth") {
            "Where phones are sent, which see the client_id and the redirect_uri."
        }
        let token = Self.url(section, "token_url", "https://operator.example/oauth2/token") {
            "Where the code that a phone brings back is redeemed."
        }
        let verification = Self.url(section, "verify_url", "https://operator.example/number-verification/v2/verify") {
            "Where it is asked whether the number is the phone's."
        }
        let redirectURI = section("redirect_uri").value(
            example: "https://app.example.com/number",
            "an https URL, or one of a private-use scheme with a dot in it",
            { RedirectURI($0) }
        ) { "A link of your own app, which the phone is sent back to; as the provider has it registered." }
        let scope = section("scope").text("openid dpv:FraudPreventionAndDetection number-verification:verify") {
            "The scopes, with the purpose among them. Vonage has its own."
        }
        let hint = section("login_hint").choice(LoginHint.tel) {
            "How phones tell the provider the number beforehand, by which some find the operator: tel (tel:+8210…),"
            "number (+8210…) or none."
        }
        let service = section("twilio_service_sid").value(
            example: "VA00000000000000000000000000000000",
            "VA and 32 hexadecimal digits",
            { TwilioService.digits(of: $0, "VA") == nil ? nil : $0 }
        ) { "Your service of Twilio Verify. With it Twilio is asked, by client_id and credential, and no URL above." }
        let address = Self.url(section, "twilio_url", "https://verify.dublin.ie1.twilio.com") {
            "Where Twilio Verify is, if that is not https://verify.twilio.com. Carriers belong to a region of Twilio's."
        }
        let hasClientToken = section("twilio_client_token").flag(true) {
            "Whether only the phone that has opened the URL can go on: Twilio answers it with a token, which your app must"
            "send. Without it, who has a person open a URL on their phone proves their number."
        }
        if let service {
            if let clientID, let credential {
                let address = address ?? EndpointURL(httpsHost: "verify.twilio.com")
                source = .twilio(
                    TwilioService(
                        sid: service,
                        address: address,
                        clientID: clientID,
                        credential: credential,
                        hasClientToken: hasClientToken
                    )
                )
            } else {
                reader.failTogether("proofs.network.twilio_service_sid needs client_id and credential_file")
                source = nil
            }
            return
        }
        guard let clientID else {
            source = nil
            return
        }
        let authentication = credential.flatMap { ClientAuthentication(method, clientID, $0, keyID: keyID) }
        guard let authentication, let authorization, let token, let verification, let redirectURI else {
            reader.failTogether(
                "proofs.network.client_id needs authorization_url, token_url, verify_url, redirect_uri and "
                    + "credential_file: a secret, or for private_key_jwt and vonage_jwt an RSA key of 2048 bits in PEM"
            )
            source = nil
            return
        }
        source = .openID(
            Provider(
                authentication: authentication,
                authorization: authorization,
                token: token,
                verification: verification,
                redirectURI: redirectURI,
                scope: scope,
                loginHint: hint
            )
        )
    }

    private static func url(
        _ section: SettingsSection,
        _ name: String,
        _ example: String,
        @Sentences help: () -> String
    ) -> EndpointURL? {
        let wanted = "an https URL without a query, or an http URL of this machine"
        let parse = { (text: String) in EndpointURL(base: text).flatMap { $0.isPlain && !$0.isLoopback ? nil : $0 } }
        return section(name).value(example: example, wanted, parse, help: help)
    }

    package var findings: [Finding] {
        let text =
            switch source {
            case .openID(let provider)?:
                "by \(provider.authorization.authority), as \(provider.authentication.clientID)"
            case .twilio(let service)?: "by \(service.address.authority), as \(service.clientID)"
            case nil: String?.none
            }
        return Finding.facts("proofs.network", text)
    }

    package func numberProof(
        in environment: DeliveryEnvironment,
        _ deriver: any SecretDeriver,
        _ identifiers: any IdentifierSource
    ) -> (any NumberProofVerifier)? {
        let states = ProofStates(deriver: deriver, identifiers: identifiers)
        switch source {
        case .openID(let provider)?:
            return NetworkVerifier(provider: provider, states: states, environment: environment)
        case .twilio(let service)?:
            return TwilioVerifier(service: service, states: states, environment: environment)
        case nil: return nil
        }
    }
}

/// An authorization server with its API, as the operator of the service has it in the settings. No other host is asked.
struct Provider: Sendable {
    let authentication: ClientAuthentication
    let authorization, token, verification: EndpointURL
    let redirectURI: RedirectURI
    let scope: String
    let loginHint: LoginHint
}

enum LoginHint: String, CaseIterable, Sendable {
    case tel, number, none

    func text(of number: PhoneNumber) -> String? {
        switch self {
        case .tel: "tel:" + number.e164
        case .number: number.e164
        case .none: nil
        }
    }
}
