import Logging

extension Logger {
    /// A logger that writes lines to the standard error stream, so that a command's output stays its own.
    static func standardError(level: Logger.Level) -> Logger {
        var logger = Logger(label: "phoneproof", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = level
        return logger
    }
}
