/// One operation, ready to be done with a serial number that differs each time.
enum Work {
    case direct((Int) throws -> Void)
    case suspending((Int) async throws -> Void)
}
