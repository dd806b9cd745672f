import { createHash } from 'node:crypto'
import type { PutOutcome } from '#src/local/uploads/transfer/answers.ts'
import type {
  PartRequest,
  PartTransport,
  ServerUpload,
  UploadApi,
  UploadApiProblem,
} from '#src/local/uploads/ports.ts'
import { idleLimitMs } from '#src/local/uploads/network/watchdog.ts'
import type { Clock } from '#src/lib/time.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { MemoryBlob } from './upload-bytes.ts'
import { createFakeNetwork, type FakeNetwork } from './upload-network.ts'

interface StoredPart {
  readonly eTag: string
  readonly bytes: Uint8Array
}
interface StoredUpload {
  readonly id: string
  readonly key: string
  readonly sizeBytes: number
  readonly parts: Map<number, StoredPart>
  state: ServerUpload['state']
}

/** What happens to one PUT; null = nothing. */
export type Fault =
  | { readonly kind: 'reset'; readonly afterShare: number }
  /** The bytes arrive and count, but the answer is lost. */
  | { readonly kind: 'answer-lost' }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterMs?: number
      readonly errorCode?: string
    }
  | { readonly kind: 'html' }
  | { readonly kind: 'no-etag' }
  | { readonly kind: 'bit-flip' }
  | { readonly kind: 'black-hole' }
  /** Nothing is read: the sender's buffers take some bytes, then the watchdog decides. */
  | { readonly kind: 'hole'; readonly bufferBytes: number }
  /**
   * A proxy takes the part at once and passes it on slowly: `eachMs` for a part alone; parts in
   * flight share its network.
   */
  | { readonly kind: 'swallowed'; readonly eachMs: number }

const MINUTE_MS = 60_000
/** A part that takes longer reports progress this often. */
const PROGRESS_MS = 1_000

/**
 * An honest upload server in memory: keeps bytes, checks sizes and SHA-256, signs URLs that expire,
 * completes only whole files. `ledger` counts what the tests assert.
 */
export interface FakeUploadServer {
  readonly api: UploadApi
  readonly transport: PartTransport
  readonly ledger: {
    storageChecks: number
    puts: number
    maxConcurrentPuts: number
    concurrentPuts: number
    receivedBytes: number
    creates: number
    completes: number
    aborts: number
    pings: number
  }
  faultOf: (partNumber: number, attempt: number) => Fault | null
  /** While it is not null, every API call fails with it. */
  apiProblem: UploadApiProblem | null
  /** Speed of each part, however many there are. */
  bytesPerMs: number
  /** Replaces `bytesPerMs`: a network that all parts share. */
  network: FakeNetwork | null
  /** Parts in flight on a network stall from now on, until their watchdogs end them. */
  breakConnections(): void
  /** Called when the first byte of an attempt arrives over a network. */
  onFirstByte: () => void
  urlLifeMs: number
  isForeign: boolean
  /** Whether the storage answers storage checks. */
  isStorageThere: boolean
  uploads(): readonly StoredUpload[]
  /** The completed file; null while it is not complete. */
  content(uploadId: string): Uint8Array | null
  losePart(uploadId: string, partNumber: number): void
  validate(uploadId: string, verdict: 'validated' | 'failed'): void
  autoValidates: boolean
}

