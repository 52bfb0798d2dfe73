import PhoneCLI
import PhoneDomain

/// Shows what the stub of this process was handed.
actor EmbeddedInbox {
    private let stub: any StubInbox
    private var shown: Set<String> = []

    init(stub: any StubInbox) {
        self.stub = stub
    }

    /// The message that has just been sent to this number, if it comes within two seconds: the dispatcher sends it in its own
    /// time.
    func note(_ sent: SignupView.SentCode) async -> String? {
        for _ in 0..<100 {
            if let message = await stub.messages(to: sent.e164, limit: 1).first, shown.insert(message.sid).inserted {
                return message.body
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
