/// Does something N times at once.
///
/// - Returns: the result of each, in no order.
@discardableResult
public func atOnce<Value: Sendable>(
    _ count: Int,
    _ work: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await atOnce(0..<count, work)
}

/// Does something with each of these at once.
@discardableResult
public func atOnce<Element: Sendable, Value: Sendable>(
    _ elements: some Sequence<Element>,
    _ work: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for element in elements { group.addTask { try await work(element) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
