/// The texts that there are, for those who choose among them before a message is made.
public protocol MessageCatalog: Sendable {
    /// Every set of texts for messages that bear a code, in the order of their names, the service's own
    /// (``TemplateName/standard``) first.
    var templates: [MessageTemplateListing] { get }

    /// Whether a message can be made in this wording, with the longest code.
    ///
    /// - Returns: why not; nil if it can.
    func fault(in wording: MessageWording, language: LanguageTag) -> MessageWordingFault?
}
