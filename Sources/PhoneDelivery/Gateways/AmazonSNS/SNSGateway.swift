public import PhoneDomain

/// Sends by Amazon SNS, as transactional messages, or by what speaks its API, such as LocalStack.
///
/// SNS knows no key by which to tell a repetition of a text message, so one of unknown fate is not handed over again. It
/// says nothing of a message later but in CloudWatch, which is not read.
public struct SNSGateway: MessageGateway {
    public let name = "sns"

    private let sender: SNSSender
    private let address: GatewayAddress
    private let signer: AWSRequestSigner
    private let clock: any WallClock
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - credentials: who pays.
    ///   - region: where messages are sent from.
    ///   - sender: whom messages come from.
    ///   - address: where the API is: ``GatewayAddress/sns(in:)`` for Amazon's own.
    ///   - authenticator: makes signatures.
    ///   - clock: what time the signatures bear. Amazon takes nothing that is more than five minutes off.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(
        credentials: AWSCredentials,
        region: AWSRegion,
        sender: SNSSender,
        address: GatewayAddress,
        authenticator: any RequestAuthenticator,
        clock: any WallClock,
        connectTimeout: Duration
    ) {
        self.sender = sender
        self.address = address
        self.clock = clock
        signer = AWSRequestSigner(
            credentials: credentials,
            region: region,
            service: "sns",
            authenticator: authenticator
        )
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let attributes = [("AWS.SNS.SMS.SMSType", "Transactional")] + sender.attributes
        let form = URLEncodedForm(
            [
                ("Action", "Publish"), ("Version", "2010-03-31"), ("PhoneNumber", message.to.e164),
                ("Message", message.body),
            ]
                + attributes.enumerated().flatMap { index, attribute in
                    let entry = "MessageAttributes.entry.\(index + 1)"
                    return [
                        ("\(entry).Name", attribute.0), ("\(entry).Value.DataType", "String"),
                        ("\(entry).Value.StringValue", attribute.1),
                    ]
                }
        )
        // Signed as it is sent: what the client would write for itself may differ.
        let host = ("Host", address.authority)
        let signature: [GatewayClient.Header]
        do {
            signature = try signer.headers(
                signing: "POST",
                path: address.path + "/",
                headers: [("Content-Type", URLEncodedForm.contentType), host],
                body: form.bytes,
                at: clock.now()
            )
        } catch {
            throw .retry("the request cannot be signed")
        }
        let answer = try await client.post(
            form.bytes,
            contentType: URLEncodedForm.contentType,
            to: "\(address)/",
            // Amazon answers in XML, unless JSON is asked for.
            headers: signature + [host, ("Accept", "text/xml")]
        )
        return try SNSAnswer(answer: answer).receipt()
    }
}
