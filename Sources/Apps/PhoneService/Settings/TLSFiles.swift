import Glibc
package import PhoneHTTP
import SystemPackage

package struct TLSFiles {
    /// The path of the certificate and, behind it, its chain, in PEM.
    package let certificate: String
    package let key: String
    /// What errors call them: the settings or flags that they come from.
    private let names: (certificate: String, key: String)

    package init(
        certificate: String,
        key: String,
        names: (certificate: String, key: String) = ("server.tls.certificate_file", "server.tls.key_file")
    ) { (self.certificate, self.key, self.names) = (certificate, key, names) }

    /// - Returns: the certificate and key, and the bytes that they were read from, to find changes.
    /// - Throws: ``SettingsError`` that names the invalid file.
    package func load() throws(SettingsError) -> (identity: TLSIdentity, contents: Contents) {
        let contents = try read()
        return (try identity(contents), contents)
    }

    package struct Contents: Equatable {
        fileprivate let certificate: [UInt8]
        fileprivate let key: [UInt8]
    }

    /// The bytes of the files, valid or not.
    package func read() throws(SettingsError) -> Contents {
        Contents(certificate: try Self.read(certificate, names.certificate), key: try Self.read(key, names.key))
    }

    package func identity(_ contents: Contents) throws(SettingsError) -> TLSIdentity {
        do throws(TLSIdentityError) {
            return try TLSIdentity(certificateChain: contents.certificate, privateKey: contents.key)
        } catch {
            throw switch error {
            case .noCertificate:
                SettingsError(
                    "\(names.certificate): \(certificate) contains no readable certificate; it must be PEM, with the "
                        + "service's own certificate first, followed by its chain"
                )
            case .noKey:
                SettingsError("\(names.key): \(key) contains no readable key; it must be PEM and not encrypted")
            case .mismatch:
                SettingsError(
                    "\(names.key): the key in \(key) does not match the first certificate in \(certificate); name "
                        + "a matching pair"
                )
            }
        }
    }

    /// The most bytes of a file that are read; more than any chain has.
    private static let maxSize = 1_048_576

    private static func read(_ path: String, _ name: String) throws(SettingsError) -> [UInt8] {
        var status = stat()
        // Reading a pipe could wait for ever, and the end of the service with it.
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maxSize else {
                throw SettingsError("\(name): \(path) is not a regular file of at most 1 MB; name a PEM file")
            }
        }
        do {
            return try FilePath(path).contents()
        } catch {
            throw SettingsError("\(name): cannot read \(path): \(error); name a file that can be read")
        }
    }
}
