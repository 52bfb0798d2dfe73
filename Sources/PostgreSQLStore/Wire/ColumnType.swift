import CPostgreSQL

/// The types of columns that the tables have. All that is counted is a `bigint`, so that there is one way to read it.
///
/// The numbers are PostgreSQL's for its built-in types (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat);
/// they never change.
enum ColumnType {
    case text
    case integer
    case boolean
    case bytes

    var oid: Oid {
        switch self {
        case .text: 25
        case .integer: 20
        case .boolean: 16
        case .bytes: 17
        }
    }

    var arrayOID: Oid {
        switch self {
        case .text: 1009
        case .integer: 1016
        case .boolean: 1000
        case .bytes: 1001
        }
    }
}
