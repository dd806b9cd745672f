/**
 * The chance of all tests. It is fixed, so that a run says something of the commit and nothing of
 * the day; `npm run soak` is where other seeds are tried.
 */

/** Of every property without a seed of its own; `ONECUT_SEED` names another one. */
export const SEED = whole('ONECUT_SEED', 20_261_128)

/** How often more than usual properties try: `ONECUT_RUNS`, 20 in the soak. */
const RUNS = whole('ONECUT_RUNS', 1)

/** The tries of a property that sets its own number. */
export function runs(usual: number): number {
  return usual * RUNS
}

function whole(name: string, usual: number): number {
  const given = process.env[name]
  if (given === undefined) return usual
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} must be a whole number below 10^9.`)
  return Number(given)
}
