/// The body of a Twilio error.
func twilioError(_ code: Int, _ message: String, _ status: Int) -> String {
    json(
        """
        {"code":\(code),
         "message":"\(message)",
         "more_info":"https://www.twilio.com/docs/errors/\(code)",
         "status":\(status)}
        """
    )
}
