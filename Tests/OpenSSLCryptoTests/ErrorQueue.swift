import COpenSSL

/// Whether OpenSSL's error queue of this thread is empty.
func isErrorQueueEmpty() -> Bool {
    ERR_peek_error() == 0
}
