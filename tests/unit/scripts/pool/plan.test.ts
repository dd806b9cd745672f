import { describe, expect, it } from 'vitest'
import type { Cost } from '#scripts/pool/costs.ts'
import { BUILD, chooseNext, planRun, planTests, type Job } from '#scripts/pool/plan.ts'

const CORES = { cores: 2, isIdle: false, isBuilt: true }

function job(name: string, expected: Cost, needsBuild = false): Job {
  const work = { kind: 'vitest', project: 'unit', config: 'vitest.config.ts' } as const
  return { name, tier: 'unit', files: [], work, needsBuild, env: {}, expected }
}

describe('which job begins next', () => {
  const long = job('long', { cpuS: 90, wallS: 100 })
  const short = job('short', { cpuS: 9, wallS: 10 })

  it('is the longest', () => {
    expect(chooseNext([short, long], [], CORES)).toBe(long)
    expect(chooseNext([short, long], [job('a', { cpuS: 10, wallS: 10 })], CORES)).toBe(long)
  })

  it('is none while each processor has a job, unless they idle', () => {
    const running = ['a', 'b'].map((name) => job(name, { cpuS: 10, wallS: 10 }))
    expect(chooseNext([short, long], running, CORES)).toBeNull()
    expect(chooseNext([short, long], running, { ...CORES, isIdle: true })).toBe(long)
    const many = [...running, ...running, ...running]
    expect(chooseNext([short, long], many, { ...CORES, isIdle: true })).toBeNull()
  })

  it('is never one that needs a build that is not made, and the build before all others', () => {
    const journey = job('journey', { cpuS: 90, wallS: 100 }, true)
    const build = job(BUILD, { cpuS: 1, wallS: 1 })
    const unbuilt = { ...CORES, isBuilt: false }
    expect(chooseNext([journey, short, build], [], unbuilt)).toBe(build)
    expect(chooseNext([journey, short], [build], unbuilt)).toBe(short)
    expect(chooseNext([journey], [build], unbuilt)).toBeNull()
    expect(chooseNext([journey], [], CORES)).toBe(journey)
  })
})

describe('the jobs of a run', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => `tests/unit/${name}.test.ts`)
  const costs = new Map(
    files.map((file, at) => [file, { cpuS: 150 - at * 30, wallS: 150 - at * 30 }]),
  )

  it('hold each file once, in groups of about the same cost, whatever order the files come in', async () => {
    const jobs = await planTests(files, costs)
    expect(jobs.flatMap((each) => each.files).toSorted()).toEqual(files)
    expect(jobs.map(({ expected }) => expected.cpuS)).toEqual([150, 120, 150])
    expect(await planTests(files.toReversed(), costs)).toEqual(jobs)
  })

  it('load the app once for all screens, however dear they are', async () => {
    const screens = ['a', 'b', 'c'].map((name) => `tests/screens/${name}.test.tsx`)
    const dear = new Map(screens.map((file) => [file, { cpuS: 400, wallS: 500 }]))
    expect(await planTests(screens, dear)).toMatchObject([{ files: screens }])
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
