import CoreEncodings
import Testing

@testable import PhoneDelivery

@Suite("What a gateway to any vendor is made of")
struct HTTPGatewayConfigurationTests {
    typealias Failure = HTTPGatewayConfigurationError

    private func configuration(
        _ format: RequestFormat = .json,
        headers: [String] = [],
        body: String = #"{"to":"{{to}}","text":"{{body}}"}"#,
        sender: String? = nil,
        secret: String? = nil,
        isIdempotent: Bool = false
    ) throws -> HTTPGatewayConfiguration {
        try HTTPGatewayConfiguration(
            endpoint: try #require(EndpointURL("https://sms.example.com/t0ken?key=t0ken")),
            method: .post,
            format: format,
            headers: headers,
            body: body,
            sender: sender,
            secret: secret,
            verdicts: try #require(HTTPGatewayVerdicts()),
            isIdempotent: isIdempotent
        )
    }

    @Test(
        "a body in which a value could break out, or would not come through, is refused at start",
        arguments: [
            (.json, #"{"to":{{to}},"text":"{{body}}"}"#), (.json, #"{"to":"{{to}}","text":"{{body}}""#),
            (.json, #"{"to":"{{to}}","text":"\{{body}}"}"#), (.json, #"{"to":"{{to}}","text":"\u00{{body}}"}"#),
            (.json, "{{to}} {{body}}"), (.json, #"{"to":"{{to}}","a":"{{body}}","a":"{{body}}"}"#),
            (.form, "to={{to}}&text=a b{{body}}"), (.form, "to={{to}}&text=인증{{body}}"),
            (.form, "to={{to}}&text=%{{body}}"),
            (.form, "to={{to}}&text=%4{{body}}"), (.form, "to={{to}}&text=%FF{{body}}"),
            (.xml, "<a to={{to}}>{{body}}</a>"), (.xml, "<a to='{{to}}'>{{body}}"), (.xml, "<{{to}}>{{body}}</{{to}}>"),
            (.xml, "<a to='{{to}}'><!-- {{body}} --></a>"), (.xml, "<a to='{{to}}'><![CDATA[{{body}}]]></a>"),
            (.xml, "<!DOCTYPE a [<!ENTITY b '{{body}}'>]><a>{{to}}</a>"), (.xml, "<a to='{{to}}'>&{{body}};</a>"),
        ] as [(RequestFormat, String)]
    )
    func malformed(format: RequestFormat, body: String) {
        #expect(throws: Failure(field: .body, problem: .malformedBody(format)), "\(body)") {
            try configuration(format, body: body)
        }
    }

    @Test(
        "a body may be as a vendor wants it",
        arguments: [
            (.json, #"[{"{{to}}":{"a":[1,2.5e3,null,true,"x{{body}}\n{{body}}"]}}]"#),
            (.json, "\n [\"{{to}}\",\"{{body}}\"]\n"),
            (.form, "to={{to}}&text={{body}}&x&=&%EC%9D%B8+a"), (.form, "to={{to}}\n  &text={{body}}\n"),
            (.xml, "<?xml version='1.0'?>\n<a b=\"{{to}}\"><c/>{{body}}</a>\n"), (.text, "{{to}} }} {{body}}"),
        ] as [(RequestFormat, String)]
    )
    func wellFormed(format: RequestFormat, body: String) throws {
        #expect(try configuration(format, body: body).body.variables.contains(.body))
    }

    @Test("gaps must be closed, known, and enough")
    func gaps() {
        for (body, problem) in [
            (#"{"to":"{{to","text":"{{body"}"#, Failure.Problem.unclosedVariable),
            (#"{"to":"{{ to }}","text":"{{body}}"}"#, .unknownVariable(" to ")),
            (#"{"to":"{{phone}}","text":"{{body}}"}"#, .unknownVariable("phone")),
            (#"{"text":"{{body}}"}"#, .missing("{{to}}, {{to_digits}} or {{to_national}}")),
            (#"{"to":"{{to}}"}"#, .missing("{{body}}")),
        ] {
            #expect(throws: Failure(field: .body, problem: problem), "\(body)") { try configuration(body: body) }
        }
    }

    @Test(
        "a header is a name and a value, and leaves alone how a message is carried",
        arguments: [
            "", "X", ": y", "X:", "X: ", "X y: z", "X: y\r\nZ: a", "X: y\nZ: a", "X\r\nZ: a", "X: é", "Ü: a",
            "Content-Length: 7",
            "host: evil.example.com", "Transfer-Encoding: chunked", "Connection: close", "X: {{body}}",
        ]
    )
    func header(text: String) {
        #expect(throws: Failure(field: .headers, problem: .header), "\(text)") { try configuration(headers: [text]) }
    }

    @Test("headers are unique, and have known variables")
    func headers() {
        #expect(throws: Failure(field: .headers, problem: .header)) { try configuration(headers: ["X: a", "x: b"]) }
        #expect(throws: Failure(field: .headers, problem: .unknownVariable("token"))) {
            try configuration(headers: ["X: {{token}}"])
        }
    }

    @Test("what is used is set, and what is set is used")
    func uses() {
        #expect(throws: Failure(field: .secret, problem: .notSet)) { try configuration(headers: ["X: {{secret}}"]) }
        #expect(throws: Failure(field: .secret, problem: .notSet)) {
            try configuration(headers: ["X: {{secret_base64}}"])
        }
        #expect(throws: Failure(field: .secret, problem: .notUsed)) { try configuration(secret: "s3cret") }
        #expect(throws: Failure(field: .secret, problem: .characters)) {
            try configuration(headers: ["X: {{secret}}"], secret: "a\r\nb")
        }
        #expect(throws: Failure(field: .from, problem: .notSet)) { try configuration(headers: ["X: {{from}}"]) }
        #expect(throws: Failure(field: .from, problem: .notUsed)) { try configuration(sender: "Acme") }
        #expect(throws: Failure(field: .from, problem: .characters)) {
            try configuration(headers: ["X: {{from}}"], sender: "에이스")
        }
        #expect(throws: Failure(field: .idempotent, problem: .needsID)) { try configuration(isIdempotent: true) }
        #expect(throws: Never.self) {
            try configuration(headers: ["X: {{secret}} {{id}}"], secret: "s3cret", isIdempotent: true)
        }
    }

    @Test("it shows the endpoint's origin, and no more")
    func silence() throws {
        let some = try configuration(headers: ["X: t0ken {{secret}}"], secret: "s3cret")
        var dumped = ""
        dump(some, to: &dumped)
        #expect("\(some)" == "POST to https://sms.example.com, json")
        let shown = dumped + String(reflecting: some)
        #expect(!shown.contains("t0ken") && !shown.contains("s3cret"))
    }

    @Test("an error has the requirement in one line, and quotes nothing long")
    func words() {
        let problems: [Failure.Problem] = [
            .unclosedVariable, .unknownVariable(String(repeating: "s3cret", count: 9)), .malformedBody(.json),
            .malformedBody(.form), .malformedBody(.xml), .malformedBody(.text), .missing("{{body}}"), .notSet, .notUsed,
            .header, .characters, .needsID,
        ]
        for problem in problems {
            let text = Failure(field: .body, problem: problem).description
            #expect(!text.isEmpty && !text.contains("\n") && !text.contains("s3cret"))
        }
        #expect(
            Failure(field: .body, problem: .unknownVariable("phone")).description
                == "has {{phone}}, which there is not; there are {{to}}, {{to_digits}}, {{to_national}}, {{body}}, "
                + "{{body_hex}}, {{from}}, {{id}}, {{language}}, {{secret}}, {{secret_base64}}"
        )
    }

    @Test("contradictory verdicts are refused")
    func verdicts() {
        let pointer = JSONPointer("/status")
        #expect(HTTPGatewayVerdicts(successPointer: pointer) == nil)
        #expect(HTTPGatewayVerdicts(successValues: ["ok"]) == nil)
        #expect(HTTPGatewayVerdicts(codes: .init(retry: ["a"])) == nil)
        #expect(HTTPGatewayVerdicts(codes: .init(refuse: ["a"])) == nil)
        #expect(HTTPGatewayVerdicts(codes: .init(pointer: pointer, retry: ["a"], refuse: ["a"])) == nil)
        #expect(HTTPGatewayVerdicts(successPointer: pointer, successValues: ["a"], codes: .init(refuse: ["a"])) == nil)
        #expect(
            HTTPGatewayVerdicts(successPointer: pointer, successValues: ["a"], codes: .init(pointer: pointer)) != nil
        )
        #expect(HTTPGatewayVerdicts(statuses: .init(retry: [409], failover: [409])) == nil)
        #expect(HTTPGatewayVerdicts(statuses: .init(failover: [409], refuse: [409])) == nil)
        #expect(HTTPGatewayVerdicts(statuses: .init(retry: [409], refuse: [409])) == nil)
        #expect(HTTPGatewayVerdicts(statuses: .init(retry: [204])) == nil)
        #expect(HTTPGatewayVerdicts(statuses: .init(retry: [300], failover: [409], refuse: [599])) != nil)
    }
}
