-- The requests of a load: `wrk … -s load.lua <url> -- <name> <pause> <file>`. The file has a uid in each line, or a uid and its
-- ETag; uids are of one length. Lists read a path instead. A client pauses so many milliseconds before each request. The last
-- line of the output is one of JSON.

local made = 0

-- One text: a million values would make the collector of Lua stand still for a fifth of a second.
local uids, width = "", 0
-- With their ETags, for patches.
local devices = {}

local function readUids(path)
  local file = io.open(path)
  uids = file:read("*a") .. "\n"
  file:close()
  width = uids:find("\n")
  -- Many uids must not make the collector wait until there is as much garbage.
  collectgarbage("setpause", 100)
end

local function anyUid()
  local start = math.random(0, #uids / width - 1) * width
  return uids:sub(start + 1, start + width - 1)
end

local function readEtags(path)
  for line in io.lines(path) do
    local uid, etag = line:match("(%S+) (%S+)")
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

function loads.get(file)
  readUids(file)
  local collection = wrk.path == "/" and "/devices" or wrk.path
  return function()
    return wrk.format("GET", collection .. "/" .. anyUid())
  end
end

-- With a reference to a site, which is there already.
function loads.postwithsite()
  wrk.headers["Content-Type"] = "application/json"
  return function()
    made = made + 1
    return wrk.format("POST", "/devices", nil, (device(made):gsub('"spec":{', '"spec":{"site":"main",', 1)))
  end
end

-- With a name that no other device has, for a kind with unique names.
function loads.postunique()
  wrk.headers["Content-Type"] = "application/json"
  local run = math.random(0, 2 ^ 31)
  return function()
    made = made + 1
    return wrk.format("POST", "/devices", nil, (device(made):gsub('"name":"device', '"name":"d' .. run, 1)))
  end
end

function loads.post()
  wrk.headers["Content-Type"] = "application/json"
  return function()
    made = made + 1
    return wrk.format("POST", "/devices", nil, device(made))
  end
end

-- One POST in ten requests, the others are GETs.
function loads.mixed(file)
  readUids(file)
  local headers = { ["Content-Type"] = "application/json" }
  return function()
    made = made + 1
    if made % 10 > 0 then return wrk.format("GET", "/devices/" .. anyUid()) end
    return wrk.format("POST", "/devices", headers, device(made))
  end
end

-- One POST in ten requests, the others are lists: one that was sent before is seldom the same.
function loads.lists()
  local path = wrk.path
  local headers = { ["Content-Type"] = "application/json" }
  return function()
    made = made + 1
    if made % 10 > 0 then return wrk.format("GET", path) end
    return wrk.format("POST", "/devices", headers, device(made))
  end
end

-- A client that asks again for a list which it has.
function loads.poll()
  local tag
  function response(_, headers)
    tag = headers.ETag or tag
  end
  return function()
    return wrk.format("GET", nil, { ["If-None-Match"] = tag })
  end
end

-- Each answer brings the ETag that the next patch of the device needs; one device is never in two requests at once.
function loads.patch(file)
  readEtags(file)
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
  local name, pause, file = arguments[1], tonumber(arguments[2]), arguments[3]
  if pause > 0 then delay = function() return pause end end
  math.randomseed(os.time())
  if loads[name] then request = loads[name](file) end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p99":%.3f,"p999":%.3f,"failed":%d,"bytes":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout, summary.bytes))
end
