import { expect, test } from 'vitest'
import { USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { keptFileAddress, keptFileOf } from '#src/config/paths.ts'
import { newDataKey, sealKeysOf } from '#src/local/db/seal.ts'
import { createKeptBytes } from '#src/local/kept/kept-bytes.ts'
import { answerWith } from '#workers/service/kept-answer.ts'

const FILM = 'ftypisom moov, and then the pictures'
const FILE = {
  userId: USER_ID,
  outputId: 'o',
  sizeBytes: FILM.length,
  fileName: 'a day at the beach.mp4',
  contentType: 'video/mp4',
}

test('PHO-06 the service worker answers a player with the range that it asks for of a sealed file, and keeps nothing', async () => {
  const files = createFakeFiles()
  const keys = await sealKeysOf(newDataKey())
  await createKeptBytes(files.open, USER_ID, keys).write('o', 0, new Blob([FILM]))
  const ask = async (range: string | null) => {
    const { status, headers, body } = answerWith(files.open, keys, FILE, range)
    return [status, headers.get('content-range'), await new Response(body).text()]
  }
  expect(await ask(null)).toEqual([200, null, FILM])
  expect(await ask('bytes=0-')).toEqual([206, `bytes 0-35/36`, FILM])
  expect(await ask('bytes=4-7')).toEqual([206, 'bytes 4-7/36', 'isom'])
  expect(await ask('bytes=30-99')).toEqual([206, 'bytes 30-35/36', FILM.slice(30)])
  expect(await ask('bytes=36-')).toEqual([416, 'bytes */36', ''])
  const { headers } = answerWith(files.open, keys, FILE, null)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-disposition')).toContain('a%20day%20at%20the%20beach.mp4')
  const address = new URL(keptFileAddress(FILE), 'http://localhost')
  expect(keptFileOf(address)).toEqual(FILE)
  expect(keptFileOf(new URL('http://localhost/edits'))).toBeNull()
})
