import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension ConnectionLimits {
    /// Adds what makes requests out of bytes, and bytes out of answers, and holds both to these limits.
    func addHTTP1Handlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        deadlines: ConnectionDeadlines,
        refusals: Refusals,
        isSecure: Bool
    ) throws {
        let bytes = ByteHandler(deadlines, isPortioning: true)
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = maxHeaderBytes
        decoding.maxHeaderListSize = maxHeaderBytes
        decoding.maxHeaderFieldCount = Self.maxHeaderFields
        try pipeline.addHandler(bytes)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            // The types that answers are made of let no line break into a field.
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
            withDecoderLimitConfiguration: decoding
        )
        try pipeline.addHandler(HTTP1Handler(bytes: bytes, deadlines: deadlines, limits: self, refusals: refusals))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
    }
}
