import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneService

/// The signed-in person and their sessions.
extension SupabaseAPI {
    /// - Parameter router: has authenticated the person.
    func addUser(to router: APIRouter) {
        router
            .get("user", use: showUser)
            .put("user", use: updateUser)
            .post("logout", use: signOut)
            .get("reauthenticate", use: reauthenticate)
    }

    @Sendable func token(request: Request, context: APIContext) async throws -> Response {
        switch request.query("grant_type") {
        case "refresh_token": break
        case "password": return try await refusePassword(request: request, context: context)
        case "id_token", "pkce": throw AuthError.providersDisabled
        case "web3": throw AuthError.web3Disabled
        default: throw AuthError.otherGrantType
        }
        guard let token = try await request.jsonBody().text("refresh_token"), !token.isEmpty else {
            throw AuthError.noRefreshToken
        }
        let issued: IssuedTokens
        do throws(PhoneFailure) {
            issued = try await service.accounts.refresh(SecretToken(token), from: context.address)
        } catch {
            throw error == .notSignedIn ? AuthError.refreshTokenNotFound : error as any Error
        }
        return Response(json: try await tokens.session(issued))
    }

    /// A sign-up or sign-in that is not by a code.
    @Sendable func refusePassword(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        if try body.text("email")?.isEmpty == false { throw AuthError.emailDisabled }
        throw try body.text("phone") == nil ? AuthError.anonymousDisabled : AuthError.passwordsDisabled
    }

    @Sendable private func showUser(request: Request, context: APIContext) throws -> Response {
        Response(json: try context.signedInUser().userJSON())
    }

    @Sendable private func updateUser(request: Request, context: APIContext) async throws -> Response {
        var signedIn = try context.signedInUser()
        let body = try await request.jsonBody()
        if let email = try body.text("email"), !email.isEmpty { throw AuthError.emailDisabled }
        if let password = try body.text("password"), !password.isEmpty { throw AuthError.passwordsDisabled }
        let phone = try body.text("phone").flatMap { $0.isEmpty ? nil : $0 }
        // Everything is judged before anything is done.
        let number = try phone.map { try self.number($0) }
        if let data = try body.object("data"), !data.isEmpty {
            let account = try await service.accounts.update(signedIn, from: context.address) {
                metadata throws(PhoneFailure) in try metadata.replacing(data)
            }
            signedIn = SignedIn(session: signedIn.session, account: account)
        }
        guard let number, number != signedIn.account.phoneNumber else { return Response(json: signedIn.userJSON()) }
        return Response(json: signedIn.userJSON(change: try await sendCode(to: number, for: signedIn, context)))
    }

    @Sendable private func signOut(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.signedInUser()
        let (accounts, session) = (service.accounts, signedIn.session)
        switch request.query("scope") {
        case nil, "global":
            _ = try await accounts.end(.all(generation: session.generation), of: signedIn, from: context.address)
        case "local": _ = try await accounts.end(.one(session.id), of: signedIn, from: context.address)
        case "others":
            // An account has ``SessionPolicy/most`` at most.
            for other in try await accounts.sessions(of: signedIn) where other.id != session.id {
                _ = try await accounts.end(.one(other.id), of: signedIn, from: context.address)
            }
        default: throw AuthError.otherScope
        }
        return Response(status: .noContent)
    }

    @Sendable private func reauthenticate(request: Request, context: APIContext) async throws -> Response {
        guard let number = try context.signedInUser().account.phoneNumber else { throw AuthError.noNumber }
        // A new session is all that reauthentication is for.
        try await begin(number, by: Self.owner, context)
        return Response(json: [:])
    }
}
