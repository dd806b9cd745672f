import { STEP_BYTES } from './kept-bytes.ts'
import { httpFailure, isTransient, statusOf } from '#src/api/errors.ts'
import { jsonOf } from '#src/api/foreign-answer.ts'
import { API_BASE, USER_HEADER } from '#src/config/paths.ts'
import type { KeptFileFault, KeptFileRow } from '#src/local/db/rows.ts'
import { retryAfterToMs } from '#src/lib/backoff.ts'
import { readTextAtMost } from '#src/lib/read-at-most.ts'
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

type FileAsked = Pick<KeptFileRow, 'outputId' | 'taskId' | 'sizeBytes'>

/** A request for a file from one byte, to before another or its end. */
export function downloadRequest(
  { origin, userId }: Pick<FetchStepDeps, 'origin' | 'userId'>,
  { outputId, taskId, sizeBytes }: FileAsked,
  range: {
    readonly fromBytes: number
    readonly toBytes?: number
    readonly method?: 'HEAD'
    readonly signal?: AbortSignal
  },
): Request {
  const path = `${API_BASE}/v1/media-job-tasks/${taskId}/outputs/${outputId}/download`
  const { fromBytes, toBytes = sizeBytes, method = 'GET', signal = null } = range
  return new Request(new URL(path, origin), {
    method,
    headers: {
      [USER_HEADER]: userId,
      range: `bytes=${fromBytes}-${toBytes - 1}`,
      'if-range': tagOf(outputId),
    },
    cache: 'no-store',
    signal,
  })
}

/** A file never changes under its tag; another tag, or none, is not the server's answer. */
export function isOfFile(response: Response, outputId: string): boolean {
  return response.ok && response.headers.get('etag') === tagOf(outputId)
}

function tagOf(outputId: string): string {
  return `"${outputId}"`
}

/** Whether the server would give this file now. */
export async function isAnswering(deps: FetchStepDeps, row: FileAsked): Promise<boolean> {
  const signal = AbortSignal.timeout(SILENT_MS)
  const request = downloadRequest(deps, row, { fromBytes: 0, method: 'HEAD', signal })
  return deps.fetch(request).then(
    (response) => isOfFile(response, row.outputId),
    () => false,
  )
}

/**
 * Asks the server for the next step of a file. Not by the API's client, whose calls end after 15 s
 * as a whole: here only silence ends one. Rejects when the signal aborts.
 */
export async function fetchStep(
  deps: FetchStepDeps,
  row: FileAsked,
  fromBytes: number,
  signal: AbortSignal,
): Promise<Result<Blob, StepFailure>> {
  const toBytes = Math.min(fromBytes + STEP_BYTES, row.sizeBytes)
  const watch = watchSilence(deps.clock, signal)
  try {
    const request = downloadRequest(deps, row, { fromBytes, toBytes, signal: watch.signal })
    const response = await deps.fetch(request)
    if (!response.ok) return err(await refusalOf(response))
    if (!isOfFile(response, row.outputId)) return err(LATER)
    const read = readSteps(response, fromBytes, toBytes, watch.heard)
    const { value } = await read.next()
    // Of an answer that is the whole file the rest is not wanted.
    await read.return(undefined)
    return value === undefined ? err(LATER) : ok(value)
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof TypeError || watch.signal.aborted) return err(LATER)
    throw thrown
  } finally {
    watch.end()
  }
}

const LATER = { code: 'kept/later', retryAfterMs: null } as const

/** More than the server says of why it gives no file. */
const REFUSAL_MAX_BYTES = 64 * 1_024

async function refusalOf(response: Response): Promise<StepFailure> {
  const retryAfterMs = retryAfterToMs(response.headers.get('Retry-After'), Date.now())
  const text = await readTextAtMost(response, REFUSAL_MAX_BYTES).catch(() => null)
  const body = text === null ? null : jsonOf(text)
  const failure = httpFailure(response.status, body, retryAfterMs)
  const status = statusOf(failure)
  // A session that ended comes back.
  if (isTransient(failure) || status === 401) return { ...LATER, retryAfterMs }
  return { code: 'kept/fault', fault: status === 404 || status === 410 ? 'gone' : 'refused' }
}

/**
 * What an answer has of a file from one byte to before another, as the steps that begin there; an
 * answer that is the whole file, too. Ends early where it has fewer. Rejects where the line breaks.
 */
export async function* readSteps(
  { body, status }: Response,
  fromBytes: number,
  toBytes: number,
  heard: () => void = () => undefined,
): AsyncGenerator<Blob, undefined> {
  const reader = body?.getReader()
  let skipped = status === 206 ? 0 : fromBytes
  let from = fromBytes
  let parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    while (reader !== undefined && from < toBytes) {
      const { value, done } = await reader.read()
      if (done) return
      heard()
      let bytes = value.subarray(Math.min(skipped, value.length))
      skipped -= value.length - bytes.length
      while (bytes.length > 0 && from < toBytes) {
        const part = bytes.subarray(0, Math.min(STEP_BYTES, toBytes - from) - size)
        bytes = bytes.subarray(part.length)
        parts.push(part)
        size += part.length
        if (size < Math.min(STEP_BYTES, toBytes - from)) continue
        yield new Blob(parts)
        from += size
        parts = []
        size = 0
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
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
