-- What every script of the load ends with: one line of JSON, which load.py reads. Times are in microseconds.
--
-- A thread that has nothing more to send stops (`finish`), and the load has lasted until then: wrk itself goes on waiting
-- until its time is over, and would take that for the time that the requests took.
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds; long nanoseconds; } moment; int clock_gettime(int clock, moment *time);")
local moment = ffi.new("moment")

function now()
    ffi.C.clock_gettime(1, moment) -- CLOCK_MONOTONIC
    return tonumber(moment.seconds) * 1e6 + tonumber(moment.nanoseconds) / 1e3
end

local threads = {}

-- Servers are written as 127.0.0.1:8080; each thread has the next of them.
function setup(thread)
    table.insert(threads, thread)
    thread:set("index", #threads)
    local servers = os.getenv("BENCHMARK_SERVERS")
    if servers then
        local addresses = {}
        for host, port in servers:gmatch("([%d.]+):(%d+)") do
            table.insert(addresses, wrk.lookup(host, port)[1])
        end
        thread.addr = addresses[(#threads - 1) % #addresses + 1]
    end
end

-- The lines of a file that are this thread's: of several threads each has every so-many-th one.
function share(path)
    local lines, count = io.lines(path), tonumber(os.getenv("BENCHMARK_THREADS") or 1)
    for _ = 2, index do lines() end
    local is_first = true
    return function()
        if not is_first then
            for _ = 2, count do lines() end
        end
        is_first = false
        return lines()
    end
end

function finish()
    if not finished_at then
        finished_at = now()
        wrk.thread:stop()
    end
end

function done(summary, latency, requests)
    local duration, done, extra = summary.duration, 0, 0
    for _, thread in ipairs(threads) do
        local finished, begun = thread:get("finished_at"), thread:get("begun_at")
        if finished and begun then duration = math.min(duration, finished - begun) end
        done = done + (thread:get("completed") or 0)
        extra = extra + (thread:get("extra") or 0)
    end
    io.write(string.format(
        '{"requests":%d,"duration":%.0f,"p50":%.0f,"p99":%.0f,"p99.9":%.0f,"max":%.0f,' ..
            '"refused":%d,"failed":%d,"completed":%d,"extra":%d}\n',
        summary.requests, duration, latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
        latency.max, summary.errors.status,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout, done, extra
    ))
end
