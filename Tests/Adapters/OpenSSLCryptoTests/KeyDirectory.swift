import COpenSSL
import CoreEncodings
import Foundation
import PhoneDomain
import PhoneTestSupport
import Synchronization

@testable import OpenSSLCrypto

/// Whether OpenSSL's error queue of this thread is empty.
func isErrorQueueEmpty() -> Bool {
    ERR_peek_error() == 0
}

extension [UInt8] {
    /// The bytes that these hexadecimal digits stand for.
    init(hexadecimal digits: String) {
        guard let bytes = [UInt8](.hexadecimal, digits.utf8) else {
            preconditionFailure("no hexadecimal digits: \(digits)")
        }
        self = bytes
    }

    var hexadecimal: String { TextEncoding.hexadecimal.encode(self) }
}

extension SecretBytes {
    var hexadecimal: String { withUnsafeBytes { Array($0).hexadecimal } }
}

/// A directory that lasts as long as the test that made it, with the path of a key file in it.
final class KeyDirectory {
    let path: String
    var keys: String { path + "/keys" }

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes the key file with these permission bits.
    func write(_ text: String, mode: Int = 0o600) throws {
        try text.write(toFile: keys, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keys)
    }

    func text() throws -> String {
        try String(contentsOfFile: keys, encoding: .utf8)
    }

    /// The permission bits of the key file.
    func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: keys)[.posixPermissions] as? Int
    }

    /// The names of all files in the directory.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}

/// A source that gives these bytes, and then fails.
final class ScriptedRandom: RandomBytes {
    struct Exhausted: Error, Equatable {}

    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8] = []) {
        rest = Mutex(bytes[...])
    }

    /// How many bytes nobody has asked for yet.
    var unusedCount: Int { rest.withLock(\.count) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        try rest.withLock { rest in
            guard rest.count >= buffer.count else { throw Exhausted() }
            buffer.copyBytes(from: rest.prefix(buffer.count))
            rest = rest.dropFirst(buffer.count)
        }
    }
}

/// A source that gives the same bytes for the same seed.
final class SeededRandom: RandomBytes {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        generator.withLock { generator in
            for offset in stride(from: 0, to: buffer.count, by: 8) {
                buffer.storeBytes(of: generator.next().littleEndian, toByteOffset: offset, as: UInt64.self)
            }
        }
    }
}

/// Lines of a key ring. The old key is the bytes 0 to 31.
let oldKey = "old 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
let newKey = "new ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

/// - Parameter keys: the lines of its ring; the old key alone where there are none.
func makeVault(_ keys: String..., random: any RandomBytes = OpenSSLRandom()) throws -> OpenSSLCodeVault {
    let text = keys.isEmpty ? oldKey : keys.joined(separator: "\n")
    return try OpenSSLCodeVault(keys: KeyRing(parsing: text), random: random)
}
