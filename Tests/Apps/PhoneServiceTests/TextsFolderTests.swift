import Foundation
import PhoneDelivery
import PhoneDomain
import PhoneTestSupport
import Testing
import Texts

@testable import PhoneService

@Suite struct TextsFolderTests {
    private static let shipped = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/messages")

    /// What a file can have, with every variable.
    private static func all(_ texts: any Texts) throws -> [String] {
        let now = Timestamp(seconds: 1000)
        let numbers: [PhoneNumberError] = [
            .empty, .notANumber, .tooLong, .tooShort, .unknownRegion(.korea), .unsupportedCallingCode("999"),
            .noSuchNumber,
        ]
        var failures: [PhoneFailure] = numbers.map { .invalidPhoneNumber($0) }
        failures += NumberKind.allCases.map { .kindNotAccepted($0) }
        let others: [PhoneFailure] = [
            .regionNotAllowed(nil, allowed: []), .channelUnavailable(.call, offered: []),
            .channelUnavailable(.call, offered: [.sms]), .resendTooSoon(nextSendAt: now + .seconds(1)),
            .resendTooSoon(nextSendAt: now + .seconds(27)), .maxSendsReached(retryAt: now + .seconds(600)),
            .rateLimited(policies: [], retryAt: now + .seconds(9000)), .challengeFailed(.invalid), .sendDenied,
            .malformedCode(length: 6), try .codeIncorrect(checksLeft: 2), try .codeIncorrect(checksLeft: 1),
            try .codeIncorrect(checksLeft: 0), .codeExpired, .maxChecksReached(retryAt: now + .seconds(60)),
            .verificationNotFound, .signupNotFound, .verificationClosed, .verificationNotApproved,
            .accountSuspended, .numberTaken, .numberChangeNotFound, .invalidMetadata(.tooLong), .notSignedIn,
            .proofTooOld, .unavailable(cause: ""),
        ]
        failures += others
        let channels: [Channel] = [.sms, .call, .whatsapp, .kakaotalk, .inbound]
        let plain: [String] = [
            texts.sessionNotFound, texts.internalError, texts.phoneLabel, texts.codeLabel, texts.sending,
            texts.signingUp, texts.callRepetition, texts.startHeading, texts.startIntroduction, texts.startDocs,
            texts.errorTitle, texts.signInHeading, texts.signInIntroduction, texts.sendCode, texts.terms,
            texts.privacy, texts.conjunction, texts.codeHeading, texts.changeNumber, texts.signIn,
            texts.resendCode, texts.resendWait, texts.resent, texts.resendReady, texts.noSendsLeft,
            texts.inboundHeading, texts.inboundRecipient, texts.inboundText, texts.inboundOpen, texts.inboundSent,
            texts.inboundMissing, texts.inboundArrived, texts.dormantHeading, texts.newAccount,
            texts.signedInHeading, texts.signedInNote, texts.signOut, texts.signOutHeading, texts.signedOutHeading,
            texts.signedOut, texts.countryLabel, texts.countrySearch, texts.countryNone, texts.codeExpiredHeading,
            texts.newCode, texts.sendingFailedHeading, texts.challengeHeading, texts.challengeIntroduction,
            texts.captchaIntroduction, texts.challengeBusy, texts.challengeWait, texts.challengeNeedsScript,
            texts.limitHeading, texts.retryWait, texts.anotherNumber, texts.tryAgain, texts.startAgain,
            texts.pageExpiredHeading, texts.pageExpired, texts.pageReplacedHeading, texts.pageReplaced,
            texts.pageOfOtherSite, texts.goOn, texts.linkInvalidHeading, texts.linkInvalid, texts.offline,
            texts.notFoundHeading, texts.notFound, texts.goToStart, texts.undoHeading, texts.undoButton,
            texts.undoneHeading, texts.undoGoneHeading, texts.undoGone, texts.undoTakenHeading, texts.undoTaken,
            texts.undoUnavailableHeading, texts.undoUnavailable,
            texts.acceptance(of: "R"), texts.consent(to: "R"), texts.signInConsent("C", sharesNumber: true),
            texts.signInConsent("C", sharesNumber: false), texts.dormantIntroduction(hasCode: true),
            texts.dormantIntroduction(hasCode: false), texts.signedIn(as: "N"), texts.codeExpired(number: "N"),
            texts.sendingFailed(number: "N"), texts.undoOffer(number: "N", changedAt: "M"),
            texts.undoAdvice(number: "N"), texts.undoDeadline("M"), texts.undone(number: "N"),
            texts.callIntroduction(service: "S"),
        ]
        let byChannel = channels.map { texts.codeSent(to: "N", by: $0) } + channels.map { texts.send(by: $0) }
        return plain + byChannel + failures.map { texts.explanation(of: $0, at: now) }
    }

    @Test func `the shipped file is the built-in English, whatever is below it`() throws {
        let file = try #require(try TextsFile.load(Self.shipped.path).first { $0.language == .english })
        #expect(file.missing.isEmpty)
        let korean = try #require(Languages.builtIn.first { $0.language == .korean })
        #expect(try Self.all(file.over(korean)) == Self.all(Languages.english))
        // And each is the file's.
        #expect(try Self.all(TextsFile([:], in: .english, over: korean)) == Self.all(korean))
    }

    @Test func `a number takes the form of the language`() {
        func forms(_ tag: String, _ numbers: [Int64]) -> [String] {
            numbers.map { PluralCategory(of: $0, in: LanguageTag(tag) ?? .english).rawValue }
        }
        #expect(forms("sv", [0, 1, 2]) == ["other", "one", "other"])
        #expect(forms("fr", [0, 1, 2]) == ["one", "one", "other"])
        #expect(
            forms("ru", [1, 2, 5, 11, 12, 21, 22, 111]) == ["one", "few", "many", "many", "many", "one", "few", "many"]
        )
        #expect(forms("pl", [1, 2, 5, 12, 22, 21]) == ["one", "few", "many", "many", "few", "many"])
        #expect(
            forms("ar", [0, 1, 2, 3, 10, 11, 99, 100, 102, 103]) == [
                "zero", "one", "two", "few", "few", "many", "many", "other", "other", "few",
            ]
        )
        #expect(forms("ja", [0, 1, 2]) == ["other", "other", "other"])
    }

    @Test(arguments: [
        ("send_coed: x", "texts.yaml:1: there is no text send_coed; did you mean send_code?"),
        ("\nsend_code: \"{{code}}\"", "texts.yaml:2: send_code has no variable {{code}}"),
        ("undo_deadline: \"{{number}}\"", "texts.yaml:1: undo_deadline has no variable {{number}}, only {{moment}}"),
        ("send_code: [a]", "texts.yaml:1: send_code must be a text"),
        ("send_code: {other: a}", "texts.yaml:1: send_code must be a text"),
        ("minutes: {one: a}", "texts.yaml:1: minutes lacks other"),
        ("minutes: {some: a, other: b}", "texts.yaml:1: some is no plural, which are zero, one, two, few, many, other"),
        ("- a", "texts.yaml: must have a text for each name"), ("{", "texts.yaml: line 2"),
    ])
    func `what is wrong with a file is said with its line`(_ text: String, _ problem: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "sv"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "sv/texts.yaml"))
        let error = #expect(throws: MessageTemplateError.self) { try TextsFile.load(folder.path) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }
}
