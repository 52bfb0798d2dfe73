// The least that any program must do for what PhoneProof promises of a code: scripts/bench measures it beside PhoneProof.
//
//   Yardstick LOG API_KEY [console]
//
// It reads a request, checks the API key, makes and seals a code, and answers once the verification is on the disk; then it opens
// the code, sends the message and records that. A check is counted on the disk before its answer, and compared by a MAC. What
// was answered survives a loss of power. There are no limits, no second message, no other country, no audit log, no metrics
// but what the measurement needs, and one thread: a turn of its loop handles what has arrived and flushes the log once.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { PENDING, APPROVED };
enum { MOST_CHECKS = 5, LIFETIME = 600, RESEND_AFTER = 30, ROOM = 4096, TURN = 256 };

// As it is in the log: the last one with an ID counts.
typedef struct {
    uint8_t id[16]; // It begins with the place in `records`.
    int64_t created; // In milliseconds since 1970.
    char number[16];
    uint8_t mac[32], nonce[12], sealed[6], tag[16], checks, status, is_sent;
} Record;

typedef struct {
    int fd, is_waiting, is_gone;
    size_t received, length;
    Record *begun;
    char request[ROOM], answer[1024];
} Connection;

// A verification stays where it is, so a block of them is never moved.
enum { BLOCK = 1 << 16 };
static Record *blocks[1 << 12];
static uint32_t record_count;
static int log_file, epoll, listener, writes_messages;
static char *appended;
static size_t appended_size, appended_room;
static Connection *waiting[TURN];
static int waiting_count;
static unsigned long long answered[600], message_bytes;
static uint8_t keys[64], key_digest[32];
static EVP_MAC_CTX *mac;
static EVP_CIPHER_CTX *seal, *unseal;
static int64_t now;
static char date[40];

static void need(int holds, const char *what) {
    if (!holds) perror(what), exit(1);
}

static Record *record_at(uint32_t place) {
    need(place / BLOCK < sizeof blocks / sizeof *blocks, "too many verifications");
    Record **block = &blocks[place / BLOCK];
    if (!*block) need((*block = calloc(BLOCK, sizeof(Record))) != NULL, "memory");
    return *block + place % BLOCK;
}

static void append(const Record *record) {
    if (appended_size + sizeof *record > appended_room)
        need((appended = realloc(appended, appended_room = 2 * appended_room + sizeof *record)) != NULL, "memory");
    memcpy(appended + appended_size, record, sizeof *record);
    appended_size += sizeof *record;
}

static void flush(void) {
    if (!appended_size) return;
    need(write(log_file, appended, appended_size) == (ssize_t)appended_size && !fdatasync(log_file), "log");
    appended_size = 0;
}

// A MAC of the code for this verification and number alone.
static void authenticate(const Record *record, const char *code, uint8_t result[32]) {
    size_t length;
    need(EVP_MAC_init(mac, NULL, 0, NULL) && EVP_MAC_update(mac, record->id, 16)
        && EVP_MAC_update(mac, (const uint8_t *)record->number, sizeof record->number)
        && EVP_MAC_update(mac, (const uint8_t *)code, 6) && EVP_MAC_final(mac, result, &length, 32), "MAC");
}

static void deliver(Record *record) {
    char code[7] = "", text[160];
    int length;
    need(EVP_DecryptInit_ex(unseal, NULL, NULL, NULL, record->nonce) && EVP_DecryptUpdate(unseal, NULL, &length, record->id, 16)
        && EVP_DecryptUpdate(unseal, (uint8_t *)code, &length, record->sealed, 6)
        && EVP_CIPHER_CTX_ctrl(unseal, EVP_CTRL_GCM_SET_TAG, 16, record->tag)
        && EVP_DecryptFinal_ex(unseal, NULL, &length), "opening a code");
    length = snprintf(text, sizeof text, "[SMS, not sent] to yardstick %s\n  | [Yardstick] %s is your verification code.\n",
        record->number, code);
    if (writes_messages) need(write(STDERR_FILENO, text, length) == length, "message");
    message_bytes += length;
    record->is_sent = 1;
    append(record);
}

