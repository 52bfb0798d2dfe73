import SystemPackage

extension FilePath {
    /// The whole of the file.
    func contents() throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(self, .readOnly)
        return try descriptor.closeAfter {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = try chunk.withUnsafeMutableBytes { try descriptor.read(into: $0) }
                guard count > 0 else { return bytes }
                bytes.append(contentsOf: chunk.prefix(count))
            }
        }
    }
}
