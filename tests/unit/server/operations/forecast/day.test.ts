import { expect, it } from 'vitest'
import { runs } from '#tests/seeds.ts'
import { simulateDay } from '#tests/suites/simulated-day.ts'

/** Six in the soak. */
const SEEDS = [1, 2, 3, 4, 5, 6].slice(0, runs(3))

/** Videos by whose length two workers are busy for a third to 85 % of the day. */
const DAYS = SEEDS.flatMap((seed) => [270, 450].map((longestVideoS) => ({ seed, longestVideoS })))

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

/** Faces are more work: these videos make two workers busy for 41 to 79 % of the day. */
it.each([{ longestVideoS: 240 }, { longestVideoS: 360 }])(
  'REC-25 where owners look at the faces of some edits first, what is said of that look and of the end without its time is within 30 % for 80 % of their orders, and so are the estimates of all (videos to $longestVideoS s)',
  ({ longestVideoS }) => {
    const days = SEEDS.map((seed) => simulateDay({ seed, longestVideoS, hasReviews: true }))
    const orders = days.flatMap((day) => day.orders).filter(({ saidS }) => saidS !== null)
    const reviewed = orders.filter(({ saidReviewS }) => saidReviewS !== null)
    expect(reviewed.length).toBeGreaterThan(50 * SEEDS.length)
    const shareNear = (said: readonly (readonly [number | null, number | null])[]): number =>
      said.filter(([saidS, tookS]) => Math.abs((tookS ?? 0) - (saidS ?? 0)) <= 0.3 * (tookS ?? 0))
        .length / said.length
    const looks = reviewed.map((o) => [o.saidReviewS, o.tookReviewS] as const)
    const ends = reviewed.map((o) => [o.saidS, o.tookS] as const)
    expect(shareNear(looks)).toBeGreaterThanOrEqual(0.8)
    expect(shareNear(ends)).toBeGreaterThanOrEqual(0.8)
    expect(shareNear(orders.map((o) => [o.saidS, o.tookS]))).toBeGreaterThanOrEqual(0.8)
  },
)
