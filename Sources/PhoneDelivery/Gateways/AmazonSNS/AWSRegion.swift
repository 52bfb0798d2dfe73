/// A place where Amazon runs its services, such as `ap-northeast-2` for Seoul. Which of them send text messages:
/// https://docs.aws.amazon.com/sns/latest/dg/sns-supported-regions-countries.html.
public struct AWSRegion: Hashable, Sendable, LosslessStringConvertible {
    /// The region's code.
    public let description: String

    /// `nil` unless it is made as codes are: lower-case words of ASCII letters and a number, with hyphens between.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, description.utf8.count <= 32, let number = parts.last, 1...2 ~= number.utf8.count,
            number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            parts.dropLast().allSatisfy({ part in
                !part.isEmpty && part.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            })
        else { return nil }
        self.description = description
    }
}
