import COpenSSL
import Testing

@testable import OpenSSLCrypto

@Suite struct OpenSSLErrorTests {
    @Test func `an error has every reason of the queue, the oldest first, and leaves the queue empty`() {
        #expect(EVP_CIPHER_fetch(nil, "first-missing", nil) == nil)
        #expect(EVP_MD_fetch(nil, "second-missing", nil) == nil)
        let error = OpenSSLError.taken(from: "EVP_some_function")
        #expect(error.function == "EVP_some_function")
        #expect(error.reasons.count == 2)
        #expect(error.reasons.allSatisfy { $0.hasPrefix("error:") && $0.hasSuffix("::unsupported") })
        #expect(error.description == "EVP_some_function failed: " + error.reasons.joined(separator: "; "))
        #expect(isErrorQueueEmpty())
    }

    @Test func `an error for which OpenSSL gives no reason says so`() {
        #expect(OpenSSLError.taken(from: "EVP_x").description == "EVP_x failed: OpenSSL gave no reason")
    }
}
