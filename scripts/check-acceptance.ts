import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sourceFiles } from '#scripts/source-files.ts'

/** A row of docs/acceptance.md. */
export interface AcceptanceRow {
  readonly id: string
  readonly state: string
  readonly files: readonly string[]
  /** What the last column says is missing; empty for nothing. */
  readonly missing: string
}

/**
 * One line for every row of docs/acceptance.md that claims more than the tests show: an unknown
 * state, a row that works and misses something or has no test whose title starts with its id in
 * one of the named files that `npm test` runs, or a named file that does not exist or has no such
 * test.
 */
export async function checkAcceptance(root: string): Promise<string[]> {
  const table = await readFile(join(root, 'docs/acceptance.md'), 'utf8').catch(() => null)
  if (table === null) return ['docs/acceptance.md is missing.']
  const testFiles = new Set(await sourceFiles(root, ['tests']))
  const complaints = await Promise.all(
    readRows(table).map(async (row) => {
      const unknown = row.files.filter((file) => !testFiles.has(file))
      if (!states.has(row.state))
        return [
          `docs/acceptance.md: ${row.id} is "${row.state}", but must be works, partly or missing.`,
        ]
      if (unknown.length > 0)
        return [`docs/acceptance.md: ${row.id} names ${unknown.join(', ')}, which does not exist.`]
      const texts = await Promise.all(row.files.map((file) => readFile(join(root, file), 'utf8')))
      const idle = row.files.filter((_, at) => !namesRow(texts[at] ?? '', row.id))
      if (idle.length > 0)
        return [
          `docs/acceptance.md: ${row.id} names ${idle.join(', ')}, where no title starts with its id.`,
        ]
      if (row.state !== 'works') return []
      if (row.missing !== '')
        return [
          `docs/acceptance.md: ${row.id} works, but its last column says what is missing: ${row.missing}`,
        ]
      // What only a soak runs is not shown by each change.
      const landing = row.files.flatMap((file, at) =>
        file.startsWith(SOAK) ? [] : [texts[at] ?? ''],
      )
      return landing.some((text) => hasTestOf(text, row.id))
        ? []
        : [
            `docs/acceptance.md: ${row.id} works, but no test of npm test in ${row.files.join(', ') || 'a named file'} starts with its id.`,
          ]
    }),
  )
  return complaints.flat()
}

/** The rows of the table: `| id | what | state | test | missing |`. */
export function readRows(table: string): AcceptanceRow[] {
  return table.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, id = '', , state = '', tests = '', missing = ''] = cells
    if (!/^[A-Z]{3}-\d{2}$/.test(id)) return []
    return [
      {
        id,
        state: state.replaceAll('*', ''),
        files: [...tests.matchAll(/tests\/[\w./-]+\.tsx?/g)].map(([file]) => file),
        missing,
      },
    ]
  })
}

const SOAK = 'tests/soak/'
const states = new Set(['works', 'partly', 'missing'])

// `it('UPL-08 …')`, also in `test` and `it.each(…)('…')`.
function hasTestOf(text: string, id: string): boolean {
  return new RegExp(`\\b(?:it|test)\\b[^\\n]*?\\(\\s*${beginsWith(id)}`).test(text)
}

// Also titles that stand in a table, or on a line of their own after one.
function namesRow(text: string, id: string): boolean {
  return new RegExp(beginsWith(id)).test(text)
}

// Several ids may stand before the words.
const beginsWith = (id: string): string => `['"\`](?:[A-Z]{3}-\\d{2},? (?:and )?)*${id}\\b`
