import Logging
import Telemetry

extension Logger {
    /// A logger that writes lines to the standard error stream, so that a command's output stays its own.
    static func standardError(level: Logger.Level, format: LogFormat = .text) -> Logger {
        var logger = Logger(label: "phoneproof") { label in
            LineLogHandler(label: label, format: format, now: { SystemWallClock().now() }, write: StandardError.write)
        }
        logger.logLevel = level
        return logger
    }
}
