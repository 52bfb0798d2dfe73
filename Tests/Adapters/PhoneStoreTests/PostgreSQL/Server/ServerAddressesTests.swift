import Dispatch
import Testing

@testable import PhoneStore

@Suite struct ServerAddressesTests {
    @Test func `each host is an address of its own, with all that is said for all`() throws {
        let addresses = try ServerAddresses(
            url:
                "postgresql://phone:s%40crt@db1.example:5433,[2001:db8::2]/proof?sslmode=verify-full&target_session_attrs=read-write"
        )
        let common = [
            "user": "phone", "password": "s@crt", "dbname": "proof", "sslmode": "verify-full",
            "target_session_attrs": "any", "client_encoding": "UTF8",
        ]
        #expect(
            addresses.all == [
                common.merging(["host": "db1.example", "port": "5433"]) { $1 },
                common.merging(["host": "2001:db8::2", "port": ""]) { $1 },
            ]
        )
    }

    @Test func `one port may be for all hosts`() throws {
        let addresses = try ServerAddresses(url: "postgresql:///proof?host=/run/a,/run/b&port=5433")
        #expect(addresses.all.map { $0["host"] } == ["/run/a", "/run/b"])
        #expect(addresses.all.map { $0["port"] } == ["5433", "5433"])
    }

    @Test func `what names no host is left to libpq`() throws {
        let addresses = try ServerAddresses(url: "postgres://")
        #expect(addresses.all == [["target_session_attrs": "any", "client_encoding": "UTF8"]])
    }

    @Test func `there are as many addresses as hosts`() {
        let url = "postgresql://u:hunter2@a,b/proof?hostaddr=127.0.0.1"
        #expect(throws: PostgreSQLStoreError.invalidURL(reason: "it names 2 hosts and 1 addresses")) {
            try ServerAddresses(url: url)
        }
    }

    @Test func `who asks for a name does not wait for name servers beyond a deadline`() throws {
        let answer = DispatchSemaphore(value: 0)
        let addresses = HostAddresses { _ in
            answer.wait()
            answer.signal()
            return ["192.0.2.1", "2001:db8::1"]
        }
        for _ in 1...3 {
            #expect(throws: PostgreSQLStoreError.unreachable(reason: "the name servers do not answer for db.example")) {
                try addresses.find("db.example", until: .now())
            }
        }
        answer.signal()
        #expect(try addresses.find("db.example", until: .distantFuture) == ["192.0.2.1", "2001:db8::1"])
    }

    @Test func `a name that there is not is said to be the reason`() {
        let addresses = HostAddresses { host in throw PostgreSQLStoreError.unreachable(reason: "no \(host)") }
        #expect(throws: PostgreSQLStoreError.unreachable(reason: "no db.example")) {
            try addresses.find("db.example", until: .distantFuture)
        }
    }
}
