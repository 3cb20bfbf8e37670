const Sequencer = require('@jest/test-sequencer').default;

/** The files that take longest, first of all on a clone where none has run before: at the end, no core waits for them. */
const LONGEST = require('./longest-files.json');

const rank = ({ path }) => {
  const index = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
  return index < 0 ? LONGEST.length : index;
};

/** Sorts the files as Jest does, but the longest of them first. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
