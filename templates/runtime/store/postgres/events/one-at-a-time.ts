/** Returns a function that runs an action; a call while it runs makes it run once more. It resolves when both have ended. */
export function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const run = async (): Promise<void> => {
    try {
      while (isAsked) {
        isAsked = false;
        await action();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    isAsked = true;
    return (running ??= run());
  };
}
