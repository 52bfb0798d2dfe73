import Reactive

extension Observable {
    /// The same elements; notes `+name` at each subscription and `-name` at each disposal.
    func noting(_ name: String, in log: Recorder<String>) -> Observable {
        Observable { observer in
            log.record("+\(name)")
            let upstream = subscribe(observer)
            return Disposable {
                log.record("-\(name)")
                upstream.dispose()
            }
        }
    }
}
