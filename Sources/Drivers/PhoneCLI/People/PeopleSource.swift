public import CoreEncodings
import PhoneDomain
import PhoneSignup

/// The systems whose exports are read, each in the form that its documentation describes.
///
/// What only a server may write there (custom claims, `app_metadata`) is not read: an account's owner may write its
/// metadata, and an app might take a role from it.
public enum PeopleSource: String, Sendable, CaseIterable {
    /// `firebase auth:export FILE --format=json` (https://firebase.google.com/docs/cli/auth).
    case firebase
    /// A job of users-exports, unpacked
    /// (https://auth0.com/docs/manage-users/user-migration/bulk-user-exports).
    case auth0
    /// `aws cognito-idp list-users`
    /// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html).
    case cognito
    /// The table `auth.users` as CSV or JSON, or pages of `GET /auth/v1/admin/users`
    /// (https://supabase.com/docs/guides/auth/managing-user-data).
    case supabase
    /// Our own columns.
    case csv
    /// What ``accounts export --all`` writes, and the members of `POST /v1/admin/accounts`.
    case jsonl

    /// Why a record is no person.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// What `POST /v1/admin/accounts` takes of a record.
    ///
    /// - Parameter moment: from which on a suspended person is suspended, whose source does not say since when.
    public func person(of record: JSON, at moment: String) throws(Fault) -> JSON {
        switch self {
        case .firebase: try firebase(record, moment)
        case .auth0: try auth0(record, moment)
        case .cognito: try cognito(record, moment)
        case .supabase: try supabase(record, moment)
        case .csv: try columns(record)
        case .jsonl: record
        }
    }

    /// A user record of `auth:export`. `lastSignedInAt` and `createdAt` are milliseconds.
    private func firebase(_ user: JSON, _ moment: String) throws(Fault) -> JSON {
        var person = Person(number: user["phoneNumber"], id: user["localId"])
        person.createdAt = try time(user, "createdAt")
        person.lastActiveAt = try time(user, "lastSignedInAt")
        if user["disabled"]?.bool == true { person.suspendedAt = moment }
        person.add("email", user["email"])
        person.add("email_verified", user["email"].flatMap { _ in user["emailVerified"] })
        person.add("name", user["displayName"])
        person.add("picture", user["photoUrl"])
        return try person.json()
    }

    /// A user of the export with any of the fields that can be asked for. In CSV, metadata are columns such as
    /// `user_metadata.plan`.
    private func auth0(_ user: JSON, _ moment: String) throws(Fault) -> JSON {
        guard user["phone_verified"].map(isTrue) ?? true else { throw Self.unproven }
        var person = Person(number: user["phone_number"], id: user["user_id"])
        person.createdAt = try time(user, "created_at")
        person.lastActiveAt = try time(user, "last_login")
        if user["blocked"].map(isTrue) == true { person.suspendedAt = moment }
        for name in ["email", "email_verified", "username", "name", "nickname", "given_name", "family_name", "picture"]
        {
            person.add(name, user[name])
        }
        let parts = user.members.filter { $0.name.hasPrefix("user_metadata.") }
        let flat = parts.map { JSON.Member(String($0.name.dropFirst("user_metadata.".count)), $0.value) }
        person.add("user_metadata", flat.isEmpty ? user["user_metadata"] : .object(flat))
        return try person.json()
    }

    /// A user of ListUsers. Attributes are a list of names and values, of which the standard ones are read; times are seconds, or ISO 8601 with
    /// `cli_timestamp_format`.
    private func cognito(_ user: JSON, _ moment: String) throws(Fault) -> JSON {
        var attributes: [(String, JSON)] = []
        for attribute in user["Attributes"]?.array ?? [] {
            if let name = attribute["Name"]?.string { attributes.append((name, attribute["Value"] ?? .null)) }
        }
        func value(_ name: String) -> JSON? { attributes.first { $0.0.hasSameBytes(as: name) }?.1 }
        guard value("phone_number") == nil || value("phone_number_verified").map(isTrue) == true else {
            throw Self.unproven
        }
        var person = Person(number: value("phone_number"), id: value("sub") ?? user["Username"])
        person.createdAt = try time(user, "UserCreateDate")
        if user["Enabled"]?.bool == false { person.suspendedAt = moment }
        person.add("username", user["Username"])
        let others = ["sub", "phone_number", "phone_number_verified", "identities"]
        for (name, value) in attributes where !name.contains(":") && !others.contains(name) {
            person.add(name, value)
        }
        return try person.json()
    }

