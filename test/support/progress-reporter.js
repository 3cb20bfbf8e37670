// Says every half minute which tests are running, since when, and how many files are left: a minute of silence looks
// like a hang.

const PERIOD_MS = 30_000;

module.exports = class ProgressReporter {
  files = new Map();
  done = 0;

  onRunStart({ numTotalTestSuites }) {
    this.total = numTotalTestSuites;
    this.timer = setInterval(() => this.report(), PERIOD_MS);
    this.timer.unref();
  }

  onTestFileStart({ path, context }) {
    const name = path.slice(context.config.rootDir.length + 1);
    this.files.set(path, { name, test: 'loading', since: Date.now() });
  }

  onTestCaseStart({ path }, { ancestorTitles, title }) {
    const test = [...ancestorTitles, title].join(' › ');
    Object.assign(this.files.get(path) ?? {}, { test, since: Date.now() });
  }

  onTestFileResult({ path }) {
    this.files.delete(path);
    this.done++;
  }

  onRunComplete() {
    clearInterval(this.timer);
  }

  report() {
    const lines = [...this.files.values()].map(({ name, test, since }) => {
      const seconds = Math.round((Date.now() - since) / 1_000);
      return `  ${name}: ${test.slice(0, 100)} (${seconds} s)\n`;
    });
    process.stderr.write(`${this.done} of ${this.total} files are done. Running:\n${lines.join('')}`);
  }
};
