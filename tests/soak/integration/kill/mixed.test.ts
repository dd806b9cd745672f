import { expect, it } from 'vitest'
import { patience } from '#tests/setup/patience.ts'
import { runMixedKills } from './mixed-rounds.ts'

it(
  'SAF-09 a server that is killed while people sign up, upload, order, pay, cancel and delete keeps all that it acknowledged, and its books and files agree',
  { timeout: patience(300) },
  async () => {
    const report = await runMixedKills({ kills: 6, seed: 11, people: 4, loadMs: 1_500 })
    expect(report).toMatchObject({ kills: 6, killsOfDatabases: 1 })
    expect(report.startSeconds).toHaveLength(6)
    expect(report.kept.answer).toBeGreaterThan(5)
    expect(report.kept.order).toBeGreaterThan(1)
  },
)
