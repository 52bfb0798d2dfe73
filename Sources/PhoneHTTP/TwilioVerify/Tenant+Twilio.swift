import PhoneDomain

extension Tenant {
    /// The tenant as Twilio Verify shows a service, every member that it has and no other
    /// (https://github.com/twilio/twilio-oai, `verify.v2.service`). What this service has not is said to be off.
    func twilioJSON(_ place: TwilioPlace) -> JSON {
        let url = place.service(id)
        return [
            "sid": .string(TwilioSID.of(id)),
            "account_sid": .string(TwilioSID.of(account)),
            "friendly_name": .string(name.description),
            "code_length": .integer(codeLength),
            "lookup_enabled": .bool(options.contains(.lookup)),
            "psd2_enabled": false,
            "skip_sms_to_landlines": .bool(options.contains(.landlinesSkipped)),
            "dtmf_input_required": true,
            "tts_name": nil,
            "do_not_share_warning_enabled": .bool(options.contains(.sharingWarning)),
            "custom_code_enabled": .bool(options.contains(.customCodes)),
            "push": ["include_date": false, "apn_credential_sid": nil, "fcm_credential_sid": nil],
            "totp": ["issuer": nil, "time_step": 30, "code_length": 6, "skew": 1],
            "whatsapp": ["msg_service_sid": nil, "from": nil],
            "passkeys": ["relying_party": nil],
            "default_template_sid": .string(defaultTemplate.map(TwilioSID.of)),
            "verify_event_subscription_enabled": false,
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
            "url": .string(url),
            "links": [
                "verification_checks": .string(url + "/VerificationCheck"),
                "verifications": .string(url + "/Verifications"),
                "rate_limits": .string(url + "/RateLimits"),
                "messaging_configurations": .string(url + "/MessagingConfigurations"),
                "entities": .string(url + "/Entities"),
                "webhooks": .string(url + "/Webhooks"),
                "access_tokens": .string(url + "/AccessTokens"),
            ],
        ]
    }
}
