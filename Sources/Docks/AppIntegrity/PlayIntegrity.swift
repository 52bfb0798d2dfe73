import CoreEncodings
import OpenSSLCrypto
import PhoneSignup

/// Google's Play Integrity, with response keys of one's own, so that Google is not asked, or by Google's server
/// (https://developer.android.com/google/play/integrity/verdicts).
struct PlayIntegrity: Sendable {
    /// What the device must be at least.
    enum Device: String, CaseIterable {
        case basic, device, strong
        var verdict: String { "MEETS_\(rawValue.uppercased())_INTEGRITY" }
    }

    /// What reads tokens.
    enum Reading: Sendable {
        case keys(EncryptedTokenKeys)
        case server(GoogleServiceAccount, at: EndpointURL)
    }

    let package: String
    var isReadByServer: Bool { if case .server = reading { true } else { false } }
    /// The SHA-256 of certificates that the app is signed with, in base64url; none for any that Google Play knows.
    let certificates: Set<String>
    let device: Device
    let reading: Reading
    /// How long ago the token may have been made, and how far Google's clock and ours may differ.
    private static let maxAge: Duration = .seconds(600), clockTolerance: Duration = .seconds(30)

    /// Whether these claims of Google's say of this nonce that the app itself has asked, on a device that is one.
    func accepts(_ claims: [String: JSON], nonce: String, at now: Timestamp) -> Bool {
        guard let request = claims["requestDetails"],
            let app = claims["appIntegrity"],
            request["requestPackageName"]?.string == package, app["packageName"]?.string == package,
            // A classic request has a nonce, in base64url that some libraries fill up; a standard one the hash.
            (request["nonce"]?.string ?? request["requestHash"]?.string)?.trimmingPadding == nonce,
            let made = request["timestampMillis"].flatMap(Self.moment), made <= now + Self.clockTolerance,
            now < made + Self.maxAge, app["appRecognitionVerdict"]?.string == "PLAY_RECOGNIZED"
        else { return false }
        let digests = (app["certificateSha256Digest"]?.array ?? []).compactMap { $0.string?.trimmingPadding }
        let verdicts = claims["deviceIntegrity"]?["deviceRecognitionVerdict"]?.array ?? []
        return (certificates.isEmpty || digests.contains(where: certificates.contains))
            && verdicts.contains(.string(device.verdict))
    }

    /// A number of 64 bits, which Google's JSON has as text.
    private static func moment(_ json: JSON) -> Timestamp? {
        (json.string.flatMap(Int64.init) ?? json.integer.map(Int64.init)).flatMap {
            (0...253_402_300_799_000).contains($0) ? Timestamp(milliseconds: $0) : nil
        }
    }
}

extension String {
    fileprivate var trimmingPadding: String { String(prefix { $0 != "=" }) }
}
