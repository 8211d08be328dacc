// What is known of each position's value, and what each move cost. Searches nothing.

// Losses in discs from which a move is marked; docs/analysis.md says why.
export const MISTAKE = 4;
export const BLUNDER = 8;

/**
 * For the root and each node of a line: {node, value, exact, loss, mark}. `value` is in black's
 * view, null where nothing is known; `loss` is what the move cost the side that made it.
 */
export function valuesOf(root, line) {
  const points = [root, ...line].map((node) => ({ node, ...valueAfter(node), loss: null, mark: "" }));
  for (let i = 1; i < points.length; i++) {
    const [before, point] = [points[i - 1], points[i]];
    point.loss = lossOf(point, before);
    if (point.loss >= MISTAKE) point.mark = point.loss >= BLUNDER ? "blunder" : "mistake";
  }
  return points;
}

function lossOf({ node, value, reviewed }, before) {
  if (node.review) return node.review.loss;
  if (node.move === "pass" || value === null || before.value === null || reviewed) return null;
  return Math.max(0, (before.value - value) * (node.side === "black" ? 1 : -1));
}

/** The value of the position after a node's move: proved, reviewed, searched there, or expected. */
function valueAfter(node) {
  const { position, review } = node;
  if (position?.over) return { value: position.outcome.tournament, exact: true };
  if (review && review.value !== null) return { value: black(node.side, review.value), exact: review.exact };
  const reply = node.next;
  if (reply?.review?.best !== undefined && reply.review.best !== null) {
    return { value: black(reply.side, reply.review.best), exact: reply.review.exact };
  }
  if (node.hints) return { value: black(node.hints.side, node.hints.top), exact: node.hints.exact };
  if (isValued(reply)) return { value: black(reply.side, reply.record.value), exact: reply.record.exact };
  if (isValued(node)) return { value: black(node.side, node.record.value), exact: node.record.exact };
  return { value: null, exact: false };
}

const isValued = (node) => Boolean(node?.record) && typeof node.record.value === "number";
const black = (side, value) => (side === "black" ? value : -value);
