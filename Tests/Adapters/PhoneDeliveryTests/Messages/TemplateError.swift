@testable import PhoneDelivery

/// What an operator reads when the templates do not load, or `nil` if they do.
func templateError(_ load: () throws -> MessageTemplates) -> String? {
    do {
        _ = try load()
        return nil
    } catch {
        return "\(error)"
    }
}
