import HTTPTypes
import PhoneDomain

/// How the service fares.
extension Operation {
    static let metrics: [Operation] = [
        Operation(
            id: "getMetrics",
            method: .get,
            path: "/metrics",
            tag: .operation,
            security: .adminKey,
            summary: "Metrics for Prometheus",
            description: """
                What is counted and measured, in the format that `Accept` asks for. Programs on the machine itself need no \
                key. An operator may have it at a port of its own, or nowhere: then there is nothing at this path.
                """,
            parameters: [
                DocumentedParameter(
                    name: "Accept",
                    location: .header,
                    description: "`application/openmetrics-text` for OpenMetrics; else the text format is answered.",
                    schema: .text(),
                    example: "application/openmetrics-text; version=1.0.0"
                )
            ],
            answers: [
                DocumentedAnswer(
                    status: 200,
                    description: "The metrics.",
                    schema: .text(),
                    mediaTypes: [
                        "text/plain; version=0.0.4; charset=utf-8",
                        "application/openmetrics-text; version=1.0.0; charset=utf-8",
                    ]
                )
            ],
            problems: [
                CallerAuthority.noKey, CallerAuthority.worthlessKey, .insufficientScope(.admin),
                AllowedMethods.notFound,
                Examples.unavailable,
            ]
        )
    ]
}
