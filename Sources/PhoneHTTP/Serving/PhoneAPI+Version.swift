extension PhoneAPI {
    /// The version of the program, and of the interface that it serves (https://semver.org).
    public static let version = "0.1.0"
}