export function createFakeUploadServer(clock: Clock, partSizeBytes: number): FakeUploadServer {
  const stored = new Map<string, StoredUpload>()
  const attempts = new Map<string, number>()
  const network = createFakeNetwork(clock)
  let breaking = new AbortController()
  const ledger = {
    storageChecks: 0,
    puts: 0,
    maxConcurrentPuts: 0,
    concurrentPuts: 0,
    receivedBytes: 0,
    creates: 0,
    completes: 0,
    aborts: 0,
    pings: 0,
  }
  const sizeOf = (upload: StoredUpload, n: number): number =>
    Math.min(partSizeBytes, upload.sizeBytes - (n - 1) * partSizeBytes)
  const countOf = (upload: StoredUpload): number => Math.ceil(upload.sizeBytes / partSizeBytes)

  const view = (upload: StoredUpload): ServerUpload => ({
    uploadRequestId: upload.id,
    state: upload.state,
    failureReason: upload.state === 'failed' ? 'This is not a video file.' : null,
    parts: Array.from({ length: countOf(upload) }, (_, index) => {
      const part = upload.parts.get(index + 1)
      const url =
        part === undefined && upload.state === 'open'
          ? `https://store.test/${upload.id}/${index + 1}?until=${clock.now() + server.urlLifeMs}`
          : null
      return {
        partNumber: index + 1,
        sizeBytes: sizeOf(upload, index + 1),
        url,
        eTag: part?.eTag ?? null,
        storedBytes: part?.bytes.byteLength ?? null,
      }
    }),
  })
  const call = async <T>(
    signal: AbortSignal,
    work: () => Result<T, UploadApiProblem>,
  ): Promise<Result<T, UploadApiProblem>> => {
    try {
      await clock.sleep(20, signal)
    } catch {
      return err({ kind: 'silent' })
    }
    return server.apiProblem === null ? work() : err(server.apiProblem)
  }
  const known = (
    id: string,
    work: (upload: StoredUpload) => Result<ServerUpload, UploadApiProblem>,
  ): Result<ServerUpload, UploadApiProblem> => {
    const upload = stored.get(id)
    return upload === undefined ? err({ kind: 'gone' }) : work(upload)
  }

  const receive = (request: PartRequest, fault: Fault | null): PutOutcome => {
    const [, id = '', n = '0'] = new URL(request.url).pathname.split('/')
    const upload = stored.get(id)
    const partNumber = Number(n)
    if (clock.now() > Number(new URL(request.url).searchParams.get('until'))) return answer(403)
    if (upload === undefined || upload.state !== 'open')
      return answer(404, { errorCode: 'NoSuchUpload' })
    if (fault?.kind === 'status')
      return answer(fault.status, {
        retryAfterMs: fault.retryAfterMs ?? null,
        errorCode: fault.errorCode ?? null,
      })
    if (fault?.kind === 'html') return { ...answer(200), isFromStore: false }
    const bytes = Uint8Array.from(contentOf(request.body))
    ledger.receivedBytes += bytes.byteLength
    if (fault?.kind === 'bit-flip' && bytes[0] !== undefined) bytes[0] ^= 1
    if (bytes.byteLength !== sizeOf(upload, partNumber))
      return answer(400, { errorCode: 'parts/wrong-size' })
    if (createHash('sha256').update(bytes).digest('base64') !== request.sha256)
      return answer(400, { errorCode: 'BadDigest' })
    const eTag = `etag-${partNumber}-${createHash('md5').update(bytes).digest('hex')}`
    upload.parts.set(partNumber, { eTag, bytes })
    if (fault?.kind === 'answer-lost')
      return { kind: 'silence', didStall: false, movedBytes: bytes.byteLength }
    return answer(200, { eTag: fault?.kind === 'no-etag' ? null : eTag })
  }

  const hang = async (request: PartRequest, bufferBytes: number): Promise<PutOutcome> => {
    if (bufferBytes > 0) request.onSent(Math.min(request.body.size, bufferBytes))
    await clock.sleep(
      idleLimitMs(
        bufferBytes < request.body.size ? 'sending' : 'responding',
        request.body.size,
        request.pace,
      ),
      request.signal,
    )
    return { kind: 'silence', didStall: true, movedBytes: Math.min(request.body.size, bufferBytes) }
  }

  const put = async (request: PartRequest): Promise<PutOutcome> => {
    const key = new URL(request.url).pathname
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    const fault = server.faultOf(Number(key.split('/')[2]), attempt)
    ledger.puts += 1
    ledger.concurrentPuts += 1
    ledger.maxConcurrentPuts = Math.max(ledger.maxConcurrentPuts, ledger.concurrentPuts)
    try {
      if (fault?.kind === 'black-hole') {
        await clock.sleep(60_000, request.signal)
        return { kind: 'silence', didStall: true, movedBytes: 0 }
      }
      if (fault?.kind === 'hole') return await hang(request, fault.bufferBytes)
      if (fault?.kind === 'swallowed') {
        request.onSent(request.body.size)
        const limitMs = idleLimitMs('responding', request.body.size, request.pace)
        let leftMs = fault.eachMs
        for (let waitedMs = 0; leftMs > 0 && waitedMs < limitMs; waitedMs += PROGRESS_MS) {
          await clock.sleep(PROGRESS_MS, request.signal)
          leftMs -= PROGRESS_MS / ledger.concurrentPuts
        }
        return leftMs <= 0
          ? receive(request, null)
          : { kind: 'silence', didStall: true, movedBytes: request.body.size }
      }
      const share = fault?.kind === 'reset' ? fault.afterShare : 1
      const bytes = request.body.size * share
      const { network: shared } = server
      if (shared !== null) {
        const cut = breaking.signal
        const heard = once(() => server.onFirstByte())
        let sentBytes = 0
        try {
          await network.send(
            () => server.network ?? shared,
            bytes,
            (sent) => {
              heard()
              sentBytes = sent
              request.onSent(sent)
            },
            AbortSignal.any([request.signal, cut]),
          )
        } catch (thrown) {
          if (!cut.aborted || request.signal.aborted) throw thrown
          return await hang(request, sentBytes)
        }
      } else {
        const forMs = 1 + bytes / server.bytesPerMs
        const steps = Math.ceil(forMs / PROGRESS_MS)
        for (let step = 1; step <= steps; step += 1) {
          await clock.sleep(forMs / steps, request.signal)
          request.onSent(Math.floor((bytes * step) / steps))
        }
      }
      return fault?.kind === 'reset'
        ? { kind: 'silence', didStall: false, movedBytes: Math.floor(request.body.size * share) }
        : receive(request, fault)
    } finally {
      ledger.concurrentPuts -= 1
    }
  }

  const server: FakeUploadServer = {
    ledger,
    faultOf: () => null,
    apiProblem: null,
    bytesPerMs: 1,
    network: null,
    urlLifeMs: 3_600_000,
    isForeign: false,
    isStorageThere: true,
    autoValidates: true,
    api: {
      create: (row, signal) =>
        call(signal, () => {
          const before = Array.from(stored.values()).find(
            (upload) => upload.key === row.idempotencyKey,
          )
          if (before !== undefined)
            return before.sizeBytes === row.file.sizeBytes
              ? ok(view(before))
              : err({ kind: 'parts-differ' })
          ledger.creates += 1
          const upload: StoredUpload = {
            id: `server-${ledger.creates}`,
            key: row.idempotencyKey,
            sizeBytes: row.file.sizeBytes,
            parts: new Map(),
            state: 'open',
          }
          stored.set(upload.id, upload)
          return ok(view(upload))
        }),
      read: (id, signal) =>
        call(signal, () =>
          known(id, (upload) => {
            const seen = view(upload)
            if (upload.state === 'completed' && server.autoValidates) upload.state = 'validated'
            return ok(seen)
          }),
        ),
      complete: (id, parts, signal) =>
        call(signal, () =>
          known(id, (upload) => {
            if (upload.state === 'aborted') return err({ kind: 'gone' })
            if (upload.state !== 'open') return ok(view(upload))
            if (
              parts.length !== countOf(upload) ||
              parts.some((part) => upload.parts.get(part.partNumber)?.eTag !== part.eTag)
            )
              return err({ kind: 'parts-differ' })
            ledger.completes += 1
            upload.state = 'completed'
            return ok(view(upload))
          }),
        ),
      ping: async (signal) => {
        ledger.pings += 1
        const answer = await call(signal, () => ok(undefined)).catch(() => null)
        return answer !== null && (answer.ok || answer.error.kind !== 'silent')
      },
      abort: (id, signal) =>
        call(signal, () => {
          const upload = stored.get(id)
          if (upload === undefined) return err({ kind: 'gone' })
          ledger.aborts += 1
          upload.state = 'aborted'
          return ok(undefined)
        }),
    },
    onFirstByte: () => undefined,
    breakConnections: () => {
      breaking.abort()
      breaking = new AbortController()
    },
    transport: {
      put: (request) =>
        put(request).catch((thrown: unknown) => {
          if (!request.signal.aborted) throw thrown
          throw new DOMException('the part was dropped', 'AbortError')
        }),
      reportsProgress: true,
      isForeign: () => server.isForeign,
      checkStorage: async (_url, signal) => {
        ledger.storageChecks += 1
        // A host that is away sends no refusal.
        await clock.sleep(server.isStorageThere ? 20 : MINUTE_MS, signal).catch(() => undefined)
        return server.isStorageThere && !signal.aborted
      },
    },
    uploads: () => Array.from(stored.values()),
    content: (id) => {
      const upload = stored.get(id)
      if (upload === undefined || upload.state === 'open' || upload.state === 'aborted') return null
      return Uint8Array.from(
        Array.from({ length: countOf(upload) }, (_, index) =>
          Array.from(upload.parts.get(index + 1)?.bytes ?? []),
        ).flat(),
      )
    },
    losePart: (id, partNumber) => {
      const upload = stored.get(id)
      // A completed upload is one object; only loose parts can get lost.
      if (upload?.state === 'open') upload.parts.delete(partNumber)
    },
    validate: (id, verdict) => {
      const upload = stored.get(id)
      if (upload !== undefined) upload.state = verdict
    },
  }
  return server
}

function answer(
  status: number,
  more: Partial<Extract<PutOutcome, { kind: 'answer' }>> = {},
): Extract<PutOutcome, { kind: 'answer' }> {
  return {
    kind: 'answer',
    status,
    eTag: null,
    retryAfterMs: null,
    errorCode: null,
    isFromStore: true,
    ...more,
  }
}

/** Calls `work` at its first call only. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

function contentOf(body: Blob): Uint8Array {
  if (!(body instanceof MemoryBlob))
    throw new Error('the fake store takes slices of fake files only')
  return body.content
}
