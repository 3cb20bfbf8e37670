const { existsSync, readFileSync } = require('node:fs');

/** The clock goes by as many ms as the file FAULT_CLOCK says; its content may change. Not a breakage by itself. */
const RealDate = Date;
const offset = () =>
  existsSync(process.env.FAULT_CLOCK) ? Number(readFileSync(process.env.FAULT_CLOCK)) : 0;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(Date.now());
    else super(...args);
  }
  static now() {
    return RealDate.now() + offset();
  }
};
