import HTTPTypes
import Hummingbird
import NIOCore
import TextEncodings

extension Response {
    /// A response with a JSON body.
    init(
        _ status: HTTPResponse.Status = .ok,
        json: JSON,
        contentType: String = "application/json",
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: json.bytes))
    }
}

extension JSON {
    /// The value as text, without whitespace.
    var bytes: ByteBuffer {
        // Most responses fit without reallocation.
        var output = BufferOutput(buffer: ByteBufferAllocator().buffer(capacity: 1024))
        write(to: &output)
        return output.buffer
    }
}

private struct BufferOutput: TextOutputStream {
    var buffer: ByteBuffer

    mutating func write(_ text: String) { buffer.writeString(text) }
}
