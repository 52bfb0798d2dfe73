import PhoneDelivery

extension Settings {
    /// Reads what the generic gateway needs.
    ///
    /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
    /// - Returns: nil if it is not needed.
    static func httpGateway(
        _ reader: inout SettingsReader,
        isNeeded: Bool
    ) throws(SettingsError) -> HTTPGatewayConfiguration? {
        let endpoint = try reader.value(
            "sms.http.url",
            default: nil,
            wanted: "an http or https address without a user or a fragment",
            // Its query may bear a secret.
            isSecret: true
        ) { WebhookEndpoint($0).map(Optional.some) }
        let method = try reader.value(
            "sms.http.method",
            default: .post,
            wanted: "POST or PUT",
            HTTPGatewayConfiguration.Method.init
        )
        let format = try reader.value(
            "sms.http.format",
            default: .json,
            wanted: RequestFormat.allCases.map(\.rawValue).joined(separator: ", "),
            RequestFormat.init
        )
        let headers = try reader.list("sms.http.headers", default: [String](), wanted: "name: value", isSecret: true) {
            $0
        }
        let body = try reader.text("sms.http.body")
        let sender = try reader.text("sms.http.from")
        let secret = try reader.secret("sms.http.secret", isNeeded: isNeeded)
        let isIdempotent = try reader.flag("sms.http.idempotent", default: false)
        let verdicts = try httpGatewayVerdicts(&reader)
        guard isNeeded else { return nil }
        guard let endpoint else { throw .missing("sms.http.url", for: .http) }
        guard let body else { throw .missing("sms.http.body", for: .http) }
        do {
            return try HTTPGatewayConfiguration(
                endpoint: endpoint,
                method: method,
                format: format,
                headers: headers,
                body: body,
                sender: sender,
                secret: secret,
                verdicts: verdicts,
                isIdempotent: isIdempotent
            )
        } catch {
            guard error.field == .secret, error.problem == .notSet else {
                throw SettingsError("sms.http.\(error.field.rawValue) \(error)")
            }
            throw .missing(secret: "sms.http.secret", for: .http)
        }
    }

    private static func httpGatewayVerdicts(
        _ reader: inout SettingsReader
    ) throws(SettingsError) -> HTTPGatewayVerdicts {
        func pointer(_ name: String) throws(SettingsError) -> JSONPointer? {
            try reader.value(
                "sms.http.answer.\(name)",
                default: nil,
                wanted: "a JSON pointer such as /messages/0/status"
            ) { JSONPointer($0).map(Optional.some) }
        }
        func values(_ name: String) throws(SettingsError) -> Set<String> {
            Set(
                try reader.list("sms.http.answer.\(name)", default: [], wanted: "values, none of them empty") {
                    $0.isEmpty ? nil : $0
                }
            )
        }
        func statuses(_ name: String) throws(SettingsError) -> Set<Int> {
            let wanted = "statuses from 300 to 599"
            return Set(
                try reader.list("sms.http.answer.\(name)", default: [], wanted: wanted) {
                    Int($0).flatMap { 300..<600 ~= $0 ? $0 : nil }
                }
            )
        }
        let verdicts = HTTPGatewayVerdicts(
            successPointer: try pointer("success_pointer"),
            successValues: try values("success_values"),
            idPointer: try pointer("id_pointer"),
            codePointer: try pointer("code_pointer"),
            retryCodes: try values("retry_codes"),
            refuseCodes: try values("refuse_codes"),
            retryStatuses: try statuses("retry_statuses"),
            failoverStatuses: try statuses("failover_statuses"),
            refuseStatuses: try statuses("refuse_statuses")
        )
        guard let verdicts else {
            throw SettingsError(
                "sms.http.answer does not hold together: success_pointer and success_values need each other, retry_codes and "
                    + "refuse_codes need code_pointer or success_pointer, and no code and no status may stand in two lists"
            )
        }
        return verdicts
    }
}
