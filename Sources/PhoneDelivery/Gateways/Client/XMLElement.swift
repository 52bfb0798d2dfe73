/// An element of an XML document of the kind that programs exchange: elements, attributes and text
/// (https://www.w3.org/TR/xml/).
///
/// What else XML knows, document types and their entities above all, is not read: nobody needs it here, and it is where
/// readers of XML are attacked.
struct XMLElement: Hashable {
    /// The name as it is written, prefix and all.
    let name: String
    /// Each attribute once.
    var attributes: [String: String] = [:]
    /// In their order.
    var children: [XMLElement] = []
    /// The text of the element itself, that of its children apart.
    var text = ""

    init(name: String) {
        self.name = name
    }

    /// Reads a whole document; nil unless it is well-formed, in UTF-8 and of nothing but elements, attributes and text.
    init?(document: [UInt8]) {
        guard let text = String(validating: document, as: UTF8.self) else { return nil }
        var scanner = XMLScanner(text)
        guard let root = scanner.root() else { return nil }
        self = root
    }

    /// The first child of this name.
    func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }
}
