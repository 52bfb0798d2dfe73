import HTTPTypes
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
import PhoneNumbers
package import PhoneService

/// The SMS arm of other authentication servers: what they post to have a code of theirs sent is sent by the service's
/// gateways, and under its limits.
package struct AuthHooks: Dock {
    private let hooks: [(server: AuthServer, proof: HookProof)]
    private let region: Region
    private let language: LanguageTag?

    package init(_ reader: SettingsReader) {
        let section = reader.section("auth_hooks") {
            "The SMS arm of other authentication servers. Each posts its codes to /v1/hooks/NAME, and may do so once its"
            "secret is set here."
        }
        region =
            section("region")
            .value(example: "KR", "a region, such as KR", near: Settings.region(near:), Settings.knownRegion) {
                "The region whose plan reads numbers without a calling code. By default there is none."
            } ?? .world
        language = section("language")
            .value(example: "ko", "a language tag, such as ko", LanguageTag.init) {
                "The language of what a person reads, unless the server names one. By default that of the number: Korean"
                "in Korea, English elsewhere."
            }
        hooks = AuthServer.allCases.compactMap { server in
            let setting = reader.section("auth_hooks.\(server.rawValue)") { "" }("secret")
            let text = setting.secret(example: "/run/secrets/\(server.rawValue)-hook", isNeeded: true) {
                "The secret of this hook as the server shows it or is given it, 16 characters or more. On further lines"
                "there may be others, while it is changed."
            }
            guard let text else { return nil }
            guard let proof = HookProof(text, server.proof) else {
                reader.reject(
                    "auth_hooks.\(server.rawValue).secret",
                    "",
                    wanted: server.proof == .standardWebhooks ? "v1,whsec_ and base64" : "16 characters or more",
                    isSecret: true
                )
                return nil
            }
            return (server, proof)
        }
    }

    package var findings: [Finding] {
        let paths = hooks.map { "/v1/hooks/\($0.server.rawValue)" }.joined(separator: ", ")
        return Finding.facts("hooks", paths.isEmpty ? nil : paths)
    }

    package func addRoutes(to router: APIRouter, over service: DockService) {
        for (server, proof) in hooks {
            let routes = HookRoutes(server: server, proof: proof, service: service, region: region, language: language)
            router.post("/v1/hooks/\(server.rawValue)", use: routes.send)
            router.post("/v1/hooks/\(server.rawValue)/approvals", use: routes.approve)
        }
    }
}
