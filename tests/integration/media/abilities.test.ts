import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Abilities } from '#server/media/abilities.ts'
import type { Tools } from '#server/media/confined.ts'
import { testFfmpeg } from '#tests/setup/media.ts'

let folder = ''
let tools: Tools

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-abilities-'))
  tools = await testFfmpeg()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As a process does that has not asked yet. */
async function askAnew(): Promise<Abilities> {
  vi.resetModules()
  const { abilitiesOf } = await import('#server/media/abilities.ts')
  return await abilitiesOf(tools, folder)
}

const file = (): string => join(folder, 'ffmpeg.json')
/** Marks what is kept, so that an answer from there is told from one of the programs. */
async function markKept(before: string, after: string): Promise<void> {
  const text = await readFile(file(), 'utf8')
  expect(text).toContain(before)
  await writeFile(file(), text.replace(before, after))
}

it('asks an ffmpeg what it can do once, and the next start reads the answer', async () => {
  const asked = await askAnew()
  expect([...asked.filters]).toContain('gblur')
  expect([...asked.encoders]).toContain('libx264')
  await markKept('"gblur"', '"kept-blur"')
  const kept = await askAnew()
  expect([...kept.filters]).toContain('kept-blur')
  expect(kept.encoders).toEqual(asked.encoders)
  expect(kept.version).toBe(asked.version)
})

it('asks again when a program has changed, or what is kept cannot be read', async () => {
  const asked = await askAnew()
  await markKept('"programs":"', '"programs":"/older')
  expect([...(await askAnew()).filters]).toContain('gblur')
  await writeFile(file(), '{"programs":')
  expect([...(await askAnew()).filters]).toContain('gblur')
  expect((await askAnew()).encoders).toEqual(asked.encoders)
})
