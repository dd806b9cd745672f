import { createHash } from 'node:crypto'

/** Processor seconds that `work` takes on the machine on which the budgets were set. */
const REFERENCE_S = 0.06

/**
 * How many times more processor time the same work costs here and now than where the budgets were
 * set; 1 at least. Others on the same processor take its cache and its clock.
 */
export function measureSlowness(): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, (user + system) / 1e6 / REFERENCE_S)
}

/** What tests do most: objects, text, hashes. */
function work(): void {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    id: `row-${(at * 7919) % 20_000}`,
    at,
  }))
  const text = JSON.stringify(rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
  for (let round = 0; round < 4; round += 1) JSON.parse(text)
  createHash('sha256').update(text.repeat(8)).digest()
}
