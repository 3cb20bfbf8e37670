'use strict';
// Required by a measured process: writes its cost when it ends.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
  writeFileSync(process.env.COST_FILE, JSON.stringify(cost));
});
