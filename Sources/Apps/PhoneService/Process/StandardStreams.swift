import Glibc
package import Logging
import PhoneCLI
package import PhoneDomain
import PhoneNumbers
import SystemPackage
package import Telemetry
package import Texts

/// Prints a line with control characters escaped. It replaces the standard library's function in this module, so that
/// nobody can act on an operator's terminal by a name, a message or metadata.
package func print(_ line: String) { Swift.print(line.escapedForTerminal) }

/// The standard error stream, whole lines at a time.
package enum StandardError {
    /// Escapes the same characters as ``print(_:)``.
    package static func write(_ line: String) {
        PosixTerminal.write((line.hasSuffix("\n") ? line : line + "\n").escapedForTerminal, to: STDERR_FILENO)
    }
}

extension Logger {
    /// A logger to the standard error stream, so that the standard output is a command's only.
    package static func standardError(level: Logger.Level) -> Logger {
        standardError(LogThreshold(level), format: .text)
    }

    package static func standardError(_ threshold: LogThreshold, format: LogFormat) -> Logger {
        Logger(label: "phoneproof") { label in
            LineLogHandler(
                label: label,
                format: format,
                threshold: threshold,
                now: { SystemWallClock().now() },
                write: StandardError.write
            )
        }
    }
}

extension Settings {
    /// A logger to the standard error stream, in the format that is set or suits who reads it.
    package var logger: Logger { adjustableLogger.logger }

    /// The same, and what changes its level.
    package var adjustableLogger: (logger: Logger, threshold: LogThreshold) {
        let threshold = LogThreshold(logLevel)
        let isWatched = isLocalDevelopment && isatty(STDERR_FILENO) == 1
        let format = observability.logFormat ?? (isWatched ? .short : .text)
        return (.standardError(threshold, format: format), threshold)
    }
}

extension Region {
    /// The region of the environment's locale, such as KR of `ko_KR.UTF-8`; nil if it names none whose numbers are
    /// known.
    package init?(environment: [String: String]) {
        let subtags = LanguageTag(environment: environment)?.description.split(separator: "-").dropFirst() ?? []
        guard let region = subtags.lazy.compactMap({ Settings.knownRegion(String($0)) }).first else { return nil }
        self = region
    }
}

extension LanguageTag {
    /// The language of the environment, as POSIX has it: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set
    /// decides; nil where it names no language (POSIX.1-2017, Base Definitions, section 8.2).
    package init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let value = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
        self.init(value)
    }

    /// The prompt's texts in this language; in English if there are none, or the environment's character set cannot
    /// show them.
    package func texts(environment: [String: String]) -> Texts {
        guard let texts = Languages.texts(in: self), texts.language != .english else { return Languages.english }
        guard Appearance.isUTF8(environment) else {
            StandardError.write(
                "phoneproof: using English, because the character set of the environment is not UTF-8; set LC_ALL=C.UTF-8 for "
                    + texts.englishName
            )
            return Languages.english
        }
        return texts
    }
}
