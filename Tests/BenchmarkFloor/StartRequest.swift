/// The body of `POST /v1/verifications`.
struct StartRequest: Decodable {
    let phoneNumber: String

    private enum CodingKeys: String, CodingKey {
        case phoneNumber = "phone_number"
    }
}
