import ServiceLifecycle
import UnixSignals

/// Looks at the certificate's files again and again, and at once on SIGHUP, as those who renew certificates send it.
struct CertificateService: Service {
    private let reload: CertificateReload
    private let interval: Duration
    private let signals: UnixSignalsSequence

    /// Takes SIGHUP from here on, which would end the process.
    init(reload: CertificateReload, interval: Duration) async {
        self.reload = reload
        self.interval = interval
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    for await _ in signals { await reload.look(isAsked: true) }
                }
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: interval)
                        if !Task.isCancelled { await reload.look() }
                    }
                }
            }
        }
    }
}
