import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// The phone field: what is in it, and where the number in it is at home.
extension SignupPages {
    /// Nil for a text that is no number.
    func number(_ text: String?) -> PhoneNumber? {
        text.flatMap { try? signups.useCase.phoneNumber(in: $0, region: locale.region) }
    }

    /// A hint with letters, such as an email address, was typed at an identity server in front of this one: no number
    /// has any.
    func firstText(_ visit: Visit) -> String {
        guard let hint = visit.query?.loginHint, hint.hasPrefix("tel:") || !hint.contains(where: \.isLetter)
        else { return "" }
        return signups.useCase.format(hint, region: region(of: visit))
    }

    /// That of the signup; before there is one, the likeliest of those that codes are sent to: of the number that the
    /// client names, then of the person's languages, then the service's own.
    private func region(of visit: Visit) -> Region {
        if let region = visit.signup?.region { return region }
        let languages = visit.query?.languages ?? []
        let likely =
            [number(visit.query?.loginHint)?.region] + languages.map(\.region) + visit.request.acceptedRegions
            + [locale.region]
        return likely.lazy.compactMap(\.self).first(where: regions.contains)
            ?? regions.min { $0.description < $1.description } ?? locale.region
    }

    /// Where a number in a form is at home: the chosen country may be a guess, so else in the service's own.
    func region(of phoneText: String, _ form: FormFields, _ visit: Visit) -> Region {
        let chosen = form["region"].flatMap(Region.init).flatMap { regions.contains($0) ? $0 : nil }
        return signups.useCase.region(of: phoneText, in: chosen ?? region(of: visit), or: locale.region)
    }

    func phone(_ text: String, _ visit: Visit, in region: Region? = nil) -> SignupPage.Content {
        let chosen = region ?? self.region(of: visit)
        let countries = regions.union([chosen]).compactMap { region in
            NumberingPlans.builtIn.callingCode(of: region).map { code in
                SignupPage.Country(region: region, callingCode: code)
            }
        }
        return .phone(
            text,
            example: NumberingPlans.builtIn.example(for: chosen),
            in: chosen,
            of: countries.sorted { $0.region.description < $1.region.description }
        )
    }

    /// What the field and the choice of the country show, for the page's script while a person types. It knows no number
    /// but the one in the request.
    ///
    /// Where a challenge is to be solved before a message to this number, it begins while the person types on.
    @Sendable func format(_ request: Request, _ context: APIContext) async throws -> Response {
        let text = request.query("text") ?? ""
        let chosen = request.query("region").flatMap(Region.init) ?? locale.region
        let region = signups.useCase.region(of: text, in: chosen, or: locale.region)
        var offer: ChallengeOffer?
        if let number = try? signups.useCase.phoneNumber(in: text, region: region) {
            offer = try await signups.useCase.challenge(for: number, from: context.address, region)
        }
        let work = offer.flatMap {
            $0.isRequired && $0.challenge.captcha == nil && !$0.challenge.isForAppsAlone ? $0.challenge.work : nil
        }
        return Response(
            json: [
                "text": .string(signups.useCase.format(text, region: region)),
                "region": .string(NumberingPlans.builtIn.region(typed: text, in: region).description),
                "example": .string(NumberingPlans.builtIn.example(for: chosen)?.nationalFormat ?? ""),
                "challenge": work?.json(at: clock.now()) ?? .null,
                "problem": .string(
                    signups.useCase.failure(of: text, in: region).map {
                        request.texts(else: locale.language).explanation(of: $0, at: clock.now())
                    }
                ),
            ]
        )
    }
}
