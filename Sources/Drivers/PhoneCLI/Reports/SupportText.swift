import PhoneNumbers
import PhoneSignup

/// Masks what may be personal or secret in a text for others.
package enum SupportText {
    /// Masks what may be a phone number, tokens of ours, and what has a name of secrets in front.
    package static func masked(_ text: String) -> String {
        // Tokens first: with digits masked they would look like something else.
        withoutTokens(withoutSecrets(text)).withNumbersMasked
    }

    /// Masks what may be a code besides: six digits, as codes have by default, and on a line that speaks of codes as
    /// many as a code may have. Those within an ID stay.
    package static func masked(logLine line: String) -> String {
        let speaksOfCodes = line.contains(#/(?:^|[^\w.])(?i:code|passcode|otp|pin)\b|인증/#)
        return line.maskingDigits { count, isInWord in
            !isInWord && (count == 6 || speaksOfCodes && VerificationCode.lengths.contains(count))
        }
    }

    /// The values of fields, headers and settings whose names say that they are secret, and passwords in URLs.
    private static func withoutSecrets(_ text: String) -> String {
        text
            .replacing(#/((?i:authorization|cookie)["']?\s?[:=]\s*["']?)[^"'\n]+/#) { "\($0.output.1)…" }
            .replacing(
                #/((?i:pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access)[_\-]?key)["']?\s?[:=]\s*["']?)[^\s"'&,;)}]+/#
            ) { "\($0.output.1)…" }
            .replacing(#/(:\/\/[^\s\/:@]*:)[^\s\/@]+@/#) { "\($0.output.1)…@" }
    }

    private static func withoutTokens(_ text: String) -> String {
        let prefixes = ["pk_", "cs_", "whsec_", "Bearer ", "Basic ", "rt_", "sgt_", "ac_", "con_", "eyJ"]
        return prefixes.reduce(text) { text, prefix in
            var parts = text.split(separator: prefix, omittingEmptySubsequences: false)
            for index in parts.indices.dropFirst() {
                let rest = parts[index].drop { $0.isASCII && ($0.isLetter || $0.isNumber || "_-+/=.".contains($0)) }
                if parts[index].count - rest.count > 8 { parts[index] = "…" + rest }
            }
            return parts.joined(separator: prefix)
        }
    }
}