static void answer(Connection *to, int status, const char *reason, const char *type, const char *body) {
    if (*to->request == 'P') answered[status]++;
    to->length = snprintf(to->answer, sizeof to->answer,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\nContent-Security-Policy: default-src "
        "'none'; frame-ancestors 'none'\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nDate: %s\r\n\r\n%s", status, reason, type, strlen(body), date, body);
    waiting[waiting_count++] = to;
    to->is_waiting = 1;
}

static void refuse(Connection *to, int status, const char *reason, const char *code, int checks_left) {
    char body[400];
    snprintf(body, sizeof body, "{\"type\":\"urn:yardstick:problem:%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\",\"code\":\"%s\","
        "\"message\":\"%d attempts are left.\",\"checks_left\":%d}", code, reason, status, reason, code, checks_left, checks_left);
    answer(to, status, reason, "application/problem+json", body);
}

static void moment(int64_t milliseconds, char text[32]) {
    time_t second = milliseconds / 1000;
    struct tm parts;
    size_t length = strftime(text, 24, "%Y-%m-%dT%H:%M:%S", gmtime_r(&second, &parts));
    snprintf(text + length, 8, ".%03dZ", (int)(milliseconds % 1000));
}

static void describe(Connection *to, const Record *record, int status, const char *reason) {
    char id[33], created[32], expires[32], resendable[32], body[640];
    for (int n = 0; n < 16; n++) sprintf(id + 2 * n, "%02x", record->id[n]);
    moment(record->created, created);
    moment(record->created + LIFETIME * 1000, expires);
    moment(record->created + RESEND_AFTER * 1000, resendable);
    snprintf(body, sizeof body,
        "{\"id\":\"ver_%s\",\"phone_number\":\"%s\",\"national_format\":\"0%.2s-%.4s-%s\",\"region\":\"KR\",\"channel\":\"sms\","
        "\"next_channels\":[],\"status\":\"%s\",\"created_at\":\"%s\",\"expires_at\":\"%s\",\"expires_in\":%d,\"next_send_at\":\"%s\","
        "\"next_send_in\":%d,\"sends_left\":4,\"checks_left\":%d}", id, record->number, record->number + 3, record->number + 5,
        record->number + 9, record->status == APPROVED ? "approved" : "pending", created, expires, LIFETIME, resendable,
        RESEND_AFTER, MOST_CHECKS - record->checks);
    answer(to, status, reason, "application/json", body);
}

// The characters of a string member of a flat JSON object; 0 if there is none, or it is too long.
static int member(const char *body, const char *name, char *value, int room) {
    const char *at = strstr(body, name);
    if (!at) return 0;
    at += strlen(name);
    at += strspn(at, " \t\r\n:");
    if (*at++ != '"') return 0;
    int length = strcspn(at, "\"\\");
    if (at[length] != '"' || length >= room) return 0;
    memcpy(value, at, length);
    value[length] = 0;
    return length;
}

static void begin(Connection *to, const char *body) {
    char typed[32], digits[12], code[8];
    int count = 0, length;
    member(body, "\"phone_number\"", typed, sizeof typed) || (*typed = 0);
    // A Korean mobile number as it is dialled there.
    for (const char *at = typed; *at; at++) {
        if (*at == '-' || *at == ' ') continue;
        if (*at < '0' || *at > '9' || count == 11) return refuse(to, 422, "Unprocessable Content", "invalid_phone_number", 0);
        digits[count++] = *at;
    }
    if (count != 11 || memcmp(digits, "010", 3)) return refuse(to, 422, "Unprocessable Content", "invalid_phone_number", 0);
    struct { uint8_t id[12], nonce[12]; uint64_t code; } random;
    need(RAND_bytes((uint8_t *)&random, sizeof random) == 1, "random bytes");
    snprintf(code, sizeof code, "%06d", (int)(random.code % 1000000));
    Record *record = record_at(record_count);
    *record = (Record){.created = now, .status = PENDING};
    memcpy(record->id, &record_count, 4), memcpy(record->id + 4, random.id, 12), memcpy(record->nonce, random.nonce, 12);
    record_count++;
    snprintf(record->number, sizeof record->number, "+82%.10s", digits + 1);
    authenticate(record, code, record->mac);
    need(EVP_EncryptInit_ex(seal, NULL, NULL, NULL, record->nonce) && EVP_EncryptUpdate(seal, NULL, &length, record->id, 16)
        && EVP_EncryptUpdate(seal, record->sealed, &length, (uint8_t *)code, 6) && EVP_EncryptFinal_ex(seal, NULL, &length)
        && EVP_CIPHER_CTX_ctrl(seal, EVP_CTRL_GCM_GET_TAG, 16, record->tag), "sealing a code");
    append(record);
    to->begun = record;
    describe(to, record, 201, "Created");
}

