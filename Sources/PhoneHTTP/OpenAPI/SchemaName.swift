/// The schemas that have a name in the document, besides those of problems.
enum SchemaName: String, CaseIterable {
    case signup = "Signup"
    case begunSignup = "BegunSignup"
    case completedSignup = "CompletedSignup"
    case signupState = "SignupState"
    case failure = "Failure"
    case account = "Account"
    case tokens = "Tokens"
    case session = "Session"
    case accountDetails = "AccountDetails"
    case metadata = "Metadata"
    case dormantAccount = "DormantAccount"
    case personalData = "PersonalData"
    case verification = "Verification"
    case phoneNumber = "PhoneNumber"
    case health = "Health"
    case serverMetadata = "ServerMetadata"
    case beginSignup = "BeginSignup"
    case editSignup = "EditSignup"
    case sendCode = "SendCode"
    case submitCode = "SubmitCode"
    case beginVerification = "BeginVerification"
    case checkCode = "CheckCode"
    case refresh = "Refresh"
    case refreshForm = "RefreshForm"
    case revoke = "Revoke"
    case editAccount = "EditAccount"
    case beginNumberChange = "BeginNumberChange"
    case checkNumberChange = "CheckNumberChange"
    case decide = "Decide"
    case undoNumberChange = "UndoNumberChange"
    case undoneNumberChange = "UndoneNumberChange"
    case twilioReport = "TwilioReport"

    /// What goes by this name.
    var schema: Schema {
        switch self {
        case .signup: .signup
        case .begunSignup: .begunSignup
        case .completedSignup: .completedSignup
        case .signupState: .signupState
        case .failure: .failure
        case .account: .account
        case .tokens: .tokens
        case .session: .session
        case .accountDetails: .accountDetails
        case .metadata: .metadata
        case .dormantAccount: .dormantAccount
        case .personalData: .personalData
        case .verification: .verification
        case .phoneNumber: .phoneNumber
        case .health: .health
        case .serverMetadata: .serverMetadata
        case .beginSignup: .beginSignup
        case .editSignup: .editSignup
        case .sendCode: .sendCode
        case .submitCode: .submitCode
        case .beginVerification: .beginVerification
        case .checkCode: .checkCode
        case .refresh: .refresh
        case .refreshForm: .refreshForm
        case .revoke: .revoke
        case .editAccount: .editAccount
        case .beginNumberChange: .beginNumberChange
        case .checkNumberChange: .checkNumberChange
        case .decide: .decide
        case .undoNumberChange: .undoNumberChange
        case .undoneNumberChange: .undoneNumberChange
        case .twilioReport: .twilioReport
        }
    }
}
