extension KeyConversation {
    /// What happens.
    enum Event: Sendable {
        /// The prompt is ready to draw.
        case opened
        /// A key was pressed.
        case key(Key)
        /// No more keys will come.
        case inputEnded
        /// A moment has passed.
        case tick
        /// The signup has seen to what was asked of it last.
        case answered(SignupView)
        /// The signup cannot go on.
        case failed(SignupFlowError)
        /// The message that was sent can be shown.
        case noted(String)
    }
}