static Record *find(const char *hexadecimal) {
    uint8_t id[16];
    uint32_t place;
    for (int n = 0; n < 16; n++)
        if (sscanf(hexadecimal + 2 * n, "%2hhx", &id[n]) != 1) return NULL;
    memcpy(&place, id, 4);
    return place < record_count && !CRYPTO_memcmp(record_at(place)->id, id, 16) ? record_at(place) : NULL;
}

static void check(Connection *to, const char *hexadecimal, const char *body) {
    char code[8];
    uint8_t found[32];
    Record *record = find(hexadecimal);
    if (!record) return refuse(to, 404, "Not Found", "verification_not_found", 0);
    if (member(body, "\"code\"", code, sizeof code) != 6) return refuse(to, 422, "Unprocessable Content", "invalid_request", 0);
    if (record->status != PENDING || record->checks == MOST_CHECKS || now - record->created >= LIFETIME * 1000)
        return refuse(to, 409, "Conflict", "verification_closed", 0);
    record->checks++;
    authenticate(record, code, found);
    if (!CRYPTO_memcmp(found, record->mac, 32)) record->status = APPROVED;
    append(record);
    if (record->status == APPROVED) describe(to, record, 200, "OK");
    else refuse(to, 422, "Unprocessable Content", "code_incorrect", MOST_CHECKS - record->checks);
}

static void show_metrics(Connection *to) {
    char body[300], *end = body;
    for (int status = 200; status < 500; status++)
        if (answered[status] && end < body + 200)
            end += sprintf(end, "phoneproof_http_requests_total{method=\"POST\",status=\"%d\"} %llu\n", status, answered[status]);
    // A message is sent in the turn after its answer, before anything else is read.
    sprintf(end, "phoneproof_outbox_messages 0\n");
    answer(to, 200, "OK", "text/plain", body);
}

static void leave(Connection *connection) {
    close(connection->fd);
    connection->is_gone = 1;
    if (!connection->is_waiting) free(connection);
}

// One request, if it has arrived whole.
static void handle(Connection *from) {
    char *request = from->request;
    request[from->received] = 0;
    char *body = strstr(request, "\r\n\r\n");
    if (!body) return from->received == ROOM - 1 ? leave(from) : (void)0;
    body[2] = 0;
    body += 4;
    char *length_field = strcasestr(request, "\r\ncontent-length:"), *key = strcasestr(request, "\r\nauthorization: bearer ");
    size_t length = length_field ? strtoul(length_field + 17, NULL, 10) : 0, size = body - request + length;
    body[-2] = '\r';
    if (length >= ROOM || size >= ROOM) return leave(from);
    if (from->received < size) return;
    char next = request[size];
    request[size] = 0;
    uint8_t digest[32];
    if (key) SHA256((uint8_t *)key + 24, strcspn(key + 24, "\r"), digest);
    if (!strncmp(request, "GET /metrics ", 13)) show_metrics(from);
    else if (!key || CRYPTO_memcmp(digest, key_digest, 32)) refuse(from, 401, "Unauthorized", "unauthorized", 0);
    else if (!strncmp(request, "POST /v1/verifications ", 23)) begin(from, body);
    else if (!strncmp(request, "POST /v1/verifications/ver_", 27) && size > 67 && !strncmp(request + 59, "/checks ", 8))
        check(from, request + 27, body);
    else refuse(from, 404, "Not Found", "not_found", 0);
    request[size] = next;
    memmove(request, request + size, from->received -= size);
}

