// What is known of each position's value, and what each move cost. Searches nothing.

// Losses in discs from which a move is marked, as the analysis of a game has them. Losses between
// two searches of different depth are too rough to show inaccuracies.
const MISTAKE = 4;
const BLUNDER = 8;

/**
 * For the root and each node of a line: {node, value, exact, loss, mark}. `value` is in black's
 * view, null where nothing is known; `loss` is what the move cost the side that made it.
 */
export function valuesOf(root, line) {
  const points = [root, ...line].map((node) => ({
    node,
    ...valueAfter(node),
    loss: null,
    mark: null,
  }));
  points.slice(1).forEach((point, index) => Object.assign(point, judged(point, points[index])));
  return points;
}

function judged({ node, value }, before) {
  if (node.review) return { loss: node.review.loss, mark: node.review.mark };
  if (node.move === "pass" || value === null || before.value === null) return {};
  const loss = Math.max(0, (before.value - value) * (node.side === "black" ? 1 : -1));
  return { loss, mark: loss >= BLUNDER ? "blunder" : loss >= MISTAKE ? "mistake" : null };
}

/** The value of the position after a node's move: proved, reviewed, searched there, or expected. */
function valueAfter(node) {
  const { position, review, hints, record, next } = node;
  if (position?.over) return { value: position.outcome.tournament, exact: true };
  if (hints?.proof) return { value: black(hints.side, hints.top), exact: true };
  if (review) return { value: black(node.side, review.value), exact: review.exact };
  if (next?.review) return { value: black(next.side, next.review.best), exact: next.review.exact };
  if (hints) return { value: black(hints.side, hints.top), exact: hints.exact };
  if (isValued(next))
    return { value: black(next.side, next.record.value), exact: next.record.exact };
  if (isValued(node)) return { value: black(node.side, record.value), exact: record.exact };
  return { value: null, exact: false };
}

const isValued = (node) => typeof node?.record?.value === "number";
const black = (side, value) => (side === "black" ? value : -value);
