import PhoneNumbers

/// Answers questions about numbers, one a line, so that a script can compare the answers with those of another library.
///
/// A question is an operation, a region and a text, separated by tabs:
/// - `read`: region, E.164, kind, national and international format of the number; or `-` and the error's code.
/// - `type`: what a field shows after each character of the text.
/// - `start`: what a field starts with.
/// - `time`: how many nanoseconds reading, writing and typing the text takes, on average over many times.
@main struct NumberOracle {
    static func main() {
        let plans = NumberingPlans.builtIn
        while let line = readLine() {
            let question = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard question.count == 3, let region = Region(String(question[1])) else {
                print("?")
                continue
            }
            let text = String(question[2])
            switch question[0] {
            case "read":
                do {
                    let number = try PhoneNumber(parsing: text, region: region, plans: plans)
                    print(
                        number.region,
                        number.e164,
                        number.kind.rawValue,
                        number.nationalFormat,
                        number.internationalFormat,
                        separator: "\t"
                    )
                } catch {
                    print("-", error.code, separator: "\t")
                }
            case "type":
                var shown: [String] = []
                for end in text.indices { shown.append(plans.format(String(text[...end]), region: region)) }
                print(shown.joined(separator: "\t"))
            case "start": print(plans.startText(for: region))
            case "time": print(times(text, region: region, plans: plans))
            default: print("?")
            }
        }
    }

    /// Nanoseconds for: reading the text, judging the digits of the number, writing it at home and abroad, typing the
    /// text key by key.
    private static func times(_ text: String, region: Region, plans: NumberingPlans) -> String {
        let rounds = 20_000
        let number = try? PhoneNumber(parsing: text, region: region, plans: plans)
        let keys = text.indices.map { String(text[...$0]) }
        let plan = number.flatMap { plans.plan(for: $0.region) }
        let digits = number?.nationalDigits ?? ""
        let clock = ContinuousClock()
        var bytes = 0
        let durations = [
            clock.measure {
                for _ in 0..<rounds {
                    let read = try? PhoneNumber(parsing: text, region: region, plans: plans)
                    bytes &+= read?.e164.utf8.count ?? 1
                }
            },
            clock.measure {
                for _ in 0..<rounds {
                    let index = plan?.rules.firstIndex { $0.pattern.match(digits) == .whole }
                    bytes &+= 1 &+ (index ?? 0)
                }
            },
            clock.measure {
                for _ in 0..<rounds { bytes &+= number?.nationalFormat.utf8.count ?? 1 }
            },
            clock.measure {
                for _ in 0..<rounds { bytes &+= number?.internationalFormat.utf8.count ?? 1 }
            },
            clock.measure {
                for _ in 0..<rounds {
                    for key in keys { bytes &+= plans.format(key, region: region).utf8.count }
                }
            },
        ]
        // The sum is used, so that nothing above can be left out.
        guard bytes > 0 else { return "?" }
        return durations.map { "\(Int($0 / .nanoseconds(1)) / rounds)" }.joined(separator: "\t")
    }
}
