import PhoneDomain

extension SignupPrompt {
    /// Carries events to a ``KeyConversation``, in the order they come, and does what it answers.
    ///
    /// Nothing here waits for the flow: a key that is pressed meanwhile, Ctrl-C first of all, is heard at once.
    func converseByKeys() async -> ExitStatus {
        let (events, inbox) = AsyncStream.makeStream(of: KeyConversation.Event.self)
        let reading = Task { [terminal] in
            var decoder = KeyDecoder()
            for await bytes in terminal.input {
                for key in decoder.decode(bytes) { inbox.yield(.key(key)) }
            }
            inbox.yield(.inputEnded)
        }
        let ticking = Task { [ticks] in
            while (try? await ticks.sleep(for: .seconds(1))) != nil { inbox.yield(.tick) }
        }
        var asking: Task<Void, Never>?
        var looking: Task<Void, Never>?
        defer { for task in [reading, ticking, asking, looking] { task?.cancel() } }

        var conversation = KeyConversation(texts: texts, appearance: appearance)
        inbox.yield(.opened)
        for await event in events {
            conversation.width = terminal.width
            for action in conversation.handle(event, at: clock.now()) {
                switch action {
                case .write(let text): terminal.write(text)
                case .complain(let text): terminal.writeError(text)
                case .leave(let status): return status
                case .ask(let request):
                    asking = Task { [flow] in
                        do throws(SignupFlowError) {
                            inbox.yield(.answered(try await flow.answer(to: request)))
                        } catch {
                            inbox.yield(.failed(error))
                        }
                    }
                case .lookForMessage(let sentCode):
                    looking = Task { [messageNote] in
                        if let note = await messageNote(sentCode) { inbox.yield(.noted(note)) }
                    }
                }
            }
        }
        // The events end only when the task of the whole conversation was cancelled.
        return .interrupted
    }
}
