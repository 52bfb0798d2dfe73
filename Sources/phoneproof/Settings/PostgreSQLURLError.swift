/// What is wrong with the address of a PostgreSQL database. It quotes nothing, since what stands at a wrong place may be
/// a part of a password.
enum PostgreSQLURLError: Error, CustomStringConvertible {
    enum Part: String {
        case user, password, host, parameter
        case databaseName = "name of the database"
    }

    case whiteSpace
    case form
    case twoAtSigns
    case slash
    case brackets
    case port
    case parameter
    case mode
    case percent(Part)

    var description: String {
        switch self {
        case .whiteSpace: "there is white space or a control character in it; remove it, or write a space as %20"
        case .form: "it must begin with postgresql:// or postgres://"
        case .twoAtSigns: "user and password end at the first @; write an @ within them as %40"
        case .slash:
            "user and password end at the first /; write / within a password as %2F, and @ within the name of a "
                + "database as %40"
        case .brackets: "an IPv6 address stands in brackets, with a port behind them or none: [2001:db8::1]:5432"
        case .port:
            "a port is a number from 1 to 65535; if there is none in it, write / within a password as %2F, and : within a "
                + "user as %3A"
        case .parameter:
            "behind the ? there must be name=value, several of them joined by &; write = in a value as %3D, and ? within a "
                + "password as %3F"
        case .mode: "sslmode is one of disable, allow, prefer, require, verify-ca and verify-full"
        case .percent(let part): "in the \(part.rawValue) a % has no two hexadecimal digits behind it; write it as %25"
        }
    }
}
