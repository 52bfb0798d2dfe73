import CoreEncodings
import PhoneDomain
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
        templates: [String] = [],
        digests: [String] = [],
        url: String = "https://sms.example.com/t0ken?key=t0ken",
        isIdempotent: Bool = false
    ) throws -> HTTPGatewayConfiguration {
        try HTTPGatewayConfiguration(
            url: try #require(RequestURL(url)),
            method: .post,
            format: format,
            headers: headers,
            body: body,
            sender: sender,
            secret: secret,
            templates: VendorTemplates(templates.compactMap(VendorTemplates.Entry.init)),
            digests: digests,
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
            (#"{"to":"{{to}}"}"#, .missing("{{body}} or {{code}}")),
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
            "X: {{service}}",
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

    @Test("a code is enough, wherever it is, and a gateway with a part of it gets no notices")
    func codes() throws {
        let text = try configuration()
        let code = try configuration(headers: ["X-Code: {{code}}"], body: #"{"to":"{{to}}"}"#)
        let nowhere = try configuration(body: "", url: "https://sms.example.com/{{to}}?code={{code}}")
        let both = try configuration(body: #"{"to":"{{to}}","text":"{{body}}","min":"{{minutes}}"}"#)
        #expect([text, code, nowhere, both].map(\.takesCodes) == [false, true, true, true])
        #expect("\(nowhere)" == "POST to https://sms.example.com, json, codes alone")
        #expect(throws: Failure(field: .body, problem: .missing("{{body}} or {{code}}"))) {
            try configuration(body: #"{"to":"{{to}}","name":"{{service}}"}"#)
        }
        #expect(throws: Failure(field: .idempotent, problem: .differs)) {
            try configuration(body: #"{"to":"{{to}}","text":"{{body}}","id":"{{id}} {{nonce}}"}"#, isIdempotent: true)
        }
    }

    @Test(
        "a URL has variables below its host, and the text and the service's name in its query",
        arguments: [
            ("https://sms.example.com/v1/{{to}}?code={{code}}&text={{body}}&service={{service}}", true),
            ("https://sms.example.com?to={{to}}", true), ("https://sms.example.com", true),
            ("https://{{to}}.example.com/", false), ("https://sms.example.com{{to}}/", false),
            ("{{to}}://sms.example.com/", false), ("https://sms.example.com:{{code}}/", false),
            ("https://sms.example.com/{{body}}", false), ("https://sms.example.com/{{service}}?a", false),
            ("https://sms.example.com/{{phone}}", false), ("https://sms.example.com/?to=%{{to}}", false),
            ("https://sms.example.com/?to=%4{{to}}", false), ("https://sms.example.com/?to={{to", false),
            ("https://sms.example.com/#{{to}}", false), ("https://sms.example.com/인증?to={{to}}", false),
        ]
    )
    func url(text: String, isValid: Bool) { #expect((RequestURL(text) != nil) == isValid) }

    @Test(
        "no variable has a part in where the secret goes, in a URL of reports and of feedback neither",
        arguments: [
            ("https://{{message_id}}/", false), ("https://{{message_id}}.example.com/", false),
            ("https://sms.example.com{{message_id}}/", false), ("https://sms.example.com:{{message_id}}/", false),
            ("https://{{message_id}}@evil.example/", false), ("{{message_id}}://sms.example.com/", false),
            ("https://sms.example.com/{{message_id}}", true), ("https://sms.example.com/?id={{message_id}}", true),
        ]
    )
    func host(text: String, isValid: Bool) {
        #expect((HTTPReceiptQuery.endpoint(of: text) != nil) == isValid)
        #expect((HTTPFeedback(url: text, body: "") != nil) == isValid)
        let moment = text.replacing("{{message_id}}", with: "{{iso_time}}")
        #expect((HTTPFeedback(url: moment, body: "{{message_id}}") != nil) == isValid)
    }

    @Test("a template is the one of the set and the language, else of the language, else any")
    func templates() throws {
        func templates(_ texts: [String]) -> VendorTemplates? {
            let entries = texts.map(VendorTemplates.Entry.init)
            return entries.contains(nil) ? nil : VendorTemplates(entries.compactMap(\.self))
        }
        let some = try #require(templates(["*=T1", "ko=T2", "zh-TW=T3", "order/ko=T4", "login/*=a=b"]))
        let order = try #require(TemplateName("order"))
        func id(_ set: TemplateName, _ tag: String) throws -> String {
            some.id(for: set, in: try #require(LanguageTag(tag)))
        }
        #expect(try ["ko-KR", "zh-TW", "zh-Hant-TW", "fr"].map { try id(.standard, $0) } == ["T2", "T3", "T1", "T1"])
        #expect(try ["ko", "zh-TW", "en"].map { try id(order, $0) } == ["T4", "T3", "T1"])
        #expect(try id(try #require(TemplateName("login")), "ko") == "a=b")
        for bad in [
            ["ko=T2"], ["*=T1", "ko=T2", "ko=T3"], ["*="], ["T1"], ["*=T1", "Order/ko=T2"], ["*=T1", "a/b/ko=T"],
            ["*=é"],
        ] {
            #expect(templates(bad) == nil, "\(bad)")
        }
        let body = #"{"to":"{{to}}","code":"{{code}}","template":"{{template}}"}"#
        #expect(throws: Failure(field: .templates, problem: .notSet)) { try configuration(body: body) }
        #expect(throws: Failure(field: .templates, problem: .notUsed)) { try configuration(templates: ["*=T1"]) }
        #expect(throws: Never.self) { try configuration(body: body, templates: ["*=T1"]) }
    }

    @Test(
        "a digest is a name, a function with its key and a text, and is used",
        arguments: [
            "", "hash", "hash sha256", "hash sha256:{{to}}", "hash sha256 key: a", "hash hmac_sha256: a", "hash md5: a",
            "Hash sha256: a", "to sha256: a", "request_body sha256: a", "a_base64 sha256: a", "hash hmac_sha256 a b: c",
            "nonce sha256: a", "other sha256: a",
        ]
    )
    func digest(line: String) {
        #expect(throws: Failure(field: .sign, problem: .digest), "\(line)") {
            try configuration(headers: ["X: {{hash}}"], digests: ["hash sha256: {{to}}", line])
        }
    }

    @Test("a digest may use those before it and the request, and a header the digests")
    func digests() {
        let unknown = { (name: String, others: [String]) in
            Failure(field: .sign, problem: .unknownVariable(name, beside: others))
        }
        let parts = ["request_host", "request_query", "request_body"]
        #expect(throws: unknown("b", parts)) {
            try configuration(headers: ["X: {{a}}"], digests: ["a sha256: {{b}}", "b sha256: {{a}}"])
        }
        #expect(throws: Failure(field: .headers, problem: .unknownVariable("request_body", beside: ["a"]))) {
            try configuration(headers: ["X: {{a}}{{request_body}}"], digests: ["a sha256: 1"])
        }
        #expect(throws: Failure(field: .body, problem: .unknownVariable("a"))) {
            try configuration(body: #"{"to":"{{to}}","text":"{{body}}","a":"{{a}}"}"#, digests: ["a sha256: 1"])
        }
        #expect(throws: Never.self) {
            try configuration(
                headers: ["X: {{b_base64}}"],
                secret: "s3cret",
                digests: ["a hmac_sha1 {{secret}}&:\n{{request_query}}\n", "b hmac_sha256 {{a}}: {{request_body}}"]
            )
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
            .header, .characters, .needsID, .differs, .digest,
        ]
        for problem in problems {
            let text = Failure(field: .body, problem: problem).description
            #expect(!text.isEmpty && !text.contains("\n") && !text.contains("s3cret"))
        }
        #expect(
            Failure(field: .body, problem: .unknownVariable("phone")).description
                == "has {{phone}}, which there is not; there are {{to}}, {{to_digits}}, {{to_national}}, {{body}}, "
                + "{{body_hex}}, {{code}}, {{service}}, {{minutes}}, {{template}}, {{from}}, {{id}}, {{language}}, "
                + "{{secret}}, {{secret_base64}}, {{unix_time}}, {{iso_time}}, {{date}}, {{nonce}}"
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
