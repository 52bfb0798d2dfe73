import HTTPTypes
import Logging
import NIOCore
import PhoneDomain

/// Where gateways send delivery reports, or what people have sent them, each to its own name. They have no API key:
/// each proves itself by a secret.
struct ReportRoutes: Sendable {
    let intakes: [String: any ReportIntake]
    private typealias Proof = (signature: String, timestamp: String)

    func addRoutes(to router: APIRouter) {
        router
            .post("{gateway}", use: receive)
            .get("{gateway}", use: receiveByQuery)
    }

    @Sendable private func receive(request: Request, context: APIContext) async throws -> Response {
        let (intake, proof) = try intake(request, context)
        if request.isContent(Request.formType) == true {
            let query = intake.acceptsToken ? request.queryParameters : []
            return try await record(try await request.decodeForm().all + query, [], proof, intake, context)
        }
        // Amazon SNS declares its JSON as text.
        guard request.isContent("application/json") == true || request.isContent("text/plain") == true else {
            throw Request.notForm
        }
        let body = Array(try await request.collectBody().readableBytesView)
        return try await record(request.queryParameters, body, proof, intake, context)
    }

    /// Some vendors know no other way, and some ask in this way whether the address is the operator's.
    @Sendable private func receiveByQuery(request: Request, context: APIContext) async throws -> Response {
        guard let intake = intakes[try context.pathText("gateway")] else { throw Problem.noSuchGateway }
        let fields = request.queryParameters.map { GatewayReport.Field(name: $0.name, value: $0.value) }
        if let answer = intake.answer(to: GatewayReport(fields: fields, signature: "")) {
            return Response(text: answer, contentType: "text/plain; charset=utf-8")
        }
        let query = intake.writesSpacesAsPlus ? request.queryFields.all : request.queryParameters
        return try await record(query, [], try self.intake(request, context).1, intake, context)
    }

    /// A request without what must prove it is not even read.
    private func intake(_ request: Request, _ context: APIContext) throws -> (any ReportIntake, Proof) {
        guard let intake = intakes[try context.pathText("gateway")] else { throw Problem.noSuchGateway }
        func value(_ header: String?) -> String {
            header.flatMap { HTTPField.Name($0) }.flatMap { request.headers[$0] } ?? ""
        }
        let proof = (signature: value(intake.signatureHeader), timestamp: value(intake.timestampHeader))
        let isProven = intake.signatureHeader == nil || !proof.signature.isEmpty
        guard isProven || intake.acceptsToken && request.query("token") != nil else { throw Problem.reportNotSigned }
        return (intake, proof)
    }

    private func record(
        _ fields: [(name: String, value: String)],
        _ body: [UInt8],
        _ proof: Proof,
        _ intake: any ReportIntake,
        _ context: APIContext
    ) async throws -> Response {
        let isGenuine: Bool
        do {
            isGenuine = try await intake.take(
                GatewayReport(
                    fields: fields.map { GatewayReport.Field(name: $0.name, value: $0.value) },
                    body: body,
                    signature: proof.signature,
                    timestamp: proof.timestamp
                )
            )
        } catch let error as UnreadableReport {
            let gateway = try context.pathText("gateway")
            let metadata: Logger.Metadata = ["gateway.name": "\(gateway)", "error": "\(error.reason)"]
            context.logger.warning("what a gateway sent cannot be read", metadata: metadata)
            throw Problem.malformed("The report cannot be read: \(error.reason).")
        } catch {
            throw Problem.unavailable(cause: "a receipt could not be recorded: \(error)")
        }
        guard isGenuine else { throw Problem.reportNotSigned }
        if let reply = intake.reply { return Response(text: reply, contentType: "text/plain; charset=utf-8") }
        return Response(status: .noContent)
    }
}

extension Problem {
    fileprivate static let noSuchGateway = Problem(.notFound, "No gateway of this name sends reports.")
    /// The signature or the token is missing, or is of another secret or another URL.
    fileprivate static let reportNotSigned = Problem(
        .signatureInvalid,
        "The report proves nothing: its signature or token does not match the gateway's secret and its configured URL."
    )
}
