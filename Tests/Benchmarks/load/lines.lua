-- Sends the requests that a file has, one a line: path, tab, body. Each is sent once; a thread of several takes its share.
-- Arguments: the file, and a path that is called in place of theirs, if any.
dofile(os.getenv("BENCHMARK_SCRIPTS") .. "/report.lua")
wrk.method = os.getenv("BENCHMARK_METHOD")

local lines, path, format = nil, nil, wrk.format

function init(arguments)
    lines, path = share(arguments[1]), arguments[2]
end

function request()
    if is_first() then return format("GET", "/") end
    local line = not finished_at and lines()
    if not line then
        finish()
        return format("GET", "/")
    end
    local tab = line:find("\t", 1, true)
    return format(nil, path or line:sub(1, tab - 1), nil, line:sub(tab + 1))
end
