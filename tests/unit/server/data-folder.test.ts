import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeDataFolder } from '#server/data-folder.ts'

async function newPlace(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'onecut-modes-'))
  onTestFinished(async () => await rm(place, { recursive: true }))
  return join(place, 'data')
}

/** The modes of the data folder and of what is in it, by name. */
async function modesOf(data: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(data)).toSorted()]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(data, name))).mode))
  return Object.fromEntries(
    names.map((name, at) => [name, ((modes[at] ?? 0) & 0o777).toString(8)] as const),
  )
}

it('TRU-03 the folders of a server are closed to others, or passed through where it is root', async () => {
  const own = await newPlace()
  await makeDataFolder({ dataDir: own, scratchDir: join(own, 'scratch') }, false)
  expect(await modesOf(own)).toEqual({ '.': '700', scratch: '700', store: '700' })
  const root = await newPlace()
  await makeDataFolder({ dataDir: root, scratchDir: join(root, 'scratch') }, true)
  expect(await modesOf(root)).toEqual({ '.': '711', scratch: '711', store: '700' })
})

it('TRU-03 a start takes from others what folders of before gave them, and from the group of the data folder nothing', async () => {
  const data = await newPlace()
  await mkdir(join(data, 'scratch'), { recursive: true })
  await chmod(data, 0o755)
  await chmod(join(data, 'scratch'), 0o777)
  await makeDataFolder({ dataDir: data, scratchDir: join(data, 'scratch') }, true)
  expect(await modesOf(data)).toEqual({ '.': '751', scratch: '711', store: '700' })
  await makeDataFolder({ dataDir: data, scratchDir: join(data, 'scratch') }, false)
  expect(await modesOf(data)).toEqual({ '.': '750', scratch: '700', store: '700' })
})
