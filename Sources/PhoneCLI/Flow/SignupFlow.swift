/// A signup as the prompt drives it: what the person did goes in, what there is to draw comes out.
///
/// It holds no rule of its own: a view model decides, in this process or on a server. One call at a time.
public protocol SignupFlow: Sendable {
    /// Begins. Called once, before anything else.
    ///
    /// - Throws: ``SignupFlowError`` if the signup cannot go on; this is so of every call.
    func begin() async throws(SignupFlowError) -> SignupView

    /// The phone field was edited; this is all that it holds.
    func changePhoneText(_ text: String) async throws(SignupFlowError) -> SignupView

    /// The code field was edited; this is all that it holds.
    func changeCodeText(_ text: String) async throws(SignupFlowError) -> SignupView

    /// A code is asked for, the first time or again. Returns when that was seen to, well or not.
    func send() async throws(SignupFlowError) -> SignupView

    /// The code is to be checked and the person signed up. Returns when that was seen to, well or not.
    func signUp() async throws(SignupFlowError) -> SignupView
}
