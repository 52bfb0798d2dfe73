import ArgumentParser
import PhoneCLI
import PhoneDomain

/// A number that an operator names. It need not be one that codes are sent to: what is kept may be older than the rules.
enum NumberArgument {
    /// Reads the number.
    ///
    /// - Throws: ``Failure`` that says what is wrong with the text, without the text.
    static func read(_ text: String, region: Region) throws -> PhoneNumber {
        do throws(PhoneNumberError) {
            return try PhoneNumber(parsing: text, region: region)
        } catch {
            throw Failure(.failed, "this is no phone number: \(error.detail)")
        }
    }
}
