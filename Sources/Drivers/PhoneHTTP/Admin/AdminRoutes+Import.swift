import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup

// People in and out.

extension AdminRoutes {
    func addImportRoutes(to router: APIRouter) {
        router
            .post("accounts", use: act(create, .created))
            .post("accounts/import", use: act(importAccounts))
            .post("accounts/export", use: act(exportAccounts))
    }

    /// One person; the same again is answered alike.
    @Sendable private func create(_ act: Act) async throws -> JSON {
        let person = try person(act.body, region: nil)
        let results = try await administration.importAccounts([person], onConflict: .fail, by: act.author)
        guard let result = results.first else { throw Problem.internalError(cause: "no result of an import") }
        return try result.get().account.adminJSON()
    }

    /// What is wrong with one person is no reason to refuse the others.
    @Sendable private func importAccounts(_ act: Act) async throws -> JSON {
        let (most, region) = (Administration.mostImported, try act.body.region())
        guard let items = try act.body.objects("items"), items.count <= most else {
            throw Problem.field("items", "must be a list of up to \(most) objects")
        }
        let conflict: ImportAccount.Conflict = try act.body.choice("on_conflict") ?? .skip
        let isDryRun = try act.body.flag("dry_run") ?? false
        let people = items.map { item in Result { try person(item, region: region) } }
        let found = try await administration.importAccounts(
            people.compactMap { try? $0.get() },
            onConflict: conflict,
            isDryRun: isDryRun,
            by: act.author
        )
        var rest = found.makeIterator()
        let results = people.map { person -> JSON in
            switch person.flatMap({ _ in rest.next() ?? .failure(Problem.internalError(cause: "too few results")) }) {
            case .success(let outcome): outcome.json
            case .failure(let error):
                ["status": "failed", "detail": .string(Problem(of: error, at: administration.now).detail)]
            }
        }
        return ["results": .array(results)]
    }

    @Sendable private func exportAccounts(_ act: Act) async throws -> JSON {
        let last: Account.ID? = try act.body.text("cursor", "is of another list") { Account.ID($0) }
        let limit = try act.body.integer("limit", in: 1...longestPage) ?? 50
        let page = try await administration.exportAccounts(before: last, limit: limit, by: act.author)
        return try page.json { try $0.adminJSON() }
    }

    /// - Parameter region: that of numbers without a country code whose person has none.
    private func person(_ body: JSONBody, region: Region?) throws -> ImportedPerson {
        let patch = try body.object("metadata").map { JSON.object($0) }
        var person = ImportedPerson { metadata throws(PhoneFailure) in
            if let patch { try metadata.merged(with: patch) } else { metadata }
        }
        person.id = try body.text("id", "must be acc_ and 32 hexadecimal digits") { Account.ID($0) }
        if let text = try body.text("phone_number") {
            person.phoneNumber = try administration.number(text, region: body.region() ?? region)
        }
        person.externalID = try body.text("external_id", ExternalID.requirement) { ExternalID($0) }
        person.createdAt = try body.moment("created_at")
        person.phoneNumberSince = try body.moment("phone_number_since")
        person.lastActiveAt = try body.moment("last_active_at")
        person.suspendedAt = try body.moment("suspended_at")
        person.deletionDueAt = try body.moment("deletion_due_at")
        if let consent = try body.object("consent").map({ JSONBody($0, path: "consent.") }) {
            let acceptedAt = try consent.moment("accepted_at")
            guard let acceptedAt else { throw Problem.field("consent.accepted_at", "is missing") }
            person.consent = Consent(version: try consent.requiredText("version"), acceptedAt: acceptedAt)
        }
        return person
    }
}

extension JSONBody {
    fileprivate func moment(_ name: String) throws(Problem) -> Timestamp? {
        try text(name, "must be a time such as 2026-11-21T09:00:00Z") { Timestamp(rfc3339: $0) }
    }
}

extension ImportAccount.Outcome {
    fileprivate var json: JSON {
        let status =
            switch self {
            case .created: "created"
            case .updated: "updated"
            case .unchanged: "unchanged"
            case .skipped: "skipped"
            }
        return [
            "status": .string(status), "id": .string(account.id.description),
            "region": .string(account.phoneNumber?.region.description),
        ]
    }
}
