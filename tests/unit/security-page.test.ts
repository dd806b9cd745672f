import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

const page = await readFile(join(projectRoot, 'docs/security.md'), 'utf8')
const rows = [...page.matchAll(/^\| (V\d+\.\d+\.\d+) \| (.+?) \| ([a-z ]+) \| (.+) \|$/gm)].map(
  ([, id = '', , state = '', why = '']) => ({ id, state, why }),
)

it('the page on security has each requirement of ASVS level 2 once, with a state', () => {
  const ids = rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const counts = REQUIREMENTS.map(
    (_, index) => ids.filter((id) => id.startsWith(`V${index + 1}.`)).length,
  )
  expect(counts).toEqual(REQUIREMENTS)
  const states = ['met', 'untested', 'not applicable', 'open']
  expect(rows.filter(({ state }) => !states.includes(state))).toEqual([])
  const [, sum] = /Of 253, (.+)\.$/m.exec(page) ?? []
  const count = (state: string) => rows.filter((row) => row.state === state).length
  expect(sum).toBe(
    `${count('met')} are met, ${count('untested')} hold without a test, ${count('not applicable')} do not apply, and ${count('open')} are open`,
  )
})

it('what the page calls met is shown by a test or a page that is there', async () => {
  const wrong: string[] = []
  for (const { id, why } of rows.filter(({ state }) => state === 'met')) {
    const tests = [...why.matchAll(/`(tests\/[^`]+)`: (.+?)(?=; `|$)/g)]
    const isDocumented = /\]\(|`openapi\//.test(why)
    if (tests.length === 0 && !isDocumented) wrong.push(`${id} names nothing`)
    for (const [, file = '', title = ''] of tests) {
      const source = await readFile(join(projectRoot, file), 'utf8').catch(() => '')
      if (!source.includes(title)) wrong.push(`${id}: ${file} has no test "${title}"`)
    }
  }
  expect(wrong).toEqual([])
})