static void receive(Connection *from) {
    ssize_t count = recv(from->fd, from->request + from->received, ROOM - 1 - from->received, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return leave(from);
    from->received += count;
    if (!from->is_waiting) handle(from);
}

static void accept_connection(void) {
    int fd = accept(listener, NULL, NULL), one = 1;
    if (fd < 0) return;
    Connection *connection = calloc(1, sizeof *connection);
    need(connection != NULL, "memory");
    connection->fd = fd;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    need(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN, {.ptr = connection}}), "epoll");
}

static void send_answers(void) {
    Connection *ready[TURN];
    int count = waiting_count;
    memcpy(ready, waiting, sizeof *ready * count);
    waiting_count = 0;
    for (int n = 0; n < count; n++) {
        Connection *to = ready[n];
        Record *begun = to->begun;
        to->begun = NULL;
        to->is_waiting = 0;
        if (to->is_gone) free(to);
        else if (send(to->fd, to->answer, to->length, MSG_NOSIGNAL) != (ssize_t)to->length) leave(to);
        else if (to->received) handle(to);
        if (begun) deliver(begun);
    }
}

static void look_at_clock(void) {
    static time_t second;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now = time.tv_sec * 1000 + time.tv_nsec / 1000000;
    if (second == time.tv_sec) return;
    second = time.tv_sec;
    struct tm parts;
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&second, &parts));
}

// Opens the log, with the keys beside it, and sends what had not been sent.
static void open_log(const char *path) {
    char key_path[4096];
    snprintf(key_path, sizeof key_path, "%s.keys", path);
    int file = open(key_path, O_RDWR | O_CREAT, 0600);
    if (read(file, keys, 64) != 64)
        need(RAND_bytes(keys, 64) == 1 && write(file, keys, 64) == 64 && !fsync(file), key_path);
    close(file);
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0), OSSL_PARAM_construct_end()};
    need((mac = EVP_MAC_CTX_new(hmac)) && EVP_MAC_init(mac, keys, 32, parameters), "MAC");
    need((seal = EVP_CIPHER_CTX_new()) && EVP_EncryptInit_ex(seal, EVP_aes_256_gcm(), NULL, keys + 32, NULL), "cipher");
    need((unseal = EVP_CIPHER_CTX_new()) && EVP_DecryptInit_ex(unseal, EVP_aes_256_gcm(), NULL, keys + 32, NULL), "cipher");
    need((log_file = open(path, O_RDWR | O_CREAT, 0600)) >= 0, path);
    Record record;
    off_t end = 0;
    uint32_t place;
    for (; read(log_file, &record, sizeof record) == sizeof record; end += sizeof record) {
        memcpy(&place, record.id, 4);
        *record_at(place) = record;
        if (place >= record_count) record_count = place + 1;
    }
    // A write that a crash cut short was not answered.
    need(!ftruncate(log_file, end) && lseek(log_file, end, SEEK_SET) == end, path);
    for (place = 0; place < record_count; place++)
        if (!record_at(place)->is_sent) deliver(record_at(place));
    flush();
}

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: Yardstick LOG API_KEY [console]\n"), 64;
    writes_messages = count > 3;
    SHA256((uint8_t *)arguments[2], strlen(arguments[2]), key_digest);
    open_log(arguments[1]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    need(!bind(listener, (struct sockaddr *)&address, size) && !listen(listener, 1024), "socket");
    getsockname(listener, (struct sockaddr *)&address, &size);
    epoll = epoll_create1(0);
    need(!epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &(struct epoll_event){EPOLLIN, {.ptr = NULL}}), "epoll");
    printf("Yardstick is ready at http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[TURN];
        // Requests that wait in a connection's buffer take places of the turn, too.
        int room = TURN - waiting_count, is_more = waiting_count || appended_size;
        int found = room ? epoll_wait(epoll, events, room, is_more ? 0 : -1) : 0;
        look_at_clock();
        for (int n = 0; n < found; n++)
            if (events[n].data.ptr) receive(events[n].data.ptr);
            else accept_connection();
        flush();
        send_answers();
    }
}
