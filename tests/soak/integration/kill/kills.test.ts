import { expect, it } from 'vitest'
import { SEED } from '#tests/seeds.ts'
import { patience } from '#tests/setup/patience.ts'
import { runKills } from './kill-rounds.ts'

it(
  'SAF-09 a server that is killed seven times, also with its database and during its start, always starts again and has all that it acknowledged',
  { timeout: patience(300) },
  async () => {
    const report = await runKills({ kills: 7, seed: SEED })
    expect(report).toMatchObject({ kills: 7, killsOfStarts: 1, killsOfDatabases: 2 })
    expect(report.startSeconds).toHaveLength(6)
    expect(report.acknowledged.parts).toBeGreaterThan(0)
    expect(report.acknowledged.uploads).toBeGreaterThanOrEqual(6)
  },
)
