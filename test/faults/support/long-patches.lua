-- Patches that take long: they copy the annotations of their device 200 times.
wrk.method = 'PATCH'
wrk.headers['Content-Type'] = 'application/json-patch+json'
local operations = {}
for n = 1, 200 do
  operations[n] = '{"op":"copy","from":"/metadata/annotations","path":"/spec/location"}'
end
operations[201] = '{"op":"add","path":"/spec/location","value":"here"}'
wrk.body = '[' .. table.concat(operations, ',') .. ']'
