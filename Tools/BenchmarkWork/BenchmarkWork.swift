import Dispatch
import Glibc

/// Does one operation of PhoneProof N times, and reports how long each took: alone, without a socket or a disk.
///
/// `BenchmarkWork OPERATION COUNT` prints nanoseconds and processor time of each, which scripts/bench shows.
/// `BenchmarkWork` alone lists the operations.
@main struct BenchmarkWork {
    /// Not `async`: then libdispatch would end the main thread in a way that makes Valgrind 3.19 crash.
    static func main() {
        let hasEnded = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run(Array(CommandLine.arguments.dropFirst()))
            } catch {
                print(error)
                exit(1)
            }
            hasEnded.signal()
        }
        hasEnded.wait()
    }

    private static func run(_ arguments: [String]) async throws {
        guard let name = arguments.first else {
            for operation in Operation.allCases { print("\(operation.rawValue)\t\(operation.meaning)") }
            return
        }
        guard arguments.count == 2, let operation = Operation(rawValue: name), let count = Int(arguments[1]), count > 0
        else {
            throw UsageError()
        }
        let work = try await operation.prepare()
        let time = ContinuousClock()
        let (began, used) = (time.now, processorTime())
        switch work {
        case .direct(let work): for serial in 0..<count { try work(serial) }
        case .suspending(let work): for serial in 0..<count { try await work(serial) }
        }
        let (took, processor) = (time.now - began, processorTime() - used)
        print(
            "{\"operation\":\"\(name)\",\"count\":\(count),\"nanoseconds\":\(took / .nanoseconds(1) / Double(count)),"
                + "\"processor\":\(processor / .nanoseconds(1) / Double(count))}"
        )
    }

    /// What all threads of this process have used (clock(3), in microseconds).
    private static func processorTime() -> Duration { .microseconds(Glibc.clock()) }
}

/// One operation, ready to be done with a serial number that differs each time.
enum Work {
    case direct((Int) throws -> Void)
    case suspending((Int) async throws -> Void)
}

/// An operation did something else than it is measured for.
struct UnexpectedOutcome: Error {}

/// An argument that is missing, or is none.
struct UsageError: Error, CustomStringConvertible {
    let description = "usage: BenchmarkWork [OPERATION COUNT]; alone it lists the operations"
}
