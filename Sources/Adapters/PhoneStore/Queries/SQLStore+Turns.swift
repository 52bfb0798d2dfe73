public import PhoneDomain
import PhoneSignup

// The turns of messages at senders with a rate. Gateways without any never get here.

extension SQLStore {
    /// The row of the gateway is locked first, so that one takes a turn at a time, of whatever instance.
    public func take(_ turn: TakeTurn) async throws -> TakeTurn.Turn {
        try await transact { session in
            let loaded = try session.locked(SenderQueue.self, turn.gateway)
            var queue = loaded ?? SenderQueue(gateway: turn.gateway)
            queue.fit(turn)
            let answer = try session.take(turn, in: &queue)
            if queue != loaded { try session.save(loaded, queue) }
            return answer
        }
    }
}

extension SQLSession {
    fileprivate func locked<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? {
        var found: R?
        try forEach(R.select(), in: R.table, where: R.table.key, isAnyOf: [key.value], locking: true) {
            found = try R($0)
        }
        return found
    }

    fileprivate func take(_ turn: TakeTurn, in queue: inout SenderQueue) throws -> TakeTurn.Turn {
        switch turn.purpose {
        case .send(let claim):
            let waiting = try waiting(claim)
            guard let waiting, waiting.gateway == turn.gateway, turn.intervals.indices.contains(waiting.sender) else {
                return try join(turn, claim, instead: waiting, in: &queue)
            }
            return try goOn(turn, claim, waiting, in: &queue)
        case .leave(let claim):
            if let waiting = try waiting(claim), waiting.messageID == claim.message.id, waiting.gateway == turn.gateway,
                turn.intervals.indices.contains(waiting.sender)
            {
                try leave(turn, waiting, in: &queue)
            }
            return .never
        case .test, .ask: return try join(turn, nil, instead: nil, in: &queue)
        }
    }

    private func waiting(_ claim: OutboxClaim) throws -> WaitingMessage? {
        try all(WaitingMessage.self, "WHERE verification_id = \(claim.verification.id)").first
    }

    /// Decides about a message that is in line already.
    private func goOn(
        _ turn: TakeTurn,
        _ claim: OutboxClaim,
        _ waiting: WaitingMessage,
        in queue: inout SenderQueue
    ) throws -> TakeTurn.Turn {
        let sender = waiting.sender
        var next = waiting
        next.messageID = claim.message.id
        if waiting.due <= turn.now {
            let opening = queue.opening(of: sender, turn)
            if opening <= turn.now {
                queue.take(sender, turn)
                try save(waiting, nil)
                try hasten(sender, turn, in: &queue)
                return .now(sender: sender)
            }
            // Another took the turn, or it comes late. It keeps its place, so that it is hastened before others.
            next.due = queue.lastOpening(of: sender, turn)
            queue.join(sender, turn)
        }
        guard next.due < turn.end else {
            try leave(turn, waiting, in: &queue)
            return .never
        }
        return try wait(turn, claim, next, instead: waiting)
    }

    private func join(
        _ turn: TakeTurn,
        _ claim: OutboxClaim?,
        instead old: WaitingMessage?,
        in queue: inout SenderQueue
    ) throws -> TakeTurn.Turn {
        for sender in turn.order where queue.hasLine(sender) && queue.opening(of: sender, turn) <= turn.now {
            try hasten(sender, turn, in: &queue)
        }
        func opening(_ sender: Int) -> Timestamp {
            let opening = max(turn.now, queue.lastOpening(of: sender, turn))
            // Those who wait go first, though they are late.
            return opening == turn.now && queue.hasLine(sender)
                ? turn.now + .microseconds(max(1000, turn.intervals[sender])) : opening
        }
        guard let sender = turn.order.min(by: { opening($0) < opening($1) }) else { return .never }
        let due = opening(sender)
        if due == turn.now {
            if case .ask = turn.purpose { return .now(sender: sender) }
            queue.take(sender, turn)
            if let old { try save(old, nil) }
            return .now(sender: sender)
        }
        guard due < turn.end else { return .never }
        guard let claim else { return .later(due) }
        let place = queue.join(sender, turn)
        let waiting = WaitingMessage(
            verificationID: claim.verification.id,
            messageID: claim.message.id,
            place: place,
            gateway: turn.gateway,
            sender: sender,
            due: due,
            expiresAt: claim.end
        )
        return try wait(turn, claim, waiting, instead: old)
    }

    /// Keeps its place, and has it due in the outbox when its turn comes, if it is claimed still.
    private func wait(
        _ turn: TakeTurn,
        _ claim: OutboxClaim,
        _ waiting: WaitingMessage,
        instead old: WaitingMessage?
    ) throws -> TakeTurn.Turn {
        var waiting = waiting
        if let message = try locked(OutboxMessage.self, claim.message.id), message.status == .queued,
            message.attempts == claim.message.attempts
        {
            var later = message
            later.wait(until: waiting.due, at: TakeTurn.reason(at: turn.gateway), now: turn.now)
            waiting.due = later.nextAttemptAt
            try save(message, later)
        }
        if waiting != old { try save(old, waiting) }
        return .later(waiting.due)
    }

    private func leave(_ turn: TakeTurn, _ waiting: WaitingMessage, in queue: inout SenderQueue) throws {
        try save(waiting, nil)
        queue.leave(waiting.sender, turn)
        try hasten(waiting.sender, turn, in: &queue)
    }

    private func first(of sender: Int, _ turn: TakeTurn) throws -> WaitingMessage? {
        try all(
            WaitingMessage.self,
            """
            \(dialect.indexedBy("waiting_message_place"))
            WHERE gateway = \(turn.gateway) AND sender = \(Int64(sender)) ORDER BY place LIMIT 1
            """
        ).first
    }

    /// Has the first in line due when the sender is free. Those whose messages are gone lose their places, a few at a
    /// time.
    private func hasten(_ sender: Int, _ turn: TakeTurn, in queue: inout SenderQueue) throws {
        for _ in 0..<16 {
            guard let first = try first(of: sender, turn) else { return queue.clear(sender) }
            guard let message = try locked(OutboxMessage.self, first.messageID), message.status == .queued else {
                try save(first, nil)
                queue.leave(sender, turn)
                continue
            }
            let opening = max(turn.now, queue.opening(of: sender, turn))
            // While it is claimed, its own process gives it its turn.
            guard message.nextAttemptAt == first.due, opening < first.due else { return }
            var (sooner, waiting) = (message, first)
            sooner.hasten(to: opening)
            waiting.due = opening
            try save(message, sooner)
            return try save(first, waiting)
        }
    }
}
