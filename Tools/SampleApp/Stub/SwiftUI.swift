// The few names of SwiftUI that the sample uses, to check its types where there is no SwiftUI. Nothing here does
// anything, and what the real ones do beyond their types is not checked.

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { return fatalError("a stub") } }

/// Every view of the stub.
public struct StubView: View { public var body: Never { return fatalError("a stub") } }

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock(_ content: any View...) -> StubView { StubView() }
    public static func buildOptional(_ content: (any View)?) -> StubView { StubView() }
    public static func buildEither(first: any View) -> StubView { StubView() }
    public static func buildEither(second: any View) -> StubView { StubView() }
}

@MainActor public protocol Scene {}

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App { public static func main() {} }

public struct WindowGroup: Scene { public init(@ViewBuilder content: () -> StubView) {} }

@MainActor @propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value {
        get { fatalError("a stub") }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding() }
}

extension State where Value: ExpressibleByNilLiteral { public init() { self.init(wrappedValue: nil) } }

@MainActor public struct Binding<Value> {}

@MainActor @dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> { Binding() }
}

public struct Form: View {
    public init(@ViewBuilder content: () -> StubView) {}
    public var body: StubView { StubView() }
}

public struct Section: View {
    public init(_ title: String, @ViewBuilder content: () -> StubView) {}
    public var body: StubView { StubView() }
}

public struct TextField: View {
    public init(_ prompt: String, text: Binding<String>) {}
    public var body: StubView { StubView() }
}

public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: StubView { StubView() }
}

public struct Text: View {
    public init(_ text: String) {}
    public var body: StubView { StubView() }
}

public struct ProgressView: View {
    public init() {}
    public var body: StubView { StubView() }
}

public struct TextContentType: Sendable {
    public static let telephoneNumber = TextContentType()
    public static let oneTimeCode = TextContentType()
}

public enum KeyboardType: Sendable { case phonePad, numberPad }

extension View {
    public func textContentType(_ type: TextContentType?) -> some View { self }
    public func keyboardType(_ type: KeyboardType) -> some View { self }
    public func disabled(_ isDisabled: Bool) -> some View { self }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View { self }
}
