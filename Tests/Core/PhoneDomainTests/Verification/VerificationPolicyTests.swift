import PhoneDomain
import PhoneNumbers
import Testing

@Suite struct VerificationPolicyTests {
    @Test func standardIsWithinItsOwnRanges() throws {
        #expect(try VerificationPolicy() == .standard)
    }

    private static let outOfRange: [(text: String, make: @Sendable () throws -> VerificationPolicy)] = [
        ("codeLength must be 4 to 10 digits", { try VerificationPolicy(codeLength: 3) }),
        ("codeTTL must be more than 0 and at most 600 seconds", { try VerificationPolicy(codeTTL: .seconds(601)) }),
        ("approvalTTL must be more than 0 and at most 3600 seconds", { try VerificationPolicy(approvalTTL: .zero) }),
        ("maxChecks must be 1 to 10", { try VerificationPolicy(maxChecks: 0) }),
        ("maxSends must be 1 to 20", { try VerificationPolicy(maxSends: 21) }),
        (
            "resendCooldowns must be one or more durations of 0 to 3600 seconds",
            { try VerificationPolicy(resendCooldowns: []) }
        ),
        ("maxConsecutiveFailures must be 1 to 100", { try VerificationPolicy(maxConsecutiveFailures: 101) }),
        ("allowedRegions must be one or more regions", { try VerificationPolicy(allowedRegions: []) }),
    ]

    @Test(arguments: outOfRange)
    func valuesOutOfRangeAreRefusedByName(text: String, make: @Sendable () throws -> VerificationPolicy) {
        let error = #expect(throws: PolicyError.self, performing: make)
        #expect(error?.description == text)
    }

    @Test func aNumberWithMoreDigitsThanTheWorldCanDialIsRefusedWhateverItsKind() throws {
        let germany = try #require(Region("DE"))
        let policy = try VerificationPolicy(allowedRegions: [germany], acceptedKinds: [.fixedLine])
        let longest = try PhoneNumber(parsing: "+49 40 12345678901", region: germany)
        #expect(longest.e164.count == 16)
        #expect(longest.isDialledFromAbroad)
        #expect(try policy.phoneNumber(in: longest.e164, region: germany) == longest)
        let longer = try PhoneNumber(parsing: "+49 40 123456789012", region: germany)
        #expect(longer.kind == .fixedLine)
        #expect(!longer.isDialledFromAbroad)
        #expect(throws: PhoneFailure.invalidPhoneNumber(.tooLong)) {
            try policy.phoneNumber(in: longer.e164, region: germany)
        }
        #expect(throws: PhoneFailure.kindNotAccepted(.fixedLine)) {
            try VerificationPolicy(allowedRegions: [germany]).phoneNumber(in: longer.e164, region: germany)
        }
    }
}
