import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { NO_TEXTS, SHOWN_TEXTS } from '#tests/fixtures/specified-texts.ts'

/** Source files by path, without comments; white space and entities as JSX shows them. */
const sources = new Map<string, string>()
let table = ''
beforeAll(async () => {
  for (const folder of ['src', 'server/src', 'recipes', 'spec'])
    for (const path of await readdir(join(projectRoot, folder), { recursive: true }))
      if (/\.tsx?$/.test(path)) sources.set(`${folder}/${path}`, await readSource(folder, path))
  table = await readFile(join(projectRoot, 'docs/acceptance.md'), 'utf8')
})

async function readSource(folder: string, path: string): Promise<string> {
  const source = await readFile(join(projectRoot, folder, path), 'utf8')
  const code = source.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*?$/gms, '')
  return code.replaceAll(/\s+/g, ' ').replaceAll('&apos;', "'")
}

/** The files below a place that have all of the parts. */
function filesWith(place: string, parts: readonly string[]): string[] {
  return [...sources]
    .filter(
      ([path, source]) => path.startsWith(place) && parts.every((one) => source.includes(one)),
    )
    .map(([path]) => path)
}

/** The rows of the specification with the texts that they quote. */
function quotedTexts(): { readonly row: string; readonly text: string }[] {
  const rows = table.matchAll(/^\| ([A-Z]{3}-\d\d) \| (.*?) \| (?:works|partly|missing) /gm)
  return [...rows].flatMap(([, row = '', words = '']) =>
    // An apostrophe stands inside of a word, a quote beside one.
    [...words.matchAll(/(?<=^|[\s(,/[])'((?:[^'\n]|'(?=[a-z]))+?)'(?![A-Za-z])/g)].map(
      ([, text = '']) => ({ row, text }),
    ),
  )
}

it('LIF-07 shows every text of the specification in its place', () => {
  const missing = SHOWN_TEXTS.filter(
    ({ text, place, parts }) => filesWith(place, parts ?? [text]).length === 0,
  )
  expect(missing).toEqual([])
})

it('LIF-07 the list has every text that the acceptance table quotes', () => {
  const listed = new Set(SHOWN_TEXTS.map(({ text }) => text))
  const quoted = quotedTexts()
  expect(quoted.length).toBeGreaterThan(150)
  const unlisted = quoted.filter(({ text }) => !listed.has(text) && !NO_TEXTS.has(text))
  expect(unlisted).toEqual([])
})
