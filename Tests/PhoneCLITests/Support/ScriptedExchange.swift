import Synchronization

@testable import PhoneCLI

/// A service that gives these answers, one after another, and remembers what it was asked.
final class ScriptedExchange: SignupExchange {
    private let state: Mutex<(answers: [SignupAnswer], calls: [SignupCall])>

    init(_ answers: (status: Int, body: String)...) {
        state = Mutex((answers.map { SignupAnswer(status: $0.status, body: Array($0.body.utf8)) }, []))
    }

    var calls: [SignupCall] { state.withLock { $0.calls } }

    func answer(to call: SignupCall) async throws(SignupFlowError) -> SignupAnswer {
        let answer: SignupAnswer? = state.withLock { state in
            state.calls.append(call)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw .unreachable(server: "http://phone.test", reason: "no more answers") }
        return answer
    }
}
