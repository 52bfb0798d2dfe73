import Testing

@testable import PhoneStore

/// What libpq says of a connection that was not made, as PostgreSQL 15 has it with verbose errors, and what is made of
/// it.
@Suite struct ServerRefusalTests {
    private static let nobodyListens = """
        connection to server at "localhost" (::1), port 5432 failed: Connection refused
        \tIs the server running on that host and accepting TCP/IP connections?

        """

    @Test(arguments: [
        (
            """
            connection to server at "10.0.0.7", port 5432 failed: FATAL:  28P01: password authentication failed for user "ace"
            LOCATION:  auth_failed, auth.c:336

            """,
            PostgreSQLStoreError.refused(sqlState: "28P01", reason: #"password authentication failed for user "ace""#)
        ),
        (
            """
            connection to server at "10.0.0.7", port 5432 failed: FATAL:  53300: too many connections for role "ace"
            LOCATION:  InitializeSessionUserId, miscinit.c:804

            """,
            .tooFewConnections(had: nil, reason: #"too many connections for role "ace""#)
        ),
        (
            "connection to server at \"10.0.0.7\", port 5432 failed: FATAL:  57P03: the database system is starting up\n",
            .unreachable(reason: "the database system is starting up")
        ),
        (
            nobodyListens,
            .unreachable(reason: #"connection to server at "localhost" (::1), port 5432 failed: Connection refused"#)
        ),
        (
            nobodyListens + """
                connection to server at "localhost" (127.0.0.1), port 5432 failed: FATAL:  3D000: database "p" does not exist
                LOCATION:  InitPostgres, postinit.c:885

                """,
            .refused(sqlState: "3D000", reason: #"database "p" does not exist"#)
        ),
        (
            nobodyListens + """
                connection to server at "localhost" (127.0.0.1), port 5432 failed: SSL error: certificate verify failed

                """,
            .unreachable(
                reason: """
                    connection to server at "localhost" (127.0.0.1), port 5432 failed: SSL error: certificate verify failed
                    """
            )
        ),
        ("", .unreachable(reason: "the connection ended")),
    ])
    func aRefusalIsRecognizedByItsCode(message: String, error: PostgreSQLStoreError) {
        #expect(Connection.refusal(saying: message) == error)
    }
}
