extension Observable {
    /// The elements as an asynchronous sequence.
    ///
    /// Subscribes here and now, not at the first `await`, and loses nothing: what the consumer has not asked for yet is
    /// kept, without bound. The subscription ends when the consuming task is cancelled, or when the sequence and its
    /// iterators are released. Since streams do not complete, the sequence ends by cancellation only. It is for one
    /// consumer.
    @inlinable
    public var values: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.dispose() }
        return stream
    }
}
