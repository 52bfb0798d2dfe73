import HTTPTypes

/// Whether the service runs, and whether it can work.
extension Operation {
    static let health: [Operation] = [live, ready]

    private static let live = Operation(
        id: "isLive",
        method: .get,
        path: "/health/live",
        tag: .operation,
        summary: "Whether the process runs",
        description: "Answers as long as the process does. What fails here is mended by a restart.",
        answers: [well],
        problems: []
    )

    private static let ready = Operation(
        id: "isReady",
        method: .get,
        path: "/health/ready",
        tag: .operation,
        summary: "Whether the service can do its work",
        description: "Asks the store. While it answers by 503, requests are better sent to another instance.",
        answers: [well],
        problems: [Examples.unavailable]
    )

    private static let well = DocumentedAnswer(
        status: 200,
        description: "It does.",
        schema: .named(.health),
        examples: [("ok", ["status": "ok"])]
    )
}
