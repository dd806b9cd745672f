import { describe, expect, it } from 'vitest'
import type { Cost } from '#scripts/pool/costs.ts'
import { BUILD, chooseNext, planRun, planTests, type Job } from '#scripts/pool/plan.ts'

const CORES = { cores: 2, isBuilt: true }

function job(name: string, expected: Cost, needsBuild = false): Job {
  const work = { kind: 'vitest', project: 'unit', config: 'vitest.config.ts' } as const
  return { name, tier: 'unit', files: [], work, needsBuild, env: {}, expected }
}

describe('which job begins next', () => {
  it('is the longest for which the processors have room', () => {
    const long = job('long', { cpuS: 90, wallS: 100 })
    const short = job('short', { cpuS: 9, wallS: 10 })
    expect(chooseNext([short, long], [], CORES)).toBe(long)
    expect(chooseNext([short, long], [job('a', { cpuS: 10, wallS: 10 })], CORES)).toBe(long)
  })

  it('is one that mostly waits where one that computes has no room', () => {
    const computes = job('computes', { cpuS: 100, wallS: 100 })
    const waits = job('waits', { cpuS: 3, wallS: 30 })
    const running = [job('a', { cpuS: 10, wallS: 10 }), job('b', { cpuS: 10, wallS: 10 })]
    expect(chooseNext([computes, waits], running, CORES)).toBe(waits)
    expect(chooseNext([computes], running, CORES)).toBeNull()
  })

  it('is never one that needs a build that is not made, and the build before all others', () => {
    const journey = job('journey', { cpuS: 90, wallS: 100 }, true)
    const unit = job('unit', { cpuS: 5, wallS: 5 })
    const build = job(BUILD, { cpuS: 1, wallS: 1 })
    const unbuilt = { cores: 2, isBuilt: false }
    expect(chooseNext([journey, unit, build], [], unbuilt)).toBe(build)
    expect(chooseNext([journey, unit], [build], unbuilt)).toBe(unit)
    expect(chooseNext([journey], [build], unbuilt)).toBeNull()
    expect(chooseNext([journey], [], CORES)).toBe(journey)
  })

  it('begins on one processor too, where a job wants more than that', () => {
    const wide = job('wide', { cpuS: 30, wallS: 10 })
    expect(chooseNext([wide], [], { cores: 1, isBuilt: true })).toBe(wide)
  })
})

describe('the jobs of a run', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => `tests/unit/${name}.test.ts`)
  const costs = new Map(
    files.map((file, at) => [file, { cpuS: 50 - at * 10, wallS: 50 - at * 10 }]),
  )

  it('hold each file once, in groups of about the same cost, whatever order the files come in', async () => {
    const jobs = await planTests(files, costs)
    expect(jobs.flatMap((each) => each.files).toSorted()).toEqual(files)
    expect(jobs.map(({ expected }) => expected.cpuS)).toEqual([50, 40, 50])
    expect(await planTests(files.toReversed(), costs)).toEqual(jobs)
  })

  it('hold files that were never measured', async () => {
    expect((await planTests(files, new Map())).flatMap((each) => each.files)).toHaveLength(4)
  })

  it('run unit and screen files by vitest and journeys by Playwright, after the build', async () => {
    const jobs = await planTests(
      ['tests/unit/a.test.ts', 'tests/screens/b.test.tsx', 'tests/e2e/c.spec.ts'],
      new Map(),
    )
    expect(
      jobs.map(({ tier, work, needsBuild }) => [
        tier,
        work.kind,
        'project' in work ? work.project : '',
        needsBuild,
      ]),
    ).toEqual([
      ['unit', 'vitest', 'unit', false],
      ['screens', 'vitest', 'screens', false],
      ['journeys', 'playwright', 'journeys', true],
    ])
  })

  it('begin with the build, and include types and lint', async () => {
    const names = (await planRun([], new Map())).map(({ name }) => name)
    expect(names[0]).toBe(BUILD)
    expect(names).toEqual(expect.arrayContaining(['types', 'lint', 'contract: lint']))
  })
})
