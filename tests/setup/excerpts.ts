import { readFile } from 'node:fs/promises'
import type { components } from '#openapi/schema.gen.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { earlyEdits, excerptNeed } from '#src/local/edits/excerpt-stretches.ts'
import { momentBoard, requestOfMoments } from '#src/local/edits/moment-boards.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { videoIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { probe } from '#tests/fixtures/probes.ts'
import type { TestClient } from './client.ts'
import { keptClip } from './kept.ts'
import { beginUpload, sendParts, type UploadRequest } from './upload.ts'

type Stretch = components['schemas']['ExcerptStretch']
type TaskRequest = components['schemas']['MediaJobTaskRequest']

export const WHOLE_MS = 120_000
/** An edit of the whole that takes little to make. */
export const COPY = { mediaJobTaskPresetSlug: 'example-low-resolution-video' } as const
const SOURCE: SourceProbe = probe({ durationMs: WHOLE_MS, width: 160, height: 90, frameRate: 12 })

/** A small video, of which excerpts are made. */
export async function wholeVideo(): Promise<Buffer> {
  return await readFile(await keptWhole())
}

/** The same video with its sound twice. */
export async function videoOfTwoSounds(): Promise<Buffer> {
  const twice = '-map 0:v -map 0:a -map 0:a -c copy'.split(' ')
  return await readFile(await keptClip('two-sounds.mp4', ['-i', await keptWhole(), ...twice]))
}

/** The same video as an MKV; with PCM it has 23 MB of sound. */
export async function videoInMatroska(sound: 'copy' | 'pcm_s16le' = 'copy'): Promise<Buffer> {
  const copied = ['-i', await keptWhole(), '-c', 'copy', '-c:a', sound]
  return await readFile(await keptClip('excerpts.mkv', copied))
}

async function keptWhole(): Promise<string> {
  const seconds = WHOLE_MS / 1000
  return await keptClip('excerpts.mp4', [
    ...`-f lavfi -i testsrc2=s=160x90:r=12:d=${seconds}`.split(' '),
    ...`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`.split(' '),
    ...'-c:v libx264 -preset ultrafast -g 24 -c:a aac -ac 2'.split(' '),
  ])
}

/** An edit with the moments that it shows by itself. */
export function withMoments(request: TaskRequest): TaskRequest {
  const { durationMs, width, height, frameRate } = SOURCE
  const source = { durationMs, width, height, frameRate, nominalRate: null }
  const found = momentBoard(request, {
    source,
    moments: [],
    pictures: null,
  } as unknown as Parameters<typeof momentBoard>[1])
  if (found === null) throw new Error('no board')
  return requestOfMoments(request, found.begin)
}

export interface MadeExcerpt {
  readonly bytes: Uint8Array
  readonly stretches: readonly Stretch[]
}

/** The excerpt that a device makes for these edits. */
export async function excerptFor(
  video: Uint8Array,
  requests: readonly TaskRequest[],
): Promise<MadeExcerpt> {
  const need = excerptNeed(earlyEdits(requests, SOURCE, () => true))
  return await excerptOf(video, need?.stretches ?? [])
}

/** The excerpt with these stretches. */
export async function excerptOf(
  video: Uint8Array,
  stretches: readonly Stretch[],
): Promise<MadeExcerpt> {
  const whole = fileSource(new File([new Uint8Array(video)], 'beach day.mp4'))
  const index = await videoIndexOf(whole)
  const planned = index.ok ? await index.value.planExcerpt(stretches) : index
  if (!planned.ok) throw new Error(planned.error.code)
  const read = await composedSource(whole, planned.value).read(0, planned.value.sizeBytes)
  if (!read.ok) throw new Error(read.error.kind)
  return { bytes: new Uint8Array(read.value), stretches: [...stretches] }
}

/** Sends all parts of an upload and completes it. */
export async function completeUpload(client: TestClient, upload: UploadRequest, bytes: Uint8Array) {
  const parts = await sendParts(client, upload, bytes)
  return await client.patch(`/v1/upload-requests/${upload._id}`, {
    uploadRequest: { upload: { parts } },
  })
}

/** Sends an excerpt of an upload; returns its id. */
export async function sendExcerpt(
  client: TestClient,
  uploadRequestId: string,
  { bytes, stretches }: MadeExcerpt,
): Promise<string> {
  const upload = await beginUpload(client, bytes.length, {
    excerpt: { uploadRequestId, stretches: [...stretches] },
  })
  const answer = await completeUpload(client, upload, bytes)
  if (answer.status !== 200) throw new Error(`Completing an excerpt answered ${answer.status}`)
  return upload._id
}
