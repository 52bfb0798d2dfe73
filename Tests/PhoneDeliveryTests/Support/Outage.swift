/// The store cannot be reached.
struct Outage: Error {}
