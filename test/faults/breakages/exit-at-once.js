/** SIGTERM ends the process as it does without a handler. */
process.on('SIGTERM', () => process.exit(0));
