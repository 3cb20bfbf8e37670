/** A graph: each node with those that it leads to. */
export type Graph<N> = ReadonlyMap<N, readonly N[]>;

/** The nodes from which every path ends, each after all that it leads to. Takes linear time. */
export function endingNodes<N>(graph: Graph<N>): N[] {
  const open = new Map<N, number>();
  const leadingTo = new Map<N, N[]>();
  for (const [node, targets] of graph) {
    const known = targets.filter((target) => graph.has(target));
    open.set(node, known.length);
    for (const target of known) {
      if (!leadingTo.has(target)) leadingTo.set(target, []);
      leadingTo.get(target)!.push(node);
    }
  }
  const ending = [...graph.keys()].filter((node) => open.get(node) === 0);
  for (const node of ending) {
    for (const source of leadingTo.get(node) ?? []) {
      open.set(source, open.get(source)! - 1);
      if (open.get(source) === 0) ending.push(source);
    }
  }
  return ending;
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
