import PhoneDomain

/// Things of every kind, as the document shows them. A test holds them to the schemas.
enum Examples {
    static let moment = Timestamp(milliseconds: 1_767_225_600_000)
    static let signupID = "sgn_5b7e0c1f9a3d4e62b8c7d6e5f4a3b2c1"
    static let verificationID = "ver_9f2c41d07be84a55a1c3e6d90b7f2a18"

    static func verification(status: VerificationStatus = .pending, checksLeft: Int = 5) -> JSON {
        [
            "id": .string(verificationID),
            "phone_number": "+821012345678",
            "national_format": "010-1234-5678",
            "region": "KR",
            "channel": .string(Channel.sms.rawValue),
            "status": .string(status.rawValue),
            "created_at": "2026-01-01T00:00:00.000Z",
            "expires_at": "2026-01-01T00:10:00.000Z",
            "next_send_at": "2026-01-01T00:00:30.000Z",
            "sends_left": 4,
            "checks_left": .integer(checksLeft),
        ]
    }

    static let begunSignup = signup(token: "sgt_x3Yc0m1tZq8nB5uV7wK2rL9sD4fG6hJ0pA1eT3iO5yU")
    static let emptySignup = signup()
    static let sentSignup = signup(phoneText: "010-1234-5678", verification: verification())
    static let completedSignup = signup(
        phoneText: "010-1234-5678",
        codeText: "314159",
        verification: verification(status: .approved, checksLeft: 4),
        account: [
            "id": .string(accountID),
            "phone_number": "+821012345678",
            "created_at": "2026-01-01T00:00:20.000Z",
            "is_new": true,
        ],
        tokens: tokens
    )

    static let accountID = "acc_3c9d7e5f1b2a4068c4d2e6f8a0b1c3d5"
    static let sessionID = "ses_9f2c41d07be84a55a1c3e6d90b7f2a18"
    static let refreshToken =
        "rt_9f2c41d07be84a55a1c3e6d90b7f2a18_x3Yc0m1tZq8nB5uV7wK2rL9sD4fG6hJ0pA1eT3iO5yUq7Rt2Wm9Zb4Xc6Vn8Lk0Jh"

    static let tokens: JSON = [
        "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhY2NfMyJ9.c2lnbmF0dXJl",
        "token_type": "Bearer",
        "expires_in": 900,
        "refresh_token": .string(refreshToken),
        "scope": .string(AccessToken.scope),
    ]

    static let session: JSON = [
        "id": .string(sessionID),
        "user_agent": "Mozilla/5.0 (Linux; Android 16)",
        "created_at": "2026-01-01T00:00:20.000Z",
        "last_used_at": "2026-01-02T08:30:00.000Z",
        "expires_at": "2026-02-01T08:30:00.000Z",
        "is_current": true,
    ]

    static func account(deletionDueAt: JSON = .null) -> JSON {
        [
            "id": .string(accountID),
            "phone_number": "+821012345678",
            "national_format": "010-1234-5678",
            "phone_number_verified": true,
            "phone_number_since": "2026-01-01T00:00:20.000Z",
            "created_at": "2026-01-01T00:00:20.000Z",
            "last_active_at": "2026-01-02T08:30:00.000Z",
            "metadata": ["plan": "family"],
            "deletion_due_at": deletionDueAt,
        ]
    }

    static let dormantAccount: JSON = [
        "account": [
            "id": .string(accountID),
            "created_at": "2024-01-01T00:00:20.000Z",
            "last_active_at": "2025-03-02T08:30:00.000Z",
            "metadata": ["plan": "family"],
        ],
        "decision": .null,
    ]

    private static func signup(
        token: String? = nil,
        phoneText: String = "010-",
        codeText: String = "",
        verification: JSON = .null,
        account: JSON = .null,
        tokens: JSON? = nil
    ) -> JSON {
        let state: JSON = [
            "phone_text": .string(phoneText),
            "is_send_enabled": .bool(verification != .null),
            "is_code_field_hidden": .bool(verification == .null),
            "code_text": .string(codeText),
            "is_sign_up_enabled": false,
            "is_busy": false,
            "failure": .null,
        ]
        return .object(
            [JSON.Member("id", .string(signupID))]
                + (token.map { [JSON.Member("token", .string($0))] } ?? [])
                + [
                    JSON.Member("state", state),
                    JSON.Member("verification", verification),
                    JSON.Member("account", account),
                ]
                + (tokens.map { [JSON.Member("tokens", $0)] } ?? [])
        )
    }

    static let mobile: JSON = [
        "input": "01012345678",
        "formatted": "010-1234-5678",
        "is_valid": true,
        "is_mobile": true,
        "e164": "+821012345678",
        "national_format": "010-1234-5678",
        "international_format": "+82 10-1234-5678",
        "region": "KR",
        "type": .string(NumberKind.mobile.rawValue),
        "can_receive_code": true,
        "reason": .null,
    ]

    static let unfinished: JSON = [
        "input": "0101",
        "formatted": "010-1",
        "is_valid": false,
        "is_mobile": false,
        "e164": .null,
        "national_format": .null,
        "international_format": .null,
        "region": .null,
        "type": .null,
        "can_receive_code": false,
        "reason": [
            "code": .string(ProblemCode.invalidPhoneNumber.rawValue),
            "detail": .string(PhoneNumberError.tooShort.detail),
        ],
    ]

    /// What the rules may refuse, each as it is answered.
    static let noSuchNumber = problem(.invalidPhoneNumber(.tooShort))
    static let notMobile = problem(.kindNotAccepted(.fixedLine))
    static let regionNotAllowed = problem(.regionNotAllowed(Region("US")))
    static let resendTooSoon = problem(.resendTooSoon(nextSendAt: moment + .seconds(30)))
    static let maxSendsReached = problem(.maxSendsReached(retryAt: moment + .seconds(600)))
    static let maxChecksReached = problem(.maxChecksReached(retryAt: moment + .seconds(600)))
    static let malformedCode = problem(.malformedCode(length: 6))
    static let codeIncorrect = problem(.codeIncorrect(checksLeft: 4))
    static let codeExpired = problem(.codeExpired)
    static let notApproved = problem(.verificationNotApproved)
    static let verificationNotFound = problem(.verificationNotFound)
    static let verificationClosed = problem(.verificationClosed)
    static let accountDormant = problem(.accountDormant)
    static let numberTaken = problem(.numberTaken)
    static let reauthenticationRequired = problem(.proofTooOld)
    static let metadataTooLong = problem(.invalidMetadata(.tooLong))
    static let metadataTooDeep = problem(.invalidMetadata(.tooDeep))
    static let numberChangeNotFound = problem(.numberChangeNotFound)
    static let unavailable = problem(.unavailable(cause: ""))
    static let rateLimited = problem(
        .rateLimited(
            policies: [QuotaPolicy(name: "address-sends-1h", quota: 10, window: .seconds(3600))],
            retryAt: moment + .seconds(1200)
        )
    )

    private static func problem(_ failure: PhoneFailure) -> Problem {
        Problem(failure, at: moment)
    }
}
