import PhoneAccounts
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

extension TestServer {
    /// Changes the number of a device's account. First advances the clock by a minute.
    ///
    /// - Returns: the secret that the old number gets.
    func changeNumber(_ device: Device, to phoneText: String = "010-8765-4321") async throws
        -> String
    {
        clock.advance(by: .seconds(60))
        let begun = try await send(
            "POST",
            "/v1/accounts/me/number-changes",
            #"{"phone_number":"\#(phoneText)"}"#,
            token: device.accessToken
        )
        let path = try #require(begun.headers["location"], "\(begun.body)")
        let changed = try await send("POST", path + "/checks", #"{"code":"314159"}"#, token: device.accessToken)
        #expect(changed.status == 200, "\(changed.body)")
        let changes = try await store.records(of: NumberChange.self, after: nil, limit: 100).compactMap { record in
            try record.record(as: NumberChange.self)
        }
        let change = try #require(changes.max { $0.changedAt < $1.changedAt })
        let tokens = UndoTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())
        return try #require(try tokens.token(of: change)).text
    }

    /// The number of a device's account; nil if the device is signed out.
    func number(of device: Device) async throws -> String? {
        let account = try await send("GET", "/v1/accounts/me", token: device.accessToken)
        return account.status == 200 ? account.text("phone_number") : nil
    }
}
