-- Signs people up: each of them begins, asks for a code, and types it. Any connection sends what anybody has to send next.
-- Arguments: the file of numbers, one a line; where the messages are written; and how many people may be under way at a
-- time, fewer than 10,000, since a message names the last four digits of its number alone.
dofile(os.getenv("BENCHMARK_SCRIPTS") .. "/report.lua")
wrk.method = "POST"

local numbers, messages, most
local tasks, people, waiting = {}, {}, 0
local rest, read_at, last_digits = "", 0, nil
completed, extra = 0, 0

function init(arguments)
    numbers, messages, most = share(arguments[1]), io.open(arguments[2]), tonumber(arguments[3])
    messages:seek("end")
end

local function call(token, path, body)
    return wrk.format(nil, path, {["Content-Type"] = "application/json", ["Authorization"] = token}, body)
end

-- Takes the codes that have come; each stands on a line below the one that says to whom.
local function read_messages()
    if now() - read_at < 500 then return end
    read_at = now()
    local text = messages:read("*a")
    if not text or text == "" then return end
    text = rest .. text
    local past = 1
    for line, behind in text:gmatch("([^\n]*)\n()") do
        past = behind
        last_digits = line:match("^%[SMS, not sent%] to .*(%d%d%d%d)$") or last_digits
        local code = last_digits and line:match("^  | .-(%d%d%d%d%d%d)")
        local person = code and people[last_digits]
        if person then
            people[last_digits], last_digits = nil, nil
            waiting = waiting - 1
            local path = "/v1/signups/" .. person.id .. "/sign-up"
            table.insert(tasks, call(person.token, path, '{"code_text":"' .. code .. '"}'))
        end
    end
    rest = text:sub(past)
end

-- How many milliseconds a connection waits before its next request.
function delay()
    read_messages()
    return (#tasks > 0 or waiting < most) and 0 or 5
end

function request()
    if not begun_at then
        -- The first one is for wrk to look at, and is not sent.
        begun_at = now()
        return wrk.format("GET", "/health/live")
    end
    read_messages()
    local task = table.remove(tasks)
    if task then return task end
    if waiting < most then
        waiting = waiting + 1
        return call(nil, "/v1/signups", "{}")
    end
    -- Nobody has anything to send, though a connection has waited: it asks for something that costs next to nothing.
    extra = extra + 1
    return wrk.format("GET", "/health/live")
end

function response(status, headers, body)
    if body:find('"access_token"', 1, true) then
        completed = completed + 1
        return
    end
    local id, token = body:match('"id":"(sgn_%x+)"'), body:match('"token":"([^"]+)"')
    if not token then return end
    local number = numbers()
    if not number then return finish() end
    people[number:sub(-4)] = {id = id, token = "Bearer " .. token}
    table.insert(tasks, call("Bearer " .. token, "/v1/signups/" .. id .. "/send", '{"phone_text":"' .. number .. '"}'))
end
