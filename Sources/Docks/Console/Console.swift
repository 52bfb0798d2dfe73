import CoreEncodings
import HTTPTypes
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
package import PhoneService
package import PhoneStore

/// The operator's console: pages over what operators do (``Administration``), on a listener of its own.
package struct Console: Dock {
    package static let records: [any Record.Type] = [ConsoleSession.self]

    private let host: String
    private let port: Int?
    private let isSecure: Bool
    private let operators: NumberOperators?

    package init(_ reader: SettingsReader) {
        let console = reader.section("console") {
            "Pages for operators: what is sent, suppressed and failing, and what to do about it. People sign in with an API"
            "key: `phoneproof keys create --scope viewer` (sees, numbers masked), support (helps one person) or admin. Or"
            "with their phone numbers, with the role viewer, support or operator."
        }
        port = console("port").integer(example: 8090, in: 1...65_535) {
            "The port of the console. Without it there is none."
        }
        host = console("host").host("127.0.0.1") {
            "The address of the console. Anybody who can reach it can try keys: keep it on this machine, behind a proxy with TLS."
        }
        isSecure = console("https").flag(false) {
            "Whether people reach it by https, through a proxy: then its cookie is sent by nothing else."
        }
        operators = NumberOperators(console)
    }

    package var findings: [Finding] {
        guard let port else { return Finding.facts("console", nil) }
        let isLocal = EndpointURL.isLoopback(host)
        let counts = Role.allCases.compactMap { role in
            (operators?.roles.values.count { $0 == role }).flatMap { $0 > 0 ? "\($0) \(role)" : nil }
        }
        var findings = [
            Finding(
                "console",
                "\(host):\(port) (\(isLocal ? "this machine only" : "other machines too")), \(isSecure ? "https" : "http"), "
                    + "by API keys" + (counts.isEmpty ? "" : " and numbers: " + counts.joined(separator: ", "))
            )
        ]
        if !isLocal, !isSecure {
            findings.append(
                .warning(
                    "the console is plain HTTP to other machines: API keys and numbers can be read in transit; put a proxy "
                        + "with TLS in front, and set console.https (console.host)"
                )
            )
        }
        if operators?.roles.values.contains(.operator) == true {
            findings.append(
                .warning(
                    "who takes over an operator's phone number can export and erase everything (console.operators.operator)"
                )
            )
        }
        return findings
    }

    package func listener(over service: DockService) -> DockListener? {
        guard let port else { return nil }
        return DockListener(name: "console", host: host, port: port) { router(over: service) }
    }

    /// All of its routes, which the service's own listener does not have.
    package func router(over service: DockService) -> APIRouter {
        let router = APIRouter()
        router.add(ClientAddressing(proxies: service.proxies))
        let cookies = BrowserCookies(isSecure: isSecure, tokens: service.tokens)
        let sessions = ConsoleSessions(service: service, cookies: cookies, operators: operators)
        ConsoleRoutes(service: service, sessions: sessions).addRoutes(to: router)
        return router
    }
}
