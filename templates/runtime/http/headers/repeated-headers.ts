/** Maximum number of headers that are remembered, and of their characters. */
const [MOST, LONGEST] = [100, 1_000];

/** Returns a function that reads a header, and remembers what it has read: clients repeat the same few headers. */
export function remembering<T>(read: (header: string) => T): (header: string) => T {
  const known = new Map<string, { value: T }>();
  return (header) => {
    const found = known.get(header);
    if (found !== undefined) return found.value;
    const value = read(header);
    if (known.size >= MOST) known.clear();
    if (header.length <= LONGEST) known.set(header, { value });
    return value;
  };
}
