import PhoneNumbers
import PhoneProofClient
import PhoneSignup
import PhoneViewModel
import SwiftUI

/// A signup in an app: a server, a model, a form.
@main
struct SampleApp: App {
    var body: some Scene {
        WindowGroup { SignupScreen(server: "https://phone.example") }
    }
}

struct SignupScreen: View {
    let server: String
    @State private var signup: RemoteSignup?
    @State private var model: SignupModel?

    var body: some View {
        if let model {
            SignupForm(model: model)
        } else {
            ProgressView().task { await begin() }
        }
    }

    private func begin() async {
        guard let client = PhoneProofClient(server: server, language: "ko", transport: URLSessionTransport()),
            let signup = try? await client.beginSignup(region: .korea)
        else { return }
        self.signup = signup
        model = SignupModel(PhoneViewModel(useCase: signup, phoneText: signup.startText))
    }
}

struct SignupForm: View {
    @Bindable var model: SignupModel

    var body: some View {
        Form {
            Section("Phone number") {
                TextField("010-1234-5678", text: $model.phoneText)
                    .textContentType(.telephoneNumber)
                    .keyboardType(.phonePad)
                Button(model.state.isCodeFieldHidden ? "Send code" : "Send again") {
                    Task { await model.send() }
                }
                .disabled(!model.state.isSendEnabled || model.state.isBusy)
            }
            if !model.state.isCodeFieldHidden {
                Section("Code") {
                    TextField("123456", text: $model.codeText)
                        .textContentType(.oneTimeCode)
                        .keyboardType(.numberPad)
                    Button("Sign up") { Task { await model.signUp() } }
                        .disabled(!model.state.isSignUpEnabled || model.state.isBusy)
                    if model.state.channels.contains(.call), model.state.sentCode?.channel != .call {
                        Button("Call me instead") { Task { await model.send(by: .call) } }
                            .disabled(!model.state.isResendEnabled(at: .now))
                    }
                }
            }
            if let failure = model.state.failure {
                Text(failure.message ?? "That did not work. Try again.")
            }
            if let account = model.state.signedUp {
                Text(account.isNew ? "Welcome!" : "Welcome back!")
            }
        }
    }
}
