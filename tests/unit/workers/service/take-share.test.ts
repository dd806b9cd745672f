import { afterEach, expect, it, vi } from 'vitest'
import { USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { readSharedFiles } from '#src/local/db/shared-files.ts'
import { takeShare } from '#workers/service/take-share.ts'

const ORIGIN = 'http://localhost'
const BOUNDARY = 'x'
const head = (name: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="video"; filename="${name}"\r\nContent-Type: video/mp4\r\n\r\n`
const WHOLE = `${head('beach day.mp4')}bytes\r\n--${BOUNDARY}--\r\n`

afterEach(() => vi.unstubAllGlobals())

it('PHO-03: what is shared is written, listed and offered', async () => {
  const world = createWorld()
  expect(await world.share(WHOLE)).toMatch(/^\/uploads\/new\?shared=\d+-/)
  const db = await openDeviceDb()
  const listed = await readSharedFiles(db, USER_ID)
  expect(listed).toMatchObject([{ name: 'beach day.mp4', sizeBytes: 5 }])
  expect(world.shares()).toHaveLength(1)
  db.close()
})

it('PHO-03: a share without any file is missed', async () => {
  const world = createWorld()
  expect(await world.share(`${head('')}\r\n--${BOUNDARY}--\r\n`)).toBe('/uploads/new?shared=missed')
})

it('PHO-03: a share for which there is no room says so, also where the browser says something else, and leaves no file', async () => {
  expectNoise(/a share was not taken/)
  for (const said of ['QuotaExceededError', 'NotReadableError', 'AbortError'])
    for (const failing of ['write', 'close'] as const) {
      const world = createWorld({ [failing]: said })
      expect([said, failing, await world.share(WHOLE)]).toEqual([
        said,
        failing,
        '/uploads/new?shared=full',
      ])
      expect(world.shares()).toEqual([])
    }
})

it('PHO-03: a share that breaks off, or finds no storage, is missed, and leaves no file', async () => {
  expectNoise(/a share was not taken/)
  const world = createWorld()
  expect(await world.share(`${head('beach day.mp4')}byt`)).toBe('/uploads/new?shared=missed')
  const refuse = async () => Promise.reject(new Error('no storage'))
  vi.stubGlobal('navigator', { storage: { ...navigator.storage, estimate: refuse } })
  expect(await world.share(WHOLE)).toBe('/uploads/new?shared=missed')
  expect(world.shares()).toEqual([])
})

/** @param refusals what the browser says of each write, or of the end of one */
function createWorld(refusals: { readonly write?: string; readonly close?: string } = {}) {
  const files = createFakeFiles(refusals)
  const storage = { getDirectory: files.open, estimate: async () => ({}) }
  vi.stubGlobal('navigator', { storage })
  return {
    share: async (body: string) => {
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
      const request = new Request(`${ORIGIN}/share-target`, { method: 'POST', body, headers })
      const answer = await takeShare(request, ORIGIN)
      return (answer.headers.get('location') ?? '').slice(ORIGIN.length)
    },
    shares: () => {
      const folder = files.root.children.get('shared')
      return folder?.kind === 'directory' ? [...folder.children.keys()] : []
    },
  }
}
