/** A graph: each node with those that it leads to. */
export type Graph<N> = ReadonlyMap<N, readonly N[]>;

/** Returns the nodes that are reached from some, these first, the others by their distance. */
export function reachable<N>(from: Iterable<N>, targetsOf: (node: N) => Iterable<N>): Set<N> {
  const found = new Set(from);
  // The set grows while it is walked through.
  for (const node of found) for (const target of targetsOf(node)) found.add(target);
  return found;
}

/**
 * Returns the strongly connected components of a graph: nodes that lead to each other, each component after those that it
 * leads to (R. Tarjan, 1972). Takes linear time, and no stack.
 */
export function components<N>(graph: Graph<N>): N[][] {
  const found: N[][] = [];
  const order = new Map<N, number>();
  /** The earliest open node that is known to be reached; Infinity once the component is found. */
  const lowest = new Map<N, number>();
  const open: N[] = [];
  const path: { node: N; targets: Iterator<N> }[] = [];
  const reach = (node: N, other: number): unknown => lowest.set(node, Math.min(lowest.get(node)!, other));
  const enter = (node: N): void => {
    lowest.set(node, order.size);
    order.set(node, order.size);
    open.push(node);
    path.push({ node, targets: graph.get(node)!.values() });
  };
  for (const root of graph.keys()) {
    if (!order.has(root)) enter(root);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const { node, targets } = at;
      const next = targets.next();
      if (next.done !== true) {
        const target = next.value;
        if (!graph.has(target) || lowest.get(target) === Infinity) continue;
        if (order.has(target)) reach(node, order.get(target)!);
        else enter(target);
        continue;
      }
      path.pop();
      if (path.length > 0) reach(path.at(-1)!.node, lowest.get(node)!);
      if (lowest.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const each of component) lowest.set(each, Infinity);
      found.push(component);
    }
  }
  return found;
}

/** Returns the nodes from which every path ends, each after all that it leads to. Takes linear time. */
export function endingNodes<N>(graph: Graph<N>): N[] {
  const ending = new Set<N>();
  for (const [node] of components(graph) as [N][]) {
    const targets = graph.get(node)!;
    if (targets.every((target) => !graph.has(target) || ending.has(target))) ending.add(node);
  }
  return [...ending];
}

/** Cycles of a graph such that every other cycle shares a node with one of them, or leads to one. Takes linear time. */
export function cycles<N>(graph: Graph<N>): N[][] {
  const ending = new Set(endingNodes(graph));
  const visited = new Set<N>();
  const found: N[][] = [];
  for (const start of graph.keys()) {
    const path: N[] = [];
    let node = start;
    while (!ending.has(node) && !visited.has(node)) {
      visited.add(node);
      path.push(node);
      node = graph.get(node)!.find((target) => graph.has(target) && !ending.has(target))!;
    }
    const first = path.indexOf(node);
    if (first >= 0) found.push(path.slice(first));
  }
  return found;
}
