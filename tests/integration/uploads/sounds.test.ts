import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { bytesOf, madeBy } from '#tests/setup/moments.ts'
import { attestation, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

type UploadSounds = components['schemas']['UploadSounds']
type Order = components['schemas']['Order']

let server: TestServer
let me: SignedUp
let folder: string
let path: string
/** The upload that the tests of this file share, in their order. */
let id = ''

const words = (text: string): readonly string[] => text.split(' ')
const tone = (hertz: number, seconds: number, volume = 1): readonly string[] =>
  words(
    `-f lavfi -i sine=frequency=${hertz}:sample_rate=48000:duration=${seconds},volume=${volume}`,
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-sounds-'))
  // The last sound outlasts the picture by a minute, which the edits hold.
  path = await keptClip('sounds.mkv', [
    ...words('-f lavfi -i testsrc2=size=160x90:rate=25:duration=3'),
    ...tone(440, 3, 0.2),
    ...tone(880, 3),
    ...words('-f lavfi -i anullsrc=r=48000:cl=stereo:d=3'),
    ...tone(1320, 62),
    ...words('-map 0 -map 1 -map 2 -map 3 -map 4 -metadata:s:a:1 language=ger'),
    ...words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'),
    ...words('-metadata:s:a:1 title=Mikrofon'),
  ])
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  readonly uploadSounds: UploadSounds
  readonly error?: { readonly code: string }
}
const at = (): string => `/v1/upload-requests/${id}/sounds`
const read = async (): Promise<UploadSounds> =>
  (await me.client.get<Answer>(at())).body.uploadSounds
const choose = async (sound: number, who = me) => {
  const { status, body } = await who.client.call<Answer>('PUT', at(), { body: { sound } })
  return status === 200 ? body.uploadSounds : [status, body.error?.code]
}
const findings = async (): Promise<UploadRequest['findings']> =>
  (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)).body
    .uploadRequest.findings
const taken = ({ sounds }: UploadSounds): readonly number[] =>
  sounds.flatMap(({ number, isTaken }) => (isTaken ? [number] : []))

/** The pitch of a file that holds one tone: a wave crosses zero twice. */
const hertzOf = async (file: string): Promise<number> => {
  const key = 'lavfi.astats.1.Zero_crossings_rate'
  const meter = `aformat=channel_layouts=mono,aresample=48000,astats=metadata=1,ametadata=mode=print:key=${key}:file=-`
  const printed = await ffmpeg(['-i', file, '-vn', '-af', meter, '-f', 'null', '-'])
  return (Number(printed.trim().split(`${key}=`).at(-1)) * 48_000) / 2
}

it('SRC-01 a choice made before the check is followed by it, and the list says what is heard', async () => {
  id = (await uploadFile(me.client, path))._id
  expect(await choose(2)).toEqual({ _id: id, isChecked: false, chosen: 2, sounds: [] })
  await validateUpload(server.deps, {
    uploadRequestId: id,
    signal: AbortSignal.timeout(patience(60)),
  })
  const known = await read()
  expect(known).toMatchObject({ isChecked: true, chosen: 2 })
  expect(taken(known)).toEqual([2])
  expect(
    known.sounds.map(({ number, isUsual, language, title, videoDuration }) => [
      number,
      isUsual,
      language,
      title,
      videoDuration,
    ]),
  ).toEqual([
    [1, true, null, null, 3000],
    [2, false, 'ger', 'Mikrofon', 3000],
    [4, false, null, null, expect.closeTo(62_000, -2)],
  ])
  const [quiet, loud, long] = known.sounds
  expect((loud?.loudness ?? 0) - (quiet?.loudness ?? 0)).toBeCloseTo(14, 0)
  expect([quiet?.duration, long?.duration]).toEqual([
    expect.closeTo(3000, -2),
    expect.closeTo(62_000, -2),
  ])
  expect(await findings()).toContainEqual({
    ruleId: 'A15',
    verdict: 'info',
    facts: { kind: 'sound', count: 4, taken: 2 },
  })
})

it('SRC-01 only a sound of the list is stored, only for its owner, and repeating changes nothing', async () => {
  expect(await choose(3)).toEqual([422, 'uploads/no-such-sound'])
  expect(await choose(1, await server.signUp())).toEqual([404, 'uploads/not-found'])
  expect((await read()).chosen).toBe(2)
  const first = await choose(1)
  expect(await choose(1)).toEqual(first)
  expect(taken(await read())).toEqual([1])
})

it('SRC-01 an order without a payment follows the length of the chosen sound, and the edit holds the sound', async () => {
  const { _id } = await requestEdits(me.client, id, [
    { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: 'mine' } },
  ])
  const priceNow = async (): Promise<number | undefined> => {
    const { body } = await me.client.get<{ orders: Order[] }>(`/v1/media-jobs/${_id}/orders`)
    return body.orders[0]?.remainingPayableCoinAmount
  }
  await me.client.post('/v1/orders', { order: { mediaJobId: _id, attestation } })
  const short = await priceNow()
  await choose(4)
  expect(await priceNow()).toBe(2 * (short ?? 0))
  await choose(2)
  expect(await priceNow()).toBe(short)
  await payFor(me.client, _id)
  const { outputs } = await madeBy(server, me.client, _id)
  const [output] = outputs
  if (output?.kind !== 'download-button') throw new Error('no file')
  const edit = join(folder, 'edit.mp4')
  await writeFile(edit, await bytesOf(me.client, output.downloadUrl))
  expect(await hertzOf(edit)).toBeCloseTo(880, -2)
})
