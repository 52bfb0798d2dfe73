import PhoneDomain

extension PostgreSQLStore {
    /// How many connections others have to the database under the name that this program gives itself
    /// (`application_name`), whether they do anything or not.
    ///
    /// Without the rights of `pg_read_all_stats` only those of the same role show
    /// (https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW).
    ///
    /// - Throws: ``PostgreSQLStoreError``.
    public static func sessionCount(
        url: String,
        timeout: Duration = .seconds(5)
    ) throws(PostgreSQLStoreError) -> Int {
        let options = ConnectionOptions(servers: try ServerAddresses(url: url), isDurable: true, timeout: timeout)
        let query = Query(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND application_name = current_setting('application_name')
            """
        )
        let view = "pg_stat_activity"
        for result in try Connection.open(options).exchange([query]) {
            for count in try result.rows(
                of: view,
                plans: .builtIn,
                read: { (row) throws(PostgreSQLStoreError) in try row.nextCount() }
            ) {
                return count
            }
        }
        throw .unreadable(table: view, column: 0)
    }
}
