import { STEP_BYTES } from './kept-bytes.ts'
import { httpFailure, isTransient, statusOf } from '#src/api/errors.ts'
import { API_BASE, USER_HEADER } from '#src/config/paths.ts'
import type { KeptFileFault, KeptFileRow } from '#src/local/db/rows.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** A line that brings nothing in this time is broken. */
const SILENT_MS = 30 * SECOND_MS

export interface FetchStepDeps {
  readonly origin: string
  readonly userId: string
  readonly clock: Clock
  readonly fetch: (request: Request) => Promise<Response>
}

export type StepFailure =
  | { readonly code: 'kept/fault'; readonly fault: KeptFileFault }
  /** It passes: the network, the session, the server. */
  | { readonly code: 'kept/later'; readonly retryAfterMs: number | null }

/**
 * Asks the server for the next step of a file. Not by the API's client, whose calls end after 15 s
 * as a whole: here only silence ends one. Rejects when the signal aborts.
 */
export async function fetchStep(
  deps: FetchStepDeps,
  { outputId, taskId, sizeBytes }: Pick<KeptFileRow, 'outputId' | 'taskId' | 'sizeBytes'>,
  fromBytes: number,
  signal: AbortSignal,
): Promise<Result<Blob, StepFailure>> {
  const toBytes = Math.min(fromBytes + STEP_BYTES, sizeBytes)
  const eTag = `"${outputId}"`
  const path = `${API_BASE}/v1/media-job-tasks/${taskId}/outputs/${outputId}/download`
  const watch = watchSilence(deps.clock, signal)
  try {
    const response = await deps.fetch(
      new Request(new URL(path, deps.origin), {
        headers: {
          [USER_HEADER]: deps.userId,
          range: `bytes=${fromBytes}-${toBytes - 1}`,
          'if-range': eTag,
        },
        cache: 'no-store',
        signal: watch.signal,
      }),
    )
    if (!response.ok) return err(await refusalOf(response))
    // A file never changes under its tag; another tag, or none, is not the server's answer.
    if (response.headers.get('etag') !== eTag) return err(LATER)
    const skipped = response.status === 206 ? 0 : fromBytes
    const bytes = await readPart(response, skipped, toBytes - fromBytes, watch.heard)
    return bytes === null ? err(LATER) : ok(bytes)
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof TypeError || watch.signal.aborted) return err(LATER)
    throw thrown
  } finally {
    watch.end()
  }
}

const LATER = { code: 'kept/later', retryAfterMs: null } as const

async function refusalOf(response: Response): Promise<StepFailure> {
  const retryAfterMs = retryAfterToMs(response.headers.get('Retry-After'), Date.now())
  const body: unknown = await response.json().catch(() => null)
  const failure = httpFailure(response.status, body, retryAfterMs)
  const status = statusOf(failure)
  // A session that ended comes back.
  if (isTransient(failure) || status === 401) return { ...LATER, retryAfterMs }
  return { code: 'kept/fault', fault: status === 404 || status === 410 ? 'gone' : 'refused' }
}

/** `size` bytes of an answer behind those that are skipped; null where there are fewer. */
async function readPart(
  { body }: Response,
  skipped: number,
  size: number,
  heard: () => void,
): Promise<Blob | null> {
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  while (reader !== undefined && at < skipped + size) {
    const { value, done } = await reader.read()
    if (done) return null
    heard()
    parts.push(value.subarray(Math.max(0, skipped - at), Math.max(0, skipped + size - at)))
    at += value.length
  }
  // Of an answer that is the whole file the rest is not wanted.
  await reader?.cancel().catch(() => undefined)
  return reader === undefined ? null : new Blob(parts)
}

/** A signal that also ends what has brought nothing for a time. */
function watchSilence(clock: Clock, outer: AbortSignal) {
  const silence = new AbortController()
  let timer = new AbortController()
  const wait = (): void => {
    timer = new AbortController()
    clock.sleep(SILENT_MS, timer.signal).then(
      () => silence.abort(),
      () => undefined,
    )
  }
  wait()
  return {
    signal: AbortSignal.any([outer, silence.signal]),
    heard: () => {
      timer.abort()
      wait()
    },
    end: () => timer.abort(),
  }
}