    /// A row of `auth.users`, or a user of the admin API, whose metadata have other names. Numbers have no `+`.
    private func supabase(_ user: JSON, _ moment: String) throws(Fault) -> JSON {
        let number = user["phone"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard number == nil || user["phone_confirmed_at"]?.string?.isEmpty == false else { throw Self.unproven }
        let e164 = number.map { $0.hasPrefix("+") ? $0 : "+" + $0 }
        var person = Person(number: .string(e164), id: user["id"])
        person.createdAt = try time(user, "created_at")
        person.lastActiveAt = try time(user, "last_sign_in_at")
        // A ban that has ended is none.
        if let end = try time(user, "banned_until"), end > moment { person.suspendedAt = moment }
        person.add("email", user["email"])
        person.add(
            "user_metadata",
            try parsed(user, user["user_metadata"] == nil ? "raw_user_meta_data" : "user_metadata")
        )
        return try person.json()
    }

    /// A member of the metadata is a column such as `metadata.plan`, and its value is text.
    private func columns(_ row: JSON) throws(Fault) -> JSON {
        let known = ["id", "phone_number", "region", "external_id"]
        let times = ["created_at", "phone_number_since", "last_active_at", "suspended_at"]
        var (members, metadata) = ([JSON.Member](), [JSON.Member]())
        for member in row.members {
            if known.contains(member.name) {
                members.append(member)
            } else if times.contains(member.name) {
                members.append(.init(member.name, .string(try time(row, member.name))))
            } else if member.name.hasPrefix("metadata."), member.name.utf8.count > 9 {
                metadata.append(.init(String(member.name.dropFirst(9)), member.value))
            } else {
                let names = (known + times).joined(separator: ", ")
                throw Fault(description: "unknown column \(member.name): there are \(names) and metadata.NAME")
            }
        }
        if !metadata.isEmpty { members.append(.init("metadata", .object(metadata))) }
        return .object(members)
    }

    private static let unproven = Fault(description: "the phone number is not verified there")

    private func isTrue(_ value: JSON) -> Bool { value.scalarText?.lowercased() == "true" }

    /// JSON in a string, or as it is.
    private func parsed(_ record: JSON, _ name: String) throws(Fault) -> JSON? {
        guard let text = record[name]?.string else { return record[name] }
        guard let value = JSON(parsing: text) else { throw Fault(description: "\(name) is not JSON") }
        return value
    }

    /// In RFC 3339. Exports have it as that, as PostgreSQL writes it, and as seconds or milliseconds.
    private func time(_ record: JSON, _ name: String) throws(Fault) -> String? {
        guard let text = record[name]?.scalarText, !text.isEmpty else { return nil }
        guard let time = Timestamp(exported: text) else { throw Fault(description: "\(name) is no time") }
        return time.description
    }

    private struct Person {
        private let number, id: String?
        var createdAt, lastActiveAt, suspendedAt: String?
        private var metadata: [JSON.Member] = []

        init(number: JSON?, id: JSON?) { (self.number, self.id) = (number?.string, id?.scalarText) }

        mutating func add(_ name: String, _ value: JSON?) {
            guard let value, value != .null, value != .string(""), value != .object([]) else { return }
            metadata.append(.init(name, value))
        }

        func json() throws(Fault) -> JSON {
            guard let number, !number.isEmpty else { throw Fault(description: "there is no phone number") }
            let members: [(String, JSON)] = [
                ("phone_number", .string(number)), ("external_id", .string(id)), ("created_at", .string(createdAt)),
                ("last_active_at", .string(lastActiveAt)), ("suspended_at", .string(suspendedAt)),
                ("metadata", metadata.isEmpty ? .null : .object(metadata)),
            ]
            return .object(members.filter { $0.1 != .null }.map { .init($0.0, $0.1) })
        }
    }
}

extension Timestamp {
    /// RFC 3339; `2024-01-02 03:04:05.678+00` of PostgreSQL, in UTC without an offset; or seconds or milliseconds since
    /// 1970, which are told apart by their size: as seconds, 10¹¹ are in the year 5138.
    init?(exported text: String) {
        if let number = Double(text), number.magnitude < 1e15 {
            self.init(milliseconds: Int64(number.magnitude < 1e11 ? (number * 1000).rounded() : number))
            return
        }
        var text = text
        if text.utf8.count == 10 { text += "T00:00:00Z" }
        text = String(text.map { $0 == " " ? "T" : $0 })
        let clock = text.drop { $0 != "T" }
        if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            if clock[sign...].utf8.count == 3 { text += ":00" }
        } else if !text.hasSuffix("Z") {
            text += "Z"
        }
        self.init(rfc3339: text)
    }
}
