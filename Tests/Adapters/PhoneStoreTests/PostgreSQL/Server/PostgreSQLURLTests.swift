import Testing

@testable import PhoneStore

struct PostgreSQLURLTests {
    @Test(arguments: [
        ("mysql://ace:s3cr3t@db.example.com", "it must begin with postgresql://"),
        ("postgresql:ace:s3cr3t@db.example.com", "it must begin with postgresql:// or postgres://"),
        ("postgresql://ace:s3cr3t@db.example.com/p\n", "white space or a control character in it"),
        ("postgresql://ace:s3cr3t @db.example.com/p", "a space as %20"),
        ("postgresql://ace:x@s3cr3t@db.example.com/p", "write @ as %40"),
        ("postgresql://ace:x@@s3cr3t@db.example.com/p", "and there is another one"),
        ("postgresql://ace:x/s3cr3t@db.example.com/p", "end at the first /"),
        ("postgresql://ace:12/s3cr3t@db.example.com/p", "/ as %2F"),
        ("postgresql://ace:12/s3cr3t?s3cr3t@db.example.com/p", "? as %3F"),
        ("postgresql://ace:12/x?s3cr3t=s3cr3t", "invalid URI query parameter"),
        ("postgresql://ace:s3cr3t%@db.example.com/p", "invalid percent-encoded token"),
        ("postgresql://ace:s3cr3t%+1@db.example.com/p", "% as %25"),
        ("postgresql://ace:s3cr3t%00@db.example.com/p", "forbidden value %00"),
        ("postgresql://db.example.com:http/p", "a port is a number from 1 to 65535"),
        ("postgresql://db.example.com:0/p", "a port is a number from 1 to 65535"),
        ("postgresql://a.example.com:5432,b.example.com:65536/p", "a port is a number from 1 to 65535"),
        ("postgresql:///p?port=5432,+1", "a port is a number from 1 to 65535"),
        ("postgresql://2001:db8::1/p", "behind an IPv6 address in brackets"),
        ("postgresql://[]/p", "IPv6 host address may not be empty"),
        ("postgresql:///p?sslmode", "missing key/value separator"),
        ("postgresql:///p?password=s3cr3t=", "= as %3D"),
        ("postgresql:///p?sslmode=verify_full", "sslmode is one of disable, allow, prefer, require, verify-ca"),
    ])
    func whatIsWrongIsNamedAndNoPassword(url: String, says: String) {
        #expect {
            try PostgreSQLURL(url)
        } throws: { error in
            "\(error)".contains(says) && !"\(error)".contains("s3cr3t")
        }
    }

    @Test(arguments: shown)
    func itIsShownWithoutWhatIsSecret(url: String, shown: String?) throws {
        let parsed = try PostgreSQLURL(url)
        #expect(parsed.description == shown ?? url)
        #expect(parsed.containsPassword == url.contains("s3cr3t"))
    }

    /// What is shown leads to the same.
    @Test(arguments: shown.filter { !$0.url.contains("s3cr3t") })
    func whatIsShownIsTheSame(url: String, shown: String?) throws {
        #expect(try PostgreSQLURL(shown ?? url).keywords == PostgreSQLURL(url).keywords)
    }

    static let shown: [(url: String, shown: String?)] = [
        ("postgresql://", nil),
        ("postgresql://db.example.com", nil),
        ("postgres://db.example.com:5432/phoneproo", "postgresql://db.example.com:5432/phoneproo"),
        (
            "postgresql:///phoneproof?host=/var/run/postgresql",
            "postgresql://%2Fvar%2Frun%2Fpostgresql/phoneproof"
        ),
        ("postgresql://[2001:db8::1]:5432,[::1]/phoneproo", nil),
        ("postgresql://a.example.com:5432,b.example.com,c.example.com:5433/p?target_session_attrs=read-write", nil),
        ("postgresql:///p?hostaddr=10.0.0.1&port=5433", nil),
        ("postgresql://ace@db.example.com/p?", "postgresql://ace@db.example.com/p"),
        ("postgresql://ace@db.example.com/p?options=-csearch_path%3Done&sslmode=verify-full", nil),
        ("postgresql://ace:s3cr3t@db.example.com/p", "postgresql://ace:***@db.example.com/p"),
        ("postgresql://ace:s3cr3t?s3cr3t:%40@db.example.com/p", "postgresql://ace:***@db.example.com/p"),
        ("postgresql://db.example.com/p?user=ace&password=s3cr3t", "postgresql://ace:***@db.example.com/p"),
        ("postgresql://db.example.com/p?pass%77ord=s3cr3t", "postgresql://db.example.com/p?password=***"),
        (
            "postgresql://db.example.com/p?sslpassword=s3cr3t&sslkey=/k",
            "postgresql://db.example.com/p?sslkey=/k&sslpassword=***"
        ),
    ]
}
