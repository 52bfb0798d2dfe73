import Reactive

/// Three lanes to which a script sends, one character a time: digits go to the first, small letters to the second,
/// capitals to the third; `|` disposes.
struct Marbles {
    let digits = PublishRelay<String>()
    let letters = PublishRelay<String>()
    let capitals = PublishRelay<String>()

    /// What comes out while `script` is played, elements parted by spaces.
    static func play(_ script: String, _ build: (Marbles) -> Observable<String>) -> String {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = build(lanes).subscribe(recorder.record)
        lanes.send(script, disposing: subscription)
        subscription.dispose()
        return recorder.history.joined(separator: " ")
    }

    func send(_ script: String, disposing subscription: Disposable? = nil) {
        for character in script where character != " " {
            let element = String(character)
            switch character {
            case "|": subscription?.dispose()
            case _ where character.isNumber: digits.accept(element)
            case _ where character.isLowercase: letters.accept(element)
            default: capitals.accept(element)
            }
        }
    }
}

extension PublishRelay where Element == String {
    var stream: Observable<String> { asObservable() }
}
