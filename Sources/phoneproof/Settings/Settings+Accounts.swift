import PhoneDelivery
import PhoneDomain

extension Settings {
    /// What becomes of accounts over the years.
    struct Accounts {
        let policy: AccountPolicy
        /// Where a change of number is undone, if it is set; see ``Settings/undoAddress``.
        let undoAddress: UndoAddress?

        /// Reads it.
        init(_ reader: inout SettingsReader) throws(SettingsError) {
            let standard = AccountPolicy.standard
            let recycling = try reader.value(
                "accounts.recycling",
                default: standard.recycling,
                wanted: AccountPolicy.Recycling.allCases.map(\.rawValue).joined(separator: ", "),
                AccountPolicy.Recycling.init
            )
            policy = AccountPolicy(
                recycling: recycling,
                dormantAfter: try Self.days("dormant_days", standard.dormantAfter, from: 0, &reader).nonzero,
                holdTime: try Self.days("hold_days", standard.holdTime, from: 1, &reader),
                deletionGrace: try Self.days("deletion_grace_days", standard.deletionGrace, from: 0, to: 365, &reader),
                undoTime: .seconds(
                    3600
                        * (try reader.integer(
                            "accounts.undo_hours",
                            default: Int(standard.undoTime / .seconds(3600)),
                            in: 1...720
                        ))
                ),
                freshProof: Duration.seconds(
                    60 * (try reader.integer("accounts.fresh_proof_minutes", default: 0, in: 0...525_600))
                ).nonzero
            )
            undoAddress = try Settings.undoAddress(&reader)
        }

        private static func days(
            _ name: String,
            _ standard: Duration?,
            from least: Int,
            to most: Int = 3650,
            _ reader: inout SettingsReader
        ) throws(SettingsError) -> Duration {
            let days = Int((standard ?? .zero) / day)
            return day * (try reader.integer("accounts." + name, default: days, in: least...most))
        }

        private static let day: Duration = .seconds(86_400)
    }
}

extension Duration {
    /// Nil for none: how a setting says never.
    fileprivate var nonzero: Duration? { self == .zero ? nil : self }
}
