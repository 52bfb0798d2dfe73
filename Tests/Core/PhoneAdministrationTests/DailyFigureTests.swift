import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAdministration
@testable import PhoneDomain

@Suite struct DailyFigureTests {
    private static let key = DailyFigure.Key(day: 20_454, region: .korea, channel: nil, gateway: nil, caller: nil)

    @Test func theTimeToAnApprovalIsTheBoundUnderWhichThatShareCame() {
        var figure = DailyFigure(Self.key)
        #expect(figure.seconds(percent: 50) == nil)
        for seconds in [1, 10, 11, 15, 20, 29, 44, 60, 61, 90] { figure.recordApproval(after: .seconds(seconds)) }
        #expect(figure.secondsToApproval == [2, 2, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0])
        #expect(figure.seconds(percent: 20) == 10)
        #expect(figure.seconds(percent: 50) == 20)
        #expect(figure.seconds(percent: 95) == 90)
        figure.recordApproval(after: .seconds(601))
        #expect(figure.seconds(percent: 100) == nil)
    }

    @Test func suppressedMessagesAreCountedByHourAndRegion() throws {
        func traffic(_ suppressed: [(Int64, Int)]) -> Traffic {
            let hours = suppressed.map { Traffic.Hour(number: $0.0, sent: 9, suppressed: $0.1) }
            return Traffic(hours: hours)
        }
        let all = [
            KeyedTraffic(key: .country(.korea), traffic: traffic([(47, 1), (48, 2), (49, 4), (50, 8)])),
            KeyedTraffic(key: .country(try #require(Region("US"))), traffic: traffic([(49, 32)])),
            // What a prefix and a network have is of these countries too.
            KeyedTraffic(key: .prefix("+82102222"), traffic: traffic([(48, 16)])),
        ]
        let figures = RollUp.suppressed(all, inHours: 48..<50)
        let counts = figures.map { "\($0.key): \($0.value.suppressed)" }.sorted()
        #expect(counts == ["2 KR - - -: 6", "2 US - - -: 32"])
    }

    @Test(arguments: [3, 10]) func aVerificationIsCheckedOnceOneOfItsChecksIsUsed(maxChecks: Int) async throws {
        let (store, clock, policy) = (MemoryStore(), ManualClock(), try VerificationPolicy(maxChecks: maxChecks))
        let useCase = try VerificationUseCase.plain(over: store, policy: policy, clock: clock)
        let context = RequestContext(owner: .operator("figures"), region: .korea, language: .korean)
        let checked = try await useCase.requestCode(for: "010-1234-0001", context: context)
        _ = try await useCase.requestCode(for: "010-1234-0002", context: context)
        await #expect(throws: PhoneFailure.self) {
            try await useCase.check("000000", for: .id(checked.id), context: context)
        }
        let tokens = PlainTokenVault()
        let administration = Administration(
            policies: Administration.Policies(verification: policy),
            store: store,
            keys: APIKeys(store: store, tokens: tokens, identifiers: CountingIdentifiers(), clock: clock),
            clients: OAuthClients(store: store, tokens: tokens, identifiers: CountingIdentifiers(), clock: clock),
            clock: clock,
            digester: { PlainNumberDigester() }
        )
        let figures = try await administration.figures(days: 1, by: .region, isCurrent: true)
        #expect(figures.map { [$0.figure.requested, $0.figure.checked] } == [[2, 1]])
    }

    @Test func aPageEndsWithTheCursorOfTheNextOne() throws {
        let all = ["a", "b", "c"]
        func page(_ cursor: String?, _ limit: Int) throws -> String {
            let page = try Page(of: all, after: cursor, limit: limit) { $0 }
            return "\(page.items.joined(separator: " ")), then \(page.next ?? "the end")"
        }
        #expect(try page(nil, 2) == "a b, then b")
        #expect(try page("b", 2) == "c, then the end")
        #expect(try page("c", 2) == ", then the end")
        #expect(throws: AdministrationFailure.noCursor) { try page("d", 2) }
    }
}
