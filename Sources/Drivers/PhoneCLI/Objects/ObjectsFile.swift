import CoreEncodings
import YAML

/// The objects that a file describes, for ``ObjectsPlan``: sections of YAML, each a list.
///
/// An object is known by its name, of which there is one in its section. What a description does not name is not
/// managed: an operator may set it otherwise.
public struct ObjectsFile: Sendable {
    /// A section of the file.
    public struct Kind: Hashable, Sendable {
        /// Its name in the file.
        public let section: String
        public let word: String
        /// The path of the admin API that lists and makes them.
        let path: String
        /// The member by which an object is known.
        var name = "name"
        /// Those of the admin API that a description may have besides.
        let members: Set<String>
        /// Those that stay as they were made.
        var fixedMembers: Set<String> = []
        /// The member of the response that is shown once: where a description must say to put it.
        var secret: String?

        static let guardRules = Kind(
            section: "guard_rules",
            word: "guard rule",
            path: "/guard/rules",
            name: "prefix",
            members: ["action"]
        )
        public static let all = [
            Kind(
                section: "clients",
                word: "client",
                path: "/clients",
                members: [
                    "public", "redirect_uris", "logout_uris", "frame_ancestors", "scopes",
                    "id_token_signed_response_alg", "pkce_required", "device_sign_in", "logo", "accent", "radius",
                ],
                fixedMembers: ["public"],
                secret: "client_secret"
            ),
            Kind(
                section: "keys",
                word: "key",
                path: "/keys",
                members: ["scopes"],
                fixedMembers: ["scopes"],
                secret: "secret"
            ),
            guardRules,
        ]
    }

    public struct Object: Hashable, Sendable {
        public let kind: Kind
        public let name: String
        /// Those of the admin API, without the name.
        let members: [JSON.Member]
        /// Where its secret is written when it is made; nil if it has none.
        public let secretFile: String?
    }

    /// What is wrong with a file, a line for each.
    public struct Invalid: Error, Hashable { public let lines: [String] }

    public let objects: [Object]

    public init(_ bytes: [UInt8]) throws(Invalid) {
        let root: YAML?
        do {
            root = try YAML.parse(bytes)
        } catch {
            throw Invalid(lines: ["it is not valid YAML: \(error)"])
        }
        var (objects, lines, names): ([Object], [String], Set<String>) = ([], [], [])
        guard case .mapping(let sections) = root ?? .mapping([]) else {
            throw Invalid(lines: ["it must have sections: \(Kind.all.map(\.section).joined(separator: ", "))"])
        }
        for section in sections {
            guard let kind = Kind.all.first(where: { $0.section == section.name }) else {
                let isSetting = ["test_numbers", "webhooks"].contains(section.name)
                let advice = isSetting ? "it is a setting; put it into the configuration" : "remove it"
                lines.append("line \(section.line): there are no objects \(section.name); \(advice)")
                continue
            }
            if section.value.isNull { continue }
            guard case .sequence(let elements) = section.value else {
                lines.append("line \(section.line): \(section.name) must be a list")
                continue
            }
            for element in elements {
                do throws(Invalid) {
                    let object = try Self.object(element, of: kind, in: section.line)
                    guard names.insert("\(kind.section) \(object.name)").inserted else {
                        throw Invalid(lines: ["\(kind.word) \(object.name) is there twice"])
                    }
                    objects.append(object)
                } catch {
                    lines += error.lines
                }
            }
        }
        if !lines.isEmpty { throw Invalid(lines: lines) }
        self.objects = objects
    }

    private static func object(_ element: YAML, of kind: Kind, in line: Int) throws(Invalid) -> Object {
        guard case .mapping(let members) = element else {
            throw Invalid(lines: ["line \(line): each of \(kind.section) must have members"])
        }
        var (name, secretFile, others): (String?, String?, [JSON.Member]) = (nil, nil, [])
        for member in members {
            let value = member.value.json
            switch member.name {
            case kind.name: name = value.scalarText
            case "secret_file" where kind.secret != nil: secretFile = value.string
            case _ where kind.members.contains(member.name): others.append(JSON.Member(member.name, value))
            default: throw Invalid(lines: ["line \(member.line): a \(kind.word) has no \(member.name)"])
            }
        }
        guard let name, !name.isEmpty else {
            throw Invalid(lines: ["line \(members.first?.line ?? line): a \(kind.word) must have a \(kind.name)"])
        }
        let isPublic = others["public"]?.bool == true
        if kind.secret != nil, secretFile == nil, !isPublic {
            throw Invalid(lines: ["\(kind.word) \(name) must have a secret_file, into which its secret is written once"]
            )
        }
        return Object(kind: kind, name: name, members: others, secretFile: isPublic ? nil : secretFile)
    }
}

extension YAML {
    fileprivate var json: JSON {
        switch self {
        case _ where isNull: .null
        case .scalar("true", isPlain: true): true
        case .scalar("false", isPlain: true): false
        case .scalar(let text, isPlain: true) where Int(text) != nil: .integer(Int(text))
        case .scalar(let text, _): .string(text)
        case .sequence(let elements): .array(elements.map(\.json))
        case .mapping(let members): .object(members.map { JSON.Member($0.name, $0.value.json) })
        }
    }
}
