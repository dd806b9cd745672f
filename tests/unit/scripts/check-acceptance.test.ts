import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkAcceptance, readRows } from '#scripts/check-acceptance.ts'

let root: string
beforeEach(async () => {
  root = `${await mkdtemp(join(tmpdir(), 'onecut-acceptance-'))}/`
  await mkdir(join(root, 'docs'))
  await mkdir(join(root, 'tests/unit'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function check(rows: readonly string[], test = ''): Promise<string[]> {
  await writeFile(
    join(root, 'docs/acceptance.md'),
    ['| id | what | state | test | missing |', '|---|---|---|---|---|', ...rows].join('\n'),
  )
  await writeFile(join(root, 'tests/unit/parts.test.ts'), test)
  return checkAcceptance(root)
}

it('takes a row that works when a test of the named file starts with its id', async () => {
  const row = '| UPL-08 | Parts | works | tests/unit/parts.test.ts |  |'
  for (const title of [
    `it('UPL-08 plans parts', …)`,
    'test(`UPL-08: plans`, …)',
    `it('UPL-07, UPL-08 plan parts', …)`,
    `it.each([1])('UPL-08 %s', …)`,
  ])
    expect(await check([row], title)).toEqual([])
  expect(
    await check(
      ['| UPL-08 | Parts | **works** | `tests/unit/parts.test.ts` |  |'],
      `it('UPL-08 plans', …)`,
    ),
  ).toEqual([])
})

it('refuses a row that works without such a test, and leaves the others alone', async () => {
  const rows = [
    '| UPL-08 | Parts | works | tests/unit/parts.test.ts |  |',
    '| UPL-09 | More | missing |  |  |',
    '| UPL-10 | Some | partly |  | the rest |',
  ]
  expect(await check(rows, `describe('UPL-08', …)\nit('plans UPL-08', …)`)).toEqual([
    'docs/acceptance.md: UPL-08 works, but no test of npm test in tests/unit/parts.test.ts starts with its id.',
  ])
  expect(await check(['| UPL-08 | Parts | works |  |  |'])).toHaveLength(1)
})

it('refuses a named file that has no test of the row, whatever the state', async () => {
  for (const [state, missing] of [
    ['works', ''],
    ['partly', 'the rest'],
  ]) {
    const row = `| UPL-08 | Parts | ${state} | tests/unit/parts.test.ts | ${missing} |`
    expect(await check([row], `// it covers UPL-08\nit('UPL-07 plans', …)`)).toEqual([
      'docs/acceptance.md: UPL-08 names tests/unit/parts.test.ts, where no title starts with its id.',
    ])
    expect(
      await check([row], `it.each([\n  1,\n])(\n  'UPL-08 %s',\n  …)\nit('UPL-08', …)`),
    ).toEqual([])
  }
})

it('refuses a row that works and says what is missing', async () => {
  const row = '| UPL-08 | Parts | works | tests/unit/parts.test.ts | the rest |'
  expect(await check([row], `it('UPL-08 plans parts', …)`)).toEqual([
    'docs/acceptance.md: UPL-08 works, but its last column says what is missing: the rest',
  ])
})

it('refuses an unknown state and a file that does not exist', async () => {
  expect(await check(['| UPL-08 | Parts | done |  |  |'])).toEqual([
    'docs/acceptance.md: UPL-08 is "done", but must be works, partly or missing.',
  ])
  expect(await check(['| UPL-08 | Parts | partly | tests/unit/gone.test.ts | x |'])).toEqual([
    'docs/acceptance.md: UPL-08 names tests/unit/gone.test.ts, which does not exist.',
  ])
})

it('reads only rows of the table', () => {
  expect(readRows('text\n| id | what |\n| APP-01 | Routes | missing |  |  |')).toEqual([
    { id: 'APP-01', state: 'missing', files: [], missing: '' },
  ])
})

it('refuses a row that works only in the soak, and takes one that a test of each run shows too', async () => {
  await mkdir(join(root, 'tests/soak'))
  await writeFile(join(root, 'tests/soak/parts.test.ts'), `it('UPL-08 plans parts', …)`)
  const both = 'tests/soak/parts.test.ts, tests/unit/parts.test.ts'
  expect(await check(['| UPL-08 | Parts | works | tests/soak/parts.test.ts |  |'])).toEqual([
    'docs/acceptance.md: UPL-08 works, but no test of npm test in tests/soak/parts.test.ts starts with its id.',
  ])
  expect(await check([`| UPL-08 | Parts | works | ${both} |  |`], `it('UPL-08 plans', …)`)).toEqual(
    [],
  )
})
