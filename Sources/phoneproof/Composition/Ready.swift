import Glibc

/// The one line by which a service says that it takes requests.
struct Ready {
    let host: String
    let port: Int
    var isSecure = false

    func announce() {
        print(
            "PhoneProof is ready at \(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        )
        // A program that waits for the line reads it from a pipe, which is not flushed at its end.
        fflush(nil)
    }
}
