// Whichever of the two is loaded first has `struct stat`.
import CoreFoundation
import Glibc
import PhoneHTTP
import SystemPackage

/// Whether others than its owner and its group can read what is there, or others than its owner can change it. Where a
/// secret is mounted into a container everyone may read it, so that is a reason to warn, and none not to start.
///
/// - Parameters:
///   - path: of a file or a folder.
///   - permissions: which are too many.
func isExposed(_ path: String, by permissions: mode_t = 0o026) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & permissions != 0
}

/// The files that hold the service's certificate and its key.
struct TLSFiles {
    /// A path to the certificate, and behind it those by which clients get to one that they trust, in PEM.
    let certificate: String
    /// A path to its key, in PEM.
    let key: String
    /// By which names errors call them: those of the settings or flags that they come from.
    var names = (certificate: "server.tls.certificate_file", key: "server.tls.key_file")

    /// Reads them.
    ///
    /// - Returns: what is in them, and a value by which it is known whether they have changed since.
    /// - Throws: ``SettingsError``, which says which of them is at fault.
    func load() throws(SettingsError) -> (identity: TLSIdentity, contents: Contents) {
        let contents = try read()
        return (try identity(contents), contents)
    }

    /// What is in the files.
    struct Contents: Equatable {
        fileprivate let certificate: [UInt8]
        fileprivate let key: [UInt8]
    }

    /// What is in the files, be it of use or not.
    ///
    /// - Throws: ``SettingsError`` if one of them cannot be read.
    func read() throws(SettingsError) -> Contents {
        Contents(
            certificate: try Self.read(certificate, names.certificate),
            key: try Self.read(key, names.key)
        )
    }

    /// Takes what was in the files.
    ///
    /// - Throws: ``SettingsError``, which says which of them is at fault.
    func identity(_ contents: Contents) throws(SettingsError) -> TLSIdentity {
        do throws(TLSIdentityError) {
            return try TLSIdentity(certificateChain: contents.certificate, privateKey: contents.key)
        } catch {
            throw switch error {
            case .noCertificate:
                SettingsError(
                    "\(names.certificate): \(certificate) holds no certificate that can be read; it must be PEM, the "
                        + "service's own certificate first and its chain behind it"
                )
            case .noKey:
                SettingsError(
                    "\(names.key): \(key) holds no key that can be read; it must be PEM and not encrypted"
                )
            case .mismatch:
                SettingsError(
                    "\(names.key): the key in \(key) is not that of the first certificate in \(certificate); name "
                        + "two files that belong together"
                )
            }
        }
    }

    /// Whether others can read or change the key.
    var keyIsExposed: Bool { isExposed(key) }

    /// Bytes; more than any chain has.
    private static let longest = 1_048_576

    private static func read(_ path: String, _ name: String) throws(SettingsError) -> [UInt8] {
        var status = stat()
        // Reading a pipe could wait for ever, and the end of the service with it.
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= longest else {
                throw SettingsError("\(name): \(path) is no file of at most a megabyte; name one that is in PEM")
            }
        }
        do {
            return try FilePath(path).contents()
        } catch {
            throw SettingsError("\(name): cannot read \(path): \(error); name a file that can be read")
        }
    }
}
