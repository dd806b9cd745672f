import type { KeptFileAddress } from '#src/config/paths.ts'
import type { OpenFiles } from '#src/local/db/account-files.ts'
import type { SealKeys } from '#src/local/db/seal.ts'
import { openKeptRange } from '#src/local/kept/kept-bytes.ts'

const CLOSED = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The answer while no page has the keys. */
export function lockedAnswer(): Response {
  return new Response('This file is locked.', { status: 403, headers: CLOSED })
}

/** The answer to a request for a kept file, of which a range may be asked for. */
export function answerWith(
  openFiles: OpenFiles,
  keys: SealKeys,
  asked: KeptFileAddress,
  range: string | null,
): Response {
  const { sizeBytes, fileName, contentType } = asked
  const wanted = rangeOf(range, sizeBytes)
  if (wanted === 'outside')
    return new Response(null, {
      status: 416,
      headers: { ...CLOSED, 'content-range': `bytes */${sizeBytes}` },
    })
  const [from, to] = wanted ?? [0, sizeBytes]
  const chunks = openKeptRange(openFiles, keys, asked, from, to)
  return new Response(streamOf(chunks), {
    status: wanted === null ? 200 : 206,
    headers: {
      ...CLOSED,
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      'content-length': String(to - from),
      'content-type': contentType,
      ...(wanted === null ? {} : { 'content-range': `bytes ${from}-${to - 1}/${sizeBytes}` }),
    },
  })
}

/** From and before which byte; null for the whole, also for what browsers never ask for. */
function rangeOf(
  range: string | null,
  sizeBytes: number,
): readonly [number, number] | 'outside' | null {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) return null
  const end = to === '' ? sizeBytes : Math.min(Number(to) + 1, sizeBytes)
  return Number(from) < end ? [Number(from), end] : 'outside'
}

/** Opens a chunk when the player is ready for it. */
function streamOf(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const next: IteratorResult<Uint8Array<ArrayBuffer>, unknown> = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
