-- Begins verifications and notes what they are called, so that others can check them: not a measurement.
-- Arguments: the file of what to send (path, tab, body), each once, and the file to write: number and id, one a line.
dofile(os.getenv("BENCHMARK_SCRIPTS") .. "/lines.lua")

local open, output = init, nil
completed = 0

function init(arguments)
    output = io.open(arguments[2], "w")
    open({arguments[1]})
end

function response(status, headers, body)
    local number = body:match('"phone_number":"(%+%d+)"') or body:match('"to":"(%+%d+)"')
    if status == 201 and number then
        output:write(number, " ", body:match('"id":"(ver_%x+)"') or "-", "\n")
        output:flush()
        completed = completed + 1
    end
end
