-- The requests of a load: `wrk … -s load.lua <url> -- <name> <file>`. The file has a uid in each line, or a uid and its
-- ETag; lists read a path instead. The last line of the output is one of JSON.

local devices = {}
local made = 0

local function read(path)
  for line in io.lines(path) do
    local uid, etag = line:match("(%S+)%s*(%S*)")
    devices[#devices + 1] = { uid = uid, etag = etag }
  end
end

local function device(number)
  return string.format(
    '{"metadata":{"name":"device-%d","labels":{"env":"production","rack":"r%d"}},"spec":{"name":"sensor-%d",'
      .. '"location":"building 7, floor 3, room %d","model":"TX-200",'
      .. '"config":{"interval":"30s","unit":"celsius","threshold":"21.5"}}}',
    number, number % 1000, number, number % 100)
end

local loads = {}

function loads.get()
  local collection = wrk.path == "/" and "/devices" or wrk.path
  return function()
    return wrk.format("GET", collection .. "/" .. devices[math.random(#devices)].uid)
  end
end

function loads.post()
  wrk.headers["Content-Type"] = "application/json"
  return function()
    made = made + 1
    return wrk.format("POST", "/devices", nil, device(made))
  end
end

-- Each answer brings the ETag that the next patch of the device needs; one device is never in two requests at once.
function loads.patch()
  function response(_, headers, body)
    local uid = body:match('"uid":"([^"]+)"')
    if uid then devices[#devices + 1] = { uid = uid, etag = headers.ETag or headers.etag } end
  end
  return function()
    made = made + 1
    local next = table.remove(devices)
    local headers = { ["Content-Type"] = "application/merge-patch+json", ["If-Match"] = next.etag }
    local body = string.format('{"spec":{"location":"building 8, room %d"}}', made)
    return wrk.format("PATCH", "/devices/" .. next.uid, headers, body)
  end
end

function init(arguments)
  local name, file = arguments[1], arguments[2]
  if file then read(file) end
  math.randomseed(os.time())
  if loads[name] then request = loads[name]() end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p99":%.3f,"failed":%d,"bytes":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout, summary.bytes))
end
