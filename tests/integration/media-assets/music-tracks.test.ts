import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { readMusicTracks } from '#server/operations/core/music-tracks/list.ts'
import { beatsOf, learnMusicTracks } from '#server/operations/core/music-tracks/learn.ts'
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
  await learnMusicTracks(server.deps)

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
})

it('REC-10 hears the beats of a track whose list does not tell them, once', async () => {
  const folder = join(server.deps.settings.dataDir, 'music')
  await mkdir(folder, { recursive: true })
  const clicks = "aevalsrc='exp(-30*mod(t+0.425,0.625))*sin(2*PI*220*t)':duration=40"
  await ffmpeg(['-f', 'lavfi', '-i', clicks, join(folder, 'clicks.mp3')])
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=duration=40', join(folder, 'still.mp3')])
  const names = ['clicks', 'still']
  const licence = 'CC BY 4.0'
  await writeFile(
    join(folder, 'tracks.json'),
    JSON.stringify(names.map((name) => ({ file: `${name}.mp3`, name, licence, credit: null }))),
  )
  await learnMusicTracks(server.deps)
  const [clicking, still] = await Promise.all(
    names.map(async (name) => {
      const track = (await readMusicTracks(server.deps)).find((each) => each.name === name)
      if (track === undefined) throw new Error(`no track ${name}`)
      expect(await server.deps.store.head(track.beatsKey)).not.toBeNull()
      return await beatsOf(server.deps, track)
    }),
  )
  expect(still).toBeNull()
  if (clicking === null || clicking === undefined) throw new Error('no beats')
  // The last beat of a trailer, which has the errors of all before it.
  const lastMs = clicking.firstMs + 95 * (60_000 / clicking.perMinute)
  const away = ((lastMs - 200) / 625) % 1
  expect(Math.min(away, 1 - away) * 625).toBeLessThan(40)
})
