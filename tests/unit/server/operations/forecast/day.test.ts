import { expect, it } from 'vitest'
import { simulateDay } from '#tests/suites/simulated-day.ts'

/** Videos by whose length two workers are busy for a third to 85 % of the day. */
const DAYS = [1, 2, 3, 4, 5, 6].flatMap((seed) =>
  [270, 450].map((longestVideoS) => ({ seed, longestVideoS })),
)

it.each(DAYS)(
  'REC-25 on a day of 30 accounts, 300 orders and two workers, estimates are within 30 % for 80 % of orders, and none waits longer than twice its fair share and one edit that had begun (seed $seed, videos to $longestVideoS s)',
  ({ seed, longestVideoS }) => {
    const { orders, longestEditS } = simulateDay({ seed, longestVideoS })
    const said = orders.filter(({ saidS }) => saidS !== null)
    const near = said.filter(({ saidS, tookS }) => Math.abs(tookS - (saidS ?? 0)) <= 0.3 * tookS)
    expect(orders).toHaveLength(300)
    // In the morning nothing is known.
    expect(said.length).toBeGreaterThan(270)
    expect(near.length / said.length).toBeGreaterThanOrEqual(0.8)
    for (const { tookS, fairS } of orders)
      expect(tookS).toBeLessThanOrEqual(2 * fairS + longestEditS)
    const late = orders.filter(({ tookS, fairS }) => tookS > 2 * fairS)
    expect(late.length / orders.length).toBeLessThanOrEqual(0.02)
  },
)
