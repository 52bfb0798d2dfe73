/// A text of a gateway's answer that some write as a number; nil where it is neither.
struct LenientText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = (try? container.decode(String.self)) ?? (try? container.decode(Int.self)).map(String.init)
    }
}
