import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Messages in the words of tenants", .hangLimit)
struct WordingDispatchTests {
    private let context: MessageContext
    private let directory: MessageDirectory

    init() throws {
        context = MessageContext(service: try #require(ServiceName("Acme")))
        directory = try MessageDirectory([
            "templates/order/ko/verification.txt": "[{{service}}] 주문 {{order}} 인증번호 {{code}} {{minutes}}분"
        ])
    }

    private func deliver(_ wording: MessageWording?, in world: World) async throws -> [String] {
        let templates = try MessageTemplates(directory: directory.path, context: context)
        let gateway = ScriptedGateway("a")
        try await world.queue(wording: wording)
        try await world.dispatcher(
            [gateway],
            renderer: TemplateRenderer(templates: templates, context: context)
        ).drain()
        return gateway.received.map(\.body)
    }

    @Test("a message has the wording that was asked for")
    func worded() async throws {
        let world = try World()
        let wording = MessageWording(
            service: "한빛",
            template: TemplateName("order"),
            appHash: "He42w354ol9",
            warnsAgainstSharing: true,
            substitutions: ["order": "A-1"]
        )

        #expect(
            try await deliver(wording, in: world)
                == ["[한빛] 주문 A-1 인증번호 482913 10분\n(타인 노출 금지)\nHe42w354ol9"]
        )
        #expect(world.log.messages == ["info: A message was sent"])
    }

    @Test("one whose template is gone has the service's text, and the log has a warning that does not quote it")
    func gone() async throws {
        let world = try World()
        let wording = MessageWording(service: "한빛", template: TemplateName("gone"), substitutions: ["order": "A-1"])

        #expect(try await deliver(wording, in: world) == ["[한빛] 인증번호 482913 (타인 노출 금지)"])
        #expect(
            world.log.messages == [
                "warning: The requested template cannot be used; the default text is sent",
                "info: A message was sent",
            ]
        )
        let warning = try #require(world.log.lines.first)
        #expect(warning.contains("reason=there is no such template template.name=gone"))
        for secret in ["482913", "12345678", "한빛", "A-1"] {
            #expect(!world.log.lines.joined().contains(secret))
        }
    }
}
