public import CoreEncodings

/// Sends the people of a file to the admin API, some hundred at a time, so that a file of any length takes as much
/// memory. What was done stays done: an import that was interrupted is begun anew, and finds what is there.
public struct PeopleImport {
    /// What became of them.
    public struct Counts: Hashable, Sendable {
        public internal(set) var created = 0
        public internal(set) var updated = 0
        public internal(set) var unchanged = 0
        public internal(set) var skipped = 0
        public internal(set) var failed = 0
        /// The people who are accounts now, by the regions of their numbers.
        public internal(set) var regions: [String: Int] = [:]

        public var all: Int { created + updated + unchanged + skipped + failed }

        public var json: JSON {
            let regions = regions.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) }
            return [
                "created": .integer(created), "updated": .integer(updated), "unchanged": .integer(unchanged),
                "skipped": .integer(skipped), "failed": .integer(failed), "regions": .object(regions),
            ]
        }
    }

    /// A record that was not imported, and why.
    public struct Failure: Hashable, Sendable {
        public let line: Int
        public let reason: String
        public var json: JSON { ["line": .integer(line), "reason": .string(reason)] }
    }

    /// What a request may contain: the service takes bodies of 64 KiB and 4,096 names and values, and 500 people.
    private static let most = (bytes: 48_000, values: 3500, people: 500)

    private let api: AdminAPI
    private let source: PeopleSource
    private let options: [JSON.Member]
    private let moment: String
    private let report: (Failure) throws -> Void
    private let progress: (Counts) -> Void
    private var waiting: [(line: Int, person: JSON)] = []
    private var size = (bytes: 0, values: 0)
    public private(set) var counts = Counts()

    /// - Parameters:
    ///   - options: members of each request, such as `on_conflict`.
    ///   - moment: the time of the import.
    ///   - report: called for each record that is not imported.
    ///   - progress: called after each request.
    public init(
        from source: PeopleSource,
        to api: AdminAPI,
        options: [JSON.Member],
        moment: String,
        report: @escaping (Failure) throws -> Void,
        progress: @escaping (Counts) -> Void
    ) {
        (self.source, self.api, self.options, self.moment) = (source, api, options, moment)
        (self.report, self.progress) = (report, progress)
    }

    /// Throws what reading, the API and the report throw.
    public mutating func run(_ records: inout RecordReader) async throws {
        while let record = try records.next() {
            let person: JSON
            do {
                person = try source.person(of: try record.value.get(), at: moment)
            } catch {
                try fail(record.line, "\(error)")
                continue
            }
            try await add(record.line, person)
        }
        try await send()
    }

    private mutating func add(_ line: Int, _ person: JSON) async throws {
        let (bytes, values) = (person.utf8.count + 1, person.valueCount)
        guard bytes <= Self.most.bytes, values <= Self.most.values else {
            return try fail(line, "it has too much data, in bytes or in members")
        }
        if size.bytes + bytes > Self.most.bytes || size.values + values > Self.most.values
            || waiting.count == Self.most.people
        {
            try await send()
        }
        waiting.append((line, person))
        size = (size.bytes + bytes, size.values + values)
    }

    private mutating func send() async throws {
        guard !waiting.isEmpty else { return }
        let body = [("items", JSON.array(waiting.map(\.person)))] + options.map { ($0.name, $0.value) }
        let results = try await api.post("/accounts/import", body)["results"]?.array ?? []
        guard results.count == waiting.count else {
            throw AdminRefusal(status: 502, detail: "the answer to an import has another number of results")
        }
        for ((line, _), result) in zip(waiting, results) {
            switch result["status"]?.string {
            case "created": counts.created += 1
            case "updated": counts.updated += 1
            case "unchanged": counts.unchanged += 1
            case "skipped": counts.skipped += 1
            default:
                try fail(line, result["detail"]?.string ?? "unknown reason")
                continue
            }
            counts.regions[result["region"]?.string ?? "none", default: 0] += 1
        }
        (waiting, size) = ([], (0, 0))
        progress(counts)
    }

    private mutating func fail(_ line: Int, _ reason: String) throws {
        counts.failed += 1
        try report(Failure(line: line, reason: reason))
    }
}

extension JSON {
    /// The names and values in it, as requests are limited by (``mostValuesOfRequest``).
    fileprivate var valueCount: Int {
        switch self {
        case .null, .bool, .number, .string: 1
        case .array(let values): values.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + 1 + $1.value.valueCount }
        }
    }
}
