import PhoneDomain
import PhoneNumbers
import Testing

@Suite struct VerificationPolicyTests {
    @Test func standardIsWithinItsOwnRanges() throws {
        #expect(try VerificationPolicy() == .standard)
    }

    @Test func valuesOutOfRangeAreRefusedByName() {
        func refusal(_ make: () throws(PolicyError) -> VerificationPolicy) -> String? {
            do {
                _ = try make()
                return nil
            } catch {
                return error.description
            }
        }
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(codeLength: 3) }
                == "codeLength must be 4 to 10 digits"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(codeTTL: .seconds(601)) }
                == "codeTTL must be more than 0 and at most 600 seconds"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(approvalTTL: .zero) }
                == "approvalTTL must be more than 0 and at most 3600 seconds"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(maxChecks: 0) } == "maxChecks must be 1 to 10"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(maxSends: 21) } == "maxSends must be 1 to 20"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(resendCooldowns: []) }
                == "resendCooldowns must be one or more durations of 0 to 3600 seconds"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(maxConsecutiveFailures: 101) }
                == "maxConsecutiveFailures must be 1 to 100"
        )
        #expect(
            refusal { () throws(PolicyError) in try VerificationPolicy(allowedRegions: []) }
                == "allowedRegions must be one or more regions"
        )
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
