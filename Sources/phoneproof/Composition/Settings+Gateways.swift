import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings {
    /// Makes a gateway of what is set for it.
    ///
    /// - Parameters:
    ///   - gateway: which one.
    ///   - stub: the SMS stub, if there is one.
    ///   - clock: says what time it is.
    /// - Returns: nil if what it needs is not set.
    func makeGateway(_ gateway: Gateway, stub: SMSStub?, clock: any WallClock) -> (any MessageGateway)? {
        switch gateway {
        case .stub:
            stub.map {
                StubGateway(inbox: $0, sender: messageContext.service.description, receipts: $0.receipts)
            }
        case .console: ConsoleGateway(write: { line in StandardError.write(line) })
        case .twilio:
            twilio.map {
                TwilioGateway(
                    account: $0.account,
                    sender: $0.sender,
                    address: $0.address,
                    statusCallback: $0.statusCallback,
                    connectTimeout: connectTimeout
                )
            }
        case .sens:
            sens.map {
                SENSGateway(
                    account: $0.account,
                    sender: $0.sender,
                    allowsLongMessages: allowsLongMessages,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    wallClock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .solapi:
            solapi.map {
                SolapiGateway(
                    account: $0.account,
                    sender: $0.sender,
                    alimtalk: $0.alimtalk,
                    allowsLongMessages: allowsLongMessages,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    identifiers: OpenSSLRandom(),
                    wallClock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .sns:
            amazonSNS.map {
                SNSGateway(
                    credentials: $0.credentials,
                    region: $0.region,
                    sender: $0.sender,
                    address: $0.address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    clock: clock,
                    connectTimeout: connectTimeout
                )
            }
        case .vonage:
            vonage.map {
                VonageGateway(
                    account: $0.account,
                    sender: $0.sender,
                    address: $0.address,
                    connectTimeout: connectTimeout
                )
            }
        case .http:
            httpGateway.map { HTTPGateway(configuration: $0, connectTimeout: connectTimeout) }
        }
    }

    /// How long to wait for a connection to a gateway.
    private var connectTimeout: Duration { min(gatewayTimeout / 2, .seconds(5)) }

    /// What takes in Twilio's reports, if it was told to make them.
    ///
    /// - Parameter dispatcher: records what was reported.
    func makeTwilioReceipts(recordedBy dispatcher: OutboxDispatcher) -> TwilioReceipts? {
        guard let twilio, let address = twilio.statusCallback else { return nil }
        return TwilioReceipts(
            account: twilio.account,
            address: address,
            authenticator: OpenSSLRequestAuthenticator(),
            dispatcher: dispatcher
        )
    }
}
