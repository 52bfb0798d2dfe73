import CPostgreSQL
import Glibc
import PhoneSignup

/// A connection to the server, used by one thread at a time.
///
/// Whatever is asked at once is sent at once and answered at once, in libpq's pipeline mode
/// (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html): one way to the server and back. Every wait has
/// an end, since a server that hangs, or a network that swallows everything, says nothing.
final class Connection {
    private let pointer: OpaquePointer
    private let timeout: Duration
    private let didSend: @Sendable ([[Query]]) -> Void
    private var preparedNames: [String: String] = [:]
    /// Whether it can be used at all; once it cannot, it never can again.
    private(set) var isUsable = true
    /// Whether the transaction of the next batch has begun.
    var hasBegun = false
    /// The place of its server in ``ServerAddresses/all``.
    var server = 0

    init(
        _ pointer: OpaquePointer,
        timeout: Duration,
        didSend: @escaping @Sendable ([[Query]]) -> Void
    ) throws(PostgreSQLStoreError) {
        (self.pointer, self.timeout, self.didSend) = (pointer, timeout, didSend)
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
            throw .unreachable(reason: Self.reason(PQerrorMessage(pointer)))
        }
    }

    deinit { PQfinish(pointer) }

    /// Whether the server has not hung up while nothing was asked. It asks nothing: what has happened is known here.
    func isAlive() -> Bool {
        guard isUsable else { return false }
        guard wait(for: Int16(POLLIN), until: .now) else { return true }
        // What comes unasked is a notice, or a farewell.
        isUsable = PQconsumeInput(pointer) == 1 && PQstatus(pointer) == CONNECTION_OK
        return isUsable && !wait(for: Int16(POLLHUP), until: .now, alone: true)
    }

    /// Sends the queries of every part at once and waits for all answers. An error ends its part: what follows in it is
    /// not done. Other parts are not concerned; outside a transaction each is one.
    ///
    /// - Returns: for every part the results of its queries, or why it ended.
    /// - Throws: if no answer comes, or not all of them. Nothing is known of the parts then.
    func exchange(_ parts: [[Query]]) throws(PostgreSQLStoreError) -> [Result<[QueryResult], PostgreSQLStoreError>] {
        // A little more than the server has for a statement, so that it is the one who says that it took too long.
        let deadline = ContinuousClock.now + timeout + .milliseconds(500)
        do throws(PostgreSQLStoreError) {
            let prepared = try send(parts)
            try flush(deadline)
            didSend(parts)
            try receive(prepared, deadline)
            var results: [Result<[QueryResult], PostgreSQLStoreError>] = []
            for part in parts { results.append(try receive(count: part.count, deadline)) }
            return results
        } catch {
            isUsable = false
            throw error
        }
    }

    func exchange(_ queries: [Query]) throws(PostgreSQLStoreError) -> [QueryResult] {
        // There is one part, so there is one result.
        for result in try exchange([queries]) { return try result.get() }
        return []
    }

    // MARK: - Sending

    /// - Returns: the statements to be prepared, in a part of their own before all others, so that what happens to
    ///   one part does not leave another without its statement.
    private func send(_ parts: [[Query]]) throws(PostgreSQLStoreError) -> [(sql: String, name: String)] {
        var names: [String: String] = [:]
        var prepared: [(sql: String, name: String)] = []
        for query in parts.joined() where query.isPrepared && names[query.sql] == nil {
            if let name = preparedNames[query.sql] {
                names[query.sql] = name
                continue
            }
            let name = "s\(preparedNames.count + prepared.count)"
            names[query.sql] = name
            prepared.append((query.sql, name))
            let types = query.arguments.map(\.type)
            try require(PQsendPrepare(pointer, name, query.sql, Int32(types.count), types))
        }
        if !prepared.isEmpty { try require(PQpipelineSync(pointer)) }
        for part in parts {
            for query in part { try send(query, name: names[query.sql]) }
            try require(PQpipelineSync(pointer))
        }
        return prepared
    }

    private func send(_ query: Query, name: String?) throws(PostgreSQLStoreError) {
        guard let name else {
            try require(PQsendQueryParams(pointer, query.sql, 0, nil, nil, nil, nil, 1))
            return
        }
        let count = query.arguments.count
        // One piece of memory for all, so that the pointers into it live as long as it does. Never empty, so that it
        // has an address.
        var memory: [UInt8] = [0]
        var offsets: [Int?] = []
        for argument in query.arguments {
            offsets.append(argument.bytes == nil ? nil : memory.count)
            memory += argument.bytes ?? []
        }
        let lengths = query.arguments.map { Int32($0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: count)
        let sent = memory.withUnsafeBytes { memory in
            let values = offsets.map { offset in
                offset.flatMap { memory.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return PQsendQueryPrepared(pointer, name, Int32(count), values, lengths, formats, 1)
        }
        try require(sent)
    }

    private func require(_ sent: Int32) throws(PostgreSQLStoreError) { guard sent == 1 else { throw lost() } }

    private func flush(_ deadline: ContinuousClock.Instant) throws(PostgreSQLStoreError) {
        while true {
            switch PQflush(pointer) {
            case 0: return
            case 1:
                // The server may have to get rid of answers before it reads on.
                guard wait(for: Int16(POLLIN | POLLOUT), until: deadline) else { throw .timedOut }
                guard PQconsumeInput(pointer) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    // MARK: - Receiving

    private func receive(
        _ prepared: [(sql: String, name: String)],
        _ deadline: ContinuousClock.Instant
    ) throws(PostgreSQLStoreError) {
        guard !prepared.isEmpty else { return }
        var failure: PostgreSQLStoreError?
        for (sql, name) in prepared {
            switch try answer(deadline) {
            case .success: preparedNames[sql] = name
            case .failure(let error): failure = failure ?? error
            }
        }
        try receiveEndOfPart(deadline)
        // Its name is another's on this connection, or that of an earlier connection of ours.
        if case .failed("42P05", _) = failure { throw .sessionShared }
        // What needs the statement would fail too: without it the connection cannot be used.
        if let failure { throw failure }
    }

    private func receive(
        count: Int,
        _ deadline: ContinuousClock.Instant
    ) throws(PostgreSQLStoreError) -> Result<[QueryResult], PostgreSQLStoreError> {
        var results: [QueryResult] = []
        var failure: PostgreSQLStoreError?
        for _ in 0..<count {
            switch try answer(deadline) {
            case .success(let result): results.append(result)
            // What comes after the first is only that nothing was done any more.
            case .failure(let error): failure = failure ?? error
            }
        }
        try receiveEndOfPart(deadline)
        return failure.map { .failure($0) } ?? .success(results)
    }

    /// The answer to one query, and the end of it.
    private func answer(
        _ deadline: ContinuousClock.Instant
    ) throws(PostgreSQLStoreError) -> Result<QueryResult, PostgreSQLStoreError> {
        guard let result = try next(deadline) else { throw lost() }
        let answer: Result<QueryResult, PostgreSQLStoreError> =
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: .success(QueryResult(result))
            default: .failure(Self.failure(freeing: result))
            }
        guard PQstatus(pointer) == CONNECTION_OK else {
            // The server's last words say more than that it is gone.
            if case .failure(let error) = answer, error.asksForAnotherConnection { throw error }
            throw lost()
        }
        while let rest = try next(deadline) { PQclear(rest) }
        return answer
    }

    private func receiveEndOfPart(_ deadline: ContinuousClock.Instant) throws(PostgreSQLStoreError) {
        guard let result = try next(deadline) else { throw lost() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw lost() }
    }

    private func next(_ deadline: ContinuousClock.Instant) throws(PostgreSQLStoreError) -> OpaquePointer? {
        while PQisBusy(pointer) == 1 {
            guard wait(for: Int16(POLLIN), until: deadline) else { throw .timedOut }
            guard PQconsumeInput(pointer) == 1 else { throw lost() }
        }
        return PQgetResult(pointer)
    }

    /// - Returns: whether anything happened in time; an error that `poll` saw is found by the next read.
    private func wait(for events: Int16, until deadline: ContinuousClock.Instant, alone: Bool = false) -> Bool {
        let happened = Self.poll(pointer, for: events, until: deadline)
        return happened != 0 && (!alone || happened & events != 0)
    }

    /// - Returns: what happened on the socket, 0 if nothing did in time.
    static func poll(_ pointer: OpaquePointer, for events: Int16, until deadline: ContinuousClock.Instant) -> Int16 {
        var descriptor = pollfd(fd: PQsocket(pointer), events: events, revents: 0)
        while true {
            let left = max(.zero, deadline - .now)
            // Never 0 while there is time left, which would turn the last millisecond into a busy loop.
            let count = Glibc.poll(&descriptor, 1, left > .zero ? Int32(clamping: max(1, left.wholeMilliseconds)) : 0)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? descriptor.revents : 0
        }
    }

    // MARK: - Errors

    private func lost() -> PostgreSQLStoreError { .disconnected(reason: Self.reason(PQerrorMessage(pointer))) }

    /// `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, character constants that do not come over from C.
    private static let sqlStateField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    /// The server's code and its first words. Not its details: they quote the rows.
    private static func failure(freeing result: OpaquePointer) -> PostgreSQLStoreError {
        defer { PQclear(result) }
        let sqlState = PQresultErrorField(result, Self.sqlStateField).map { String(cString: $0) }
        let reason = PQresultErrorField(result, Self.messageField).map { String(cString: $0) }
        switch sqlState {
        case "25006": return .readOnly
        // The time limits that we set: of a statement, and of a transaction in which nothing is done.
        case "57014": return .waitedTooLong
        case "25P03": return .disconnected(reason: reason ?? "idle in a transaction")
        case nil: return .disconnected(reason: reason ?? "the connection ended")
        case .some(let sqlState): return .failed(sqlState: sqlState, reason: reason ?? "no reason was given")
        }
    }

    /// libpq's message in one line.
    static func reason(_ message: UnsafePointer<CChar>?) -> String { reason(message.map { String(cString: $0) } ?? "") }

    static func reason(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).first.map(String.init) ?? "the connection ended"
    }
}
