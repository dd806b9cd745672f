import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { storeMusicPreviews } from '#server/operations/music-tracks/previews.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type MusicTrack = components['schemas']['MusicTrack']

let server: TestServer
let me: SignedUp
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(() => server.stop())

async function tracks(): Promise<readonly MusicTrack[]> {
  return (await me.client.get<{ musicTracks: MusicTrack[] }>('/v1/music-tracks')).body.musicTracks
}

it('OPT-08 lists our music and that of the operator, newest first, and plays a piece of each', async () => {
  const ours = await tracks()
  expect(ours.map(({ name, previewUrl, credit }) => [name, previewUrl, credit])).toEqual([
    ['Slow Tide', null, null],
    ['Night Drive', null, null],
    ['Bright Steps', null, null],
  ])
  const folder = join(server.deps.settings.dataDir, 'music')
  await mkdir(folder)
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=duration=40', join(folder, 'theirs.mp3')])
  const theirs = { file: 'theirs.mp3', name: 'Theirs', licence: 'CC BY 4.0', credit: 'A. Artist' }
  const list = join(folder, 'tracks.json')
  await writeFile(list, JSON.stringify([theirs, { ...theirs, file: 'gone.mp3' }]))
  await storeMusicPreviews(server.deps)

  const all = await tracks()
  expect(all.map(({ name }) => name).toSorted()).toEqual([
    'Bright Steps',
    'Night Drive',
    'Slow Tide',
    'Theirs',
  ])
  expect(all.map(({ _id }) => _id)).toEqual(expect.arrayContaining(ours.map(({ _id }) => _id)))
  for (const { name, previewUrl } of all) {
    const piece = await me.client.get(previewUrl?.replace('/editors/api', '') ?? name)
    expect([name, piece.status, piece.headers.get('content-type')]).toEqual([
      name,
      200,
      'audio/mp4',
    ])
    expect(piece.bytes.length).toBeGreaterThan(100_000)
  }

  // A list with a path in it is not read, and ours stay.
  await writeFile(list, JSON.stringify([{ ...theirs, file: '../keys.json' }]))
  expect((await tracks()).map(({ name }) => name)).toEqual(ours.map(({ name }) => name))
  expect(server.logged.map(({ event }) => event)).toContain('music/not-listed')
}, 60_000)
