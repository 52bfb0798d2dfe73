import Hummingbird
import NIOCore

extension Request {
    /// The body, which must be a JSON object.
    ///
    /// - Parameters:
    ///   - isRequired: whether there has to be one; if not, none is as good as one without members.
    ///   - types: as what it may be sent.
    /// - Throws: ``Problem``.
    func jsonBody(isRequired: Bool = true, types: [String] = ["application/json"]) async throws -> JSONBody {
        let areOfType = types.compactMap(isContent)
        let isJSON = areOfType.isEmpty ? nil : areOfType.contains(true)
        if isJSON == false { throw Self.notJSON }
        let bytes = try await collectBody()
        if bytes.readableBytes == 0 {
            if isRequired { throw Problem.malformed("The body is empty; send a JSON object.") }
            return JSONBody([])
        }
        guard isJSON == true else { throw Self.notJSON }
        let value: JSON
        do {
            value = try JSONParser.parse(bytes.readableBytesView)
        } catch {
            throw Self.malformedJSON
        }
        guard case .object(let members) = value else {
            throw Self.notAnObject
        }
        return JSONBody(members)
    }

    static let malformedJSON = Problem.malformed("The body is not well-formed JSON.")
    static let notAnObject = Problem(.invalidRequest, "The body must be a JSON object.")
    static let notJSON = Problem(
        .unsupportedMediaType,
        "Send the body as JSON: Content-Type: application/json."
    )
}
