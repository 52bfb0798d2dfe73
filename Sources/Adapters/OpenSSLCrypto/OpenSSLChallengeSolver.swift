import COpenSSL
import CoreEncodings
public import PhoneDomain

/// Solves challenges on all processors at once.
public struct OpenSSLChallengeSolver: ChallengeSolver {
    private let taskCount: Int

    public init(taskCount: Int = 4) { self.taskCount = taskCount }

    public func solve(_ work: ProofOfWork) async throws -> WorkSolution? {
        guard let target = [UInt8](.hexadecimal, work.hash.utf8), target.count == SHA256.byteCount else { return nil }
        let number = try await withThrowingTaskGroup { [taskCount] group in
            for start in 0..<taskCount {
                group.addTask { try Self.search(work, for: target, from: start, by: taskCount) }
            }
            for try await found in group where found != nil {
                group.cancelAll()
                return found
            }
            return nil
        }
        guard let number else { return nil }
        return WorkSolution(
            algorithm: ProofOfWork.algorithm,
            hash: work.hash,
            number: number,
            salt: work.salt,
            signature: work.signature
        )
    }

    /// The salt is hashed once: its context is copied for each number.
    private static func search(
        _ work: ProofOfWork,
        for target: [UInt8],
        from start: Int,
        by step: Int
    ) throws -> Int? {
        let (salted, context) = (EVP_MD_CTX_new(), EVP_MD_CTX_new())
        defer {
            EVP_MD_CTX_free(salted)
            EVP_MD_CTX_free(context)
        }
        let salt = Array(work.salt.utf8)
        guard EVP_DigestInit_ex(salted, EVP_sha256(), nil) == 1, EVP_DigestUpdate(salted, salt, salt.count) == 1 else {
            throw OpenSSLError.taken(from: "EVP_DigestUpdate")
        }
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        for number in stride(from: start, through: work.maxNumber, by: step) {
            var text = String(number)
            let isHashed = text.withUTF8 { digits in
                EVP_MD_CTX_copy_ex(context, salted) == 1
                    && EVP_DigestUpdate(context, digits.baseAddress, digits.count) == 1
                    && EVP_DigestFinal_ex(context, &digest, nil) == 1
            }
            guard isHashed else { throw OpenSSLError.taken(from: "EVP_DigestFinal_ex") }
            if digest == target { return number }
            if number & 0xFFFF < step, Task.isCancelled { return nil }
        }
        return nil
    }
}
