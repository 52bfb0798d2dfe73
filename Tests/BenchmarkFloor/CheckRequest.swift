/// The body of `POST /v1/verifications/{id}/checks`.
struct CheckRequest: Decodable {
    let code: String
}
