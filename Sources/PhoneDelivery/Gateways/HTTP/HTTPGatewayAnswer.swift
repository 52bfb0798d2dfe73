import FoundationEssentials

/// What a vendor answered to the generic gateway, and what that means for the message by what the configuration says of it.
///
/// | answer | means |
/// |---|---|
/// | 2xx with a success value, or any where nothing more is asked | taken |
/// | 2xx with another value, or 4xx, and a code that is named | surely not sent; what next, the list says that names it |
/// | 2xx with another value | surely not sent; another gateway may |
/// | 2xx that cannot be read, or lacks what was asked for | nobody knows |
/// | a status that is named | surely not sent; what next, the list says that names it |
/// | any other | what its status says (``GatewayAnswer/statusFailure``) |
struct HTTPGatewayAnswer {
    let answer: GatewayAnswer
    let verdicts: HTTPGatewayVerdicts

    /// - Parameter key: the message's own name, for a vendor that gives it none.
    func receipt(for key: String) throws(GatewayFailure) -> GatewayReceipt {
        let content = answer.body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) }
        if let failure = answer.statusFailure {
            if 400..<500 ~= answer.status, let failure = content.flatMap(codeFailure) { throw failure }
            throw namedFailure ?? failure
        }
        guard verdicts.successPointer != nil || verdicts.idPointer != nil else { return GatewayReceipt(messageID: key) }
        guard let content else { throw .ambiguous("the answer cannot be read", code: answer.status) }
        if let pointer = verdicts.successPointer {
            guard let value = pointer.value(in: content)?.text else {
                throw .ambiguous("the answer does not say whether it was taken", code: answer.status)
            }
            guard verdicts.successValues.contains(value) else {
                throw codeFailure(in: content)
                    ?? .failover("the gateway refused the message", code: Int(value) ?? answer.status)
            }
        }
        guard let pointer = verdicts.idPointer else { return GatewayReceipt(messageID: key) }
        guard let name = pointer.value(in: content)?.text, !name.isEmpty else {
            throw .ambiguous("the answer names no message", code: answer.status)
        }
        // It was taken under some name, if not under one that may stand in logs.
        return GatewayReceipt(reading: name) ?? GatewayReceipt(messageID: key)
    }

    /// What the code says, if it is one that is named.
    private func codeFailure(in content: JSONValue) -> GatewayFailure? {
        guard let code = verdicts.codePointer?.value(in: content)?.text else { return nil }
        let number = Int(code) ?? answer.status
        if verdicts.retryCodes.contains(code) {
            return .busy(after: answer.retryAfter, "the gateway is busy", code: number)
        }
        return verdicts.refuseCodes.contains(code) ? .refused("the gateway refused the number", code: number) : nil
    }

    /// What the status says, if it is one that is named.
    private var namedFailure: GatewayFailure? {
        let status = answer.status
        if verdicts.retryStatuses.contains(status) {
            return .busy(after: answer.retryAfter, "the gateway is busy", code: status)
        }
        if verdicts.failoverStatuses.contains(status) {
            return .failover("the gateway refused the message", code: status)
        }
        return verdicts.refuseStatuses.contains(status)
            ? .refused("the gateway refused the number", code: status) : nil
    }
}
