import { createHash } from 'node:crypto'
import { treeHash } from '#src/local/uploads/file/hash.ts'
import type {
  PartRequest,
  PartTransport,
  PutOutcome,
  ServerPart,
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
  readonly sha256: string
  readonly bytes: Uint8Array
}
/** What arrived of a part that is not complete, and the hash that the whole part must have. */
interface HeldPart {
  readonly sha256: string
  readonly bytes: Uint8Array
}
interface StoredUpload {
  readonly id: string
  readonly key: string
  readonly sizeBytes: number
  readonly parts: Map<number, StoredPart>
  readonly held: Map<number, HeldPart>
  state: ServerUpload['state']
  treeSha256: string | null
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
  /** A machine in between answers with this status, without a mark of the storage. */
  | { readonly kind: 'foreign'; readonly status: number }
  | { readonly kind: 'no-etag' }
  /** Stored, but something in between puts another ETag into the answer. */
  | { readonly kind: 'wrong-etag' }
  | { readonly kind: 'bit-flip' }
  | { readonly kind: 'black-hole' }
  /** Nothing is read: the sender's buffers take some bytes, then the watchdog decides. */
  | { readonly kind: 'hole'; readonly bufferBytes: number }
  /**
   * Buffers on the way take the body at once and pass it on slowly; parts in flight share this
   * network.
   */
  | { readonly kind: 'swallowed'; readonly bytesPerMs: number }

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
    offsets: number
    puts: number
    maxConcurrentPuts: number
    concurrentPuts: number
    receivedBytes: number
    /** Of bodies that were sent whole and refused. */
    refusedBytes: number
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
  /** Status that a machine in between answers to questions for an offset; null for none. */
  offsetFault: number | null
  /** Whether parts resume. */
  isResumable: boolean
  /** Whether URLs are given only with a hash, and take only bytes and a header of this hash. */
  urlsNeedChecksums: boolean
  /** Whether the storage answers when it is asked for an offset. */
  isStorageThere: boolean
  uploads(): readonly StoredUpload[]
  /** The completed file; null while it is not complete. */
  content(uploadId: string): Uint8Array | null
  losePart(uploadId: string, partNumber: number): void
  /** The store keeps other bytes for the part, and says so in its hash. */
  mangle(uploadId: string, partNumber: number, bytes: Uint8Array): void
  validate(uploadId: string, verdict: 'validated' | 'failed'): void
  autoValidates: boolean
  /** Whether it says of each upload that it fails at its check. */
  isCheckLate: boolean
}

export function createFakeUploadServer(clock: Clock, partSizeBytes: number): FakeUploadServer {
  const stored = new Map<string, StoredUpload>()
  const attempts = new Map<string, number>()
  /** Bytes of parts that are on their way and have reached the server, by path. */
  const arriving = new Map<string, number>()
  const network = createFakeNetwork(clock)
  let breaking = new AbortController()
  const ledger = {
    offsets: 0,
    puts: 0,
    maxConcurrentPuts: 0,
    concurrentPuts: 0,
    receivedBytes: 0,
    refusedBytes: 0,
    creates: 0,
    completes: 0,
    aborts: 0,
    pings: 0,
  }
  const sizeOf = (upload: StoredUpload, n: number): number =>
    Math.min(partSizeBytes, upload.sizeBytes - (n - 1) * partSizeBytes)
  const countOf = (upload: StoredUpload): number => Math.ceil(upload.sizeBytes / partSizeBytes)

  const partView = (
    upload: StoredUpload,
    partNumber: number,
    wanted: string | null = null,
  ): ServerPart => {
    const part = upload.parts.get(partNumber)
    const isBound = server.urlsNeedChecksums && wanted !== null
    const until = clock.now() + server.urlLifeMs
    const hash = isBound ? `&hash=${encodeURIComponent(wanted)}` : ''
    return {
      partNumber,
      sizeBytes: sizeOf(upload, partNumber),
      url:
        upload.state === 'open' && isBound === server.urlsNeedChecksums
          ? `https://store.test/${upload.id}/${partNumber}?until=${until}${hash}`
          : null,
      headers: isBound ? { 'x-signed-hash': wanted } : null,
      eTag: part?.eTag ?? null,
      storedBytes: part?.bytes.byteLength ?? null,
      sha256: part?.sha256 ?? null,
      heldBytes:
        arriving.get(`/${upload.id}/${partNumber}`) ??
        upload.held.get(partNumber)?.bytes.byteLength ??
        0,
    }
  }
  const view = (upload: StoredUpload): ServerUpload => ({
    uploadRequestId: upload.id,
    state: upload.state,
    failureReason: upload.state === 'failed' ? 'This is not a video file.' : null,
    isCheckLate: server.isCheckLate,
    plan: {
      partSizeBytes: Math.min(partSizeBytes, upload.sizeBytes),
      partCount: countOf(upload),
    },
    isResumable: server.isResumable,
    urlsNeedChecksums: server.urlsNeedChecksums,
    treeSha256: upload.treeSha256,
    parts: Array.from({ length: countOf(upload) }, (_, index) => partView(upload, index + 1)),
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

  const read: UploadApi['read'] = (id, signal) =>
    call(signal, () =>
      known(id, (upload) => {
        const seen = view(upload)
        if (upload.state === 'completed' && server.autoValidates) upload.state = 'validated'
        return ok(seen)
      }),
    )

  const receive = (request: PartRequest, fault: Fault | null): PutOutcome => {
    const [, id = '', n = '0'] = new URL(request.url).pathname.split('/')
    const upload = stored.get(id)
    const partNumber = Number(n)
    if (clock.now() > Number(new URL(request.url).searchParams.get('until'))) return answer(403)
    const signed = new URL(request.url).searchParams.get('hash')
    if ((request.headers?.['x-signed-hash'] ?? null) !== signed)
      return answer(403, { errorCode: 'SignatureDoesNotMatch' })
    if (signed !== null && signed !== request.sha256) return answer(400, { errorCode: 'BadDigest' })
    if (upload === undefined || upload.state !== 'open')
      return answer(404, { errorCode: 'NoSuchUpload' })
    if (fault?.kind === 'status')
      return answer(fault.status, {
        retryAfterMs: fault.retryAfterMs ?? null,
        errorCode: fault.errorCode ?? null,
      })
    if (fault?.kind === 'html') return { ...answer(200), isOwn: false }
    if (fault?.kind === 'foreign') return { ...answer(fault.status), isOwn: false }
    const body = Uint8Array.from(contentOf(request.body))
    if (fault?.kind === 'bit-flip' && body[0] !== undefined) body[0] ^= 1
    const bytes = collect(upload, partNumber, request, body)
    if (bytes === null)
      return answer(409, {
        errorCode: 'parts/offset-differs',
        heldBytes: upload.held.get(partNumber)?.bytes.byteLength ?? 0,
      })
    if (bytes.byteLength > sizeOf(upload, partNumber))
      return answer(400, { errorCode: 'parts/wrong-size' })
    if (bytes.byteLength < sizeOf(upload, partNumber))
      return answer(204, { heldBytes: bytes.byteLength })
    upload.held.delete(partNumber)
    if (createHash('sha256').update(bytes).digest('base64') !== request.sha256)
      return answer(400, { errorCode: 'BadDigest' })
    const eTag = `etag-${partNumber}-${createHash('md5').update(bytes).digest('hex')}`
    upload.parts.set(partNumber, { eTag, sha256: request.sha256, bytes })
    if (fault?.kind === 'answer-lost')
      return { kind: 'silence', didStall: false, movedBytes: body.byteLength }
    if (fault?.kind === 'wrong-etag') return answer(200, { eTag: 'of-something-else' })
    return fault?.kind === 'no-etag' ? { ...answer(200), isOwn: false } : answer(200, { eTag })
  }

  /** Keeps what arrived; null when the body does not begin where the part ends. */
  const collect = (
    upload: StoredUpload,
    partNumber: number,
    request: PartRequest,
    body: Uint8Array,
  ): Uint8Array | null => {
    ledger.receivedBytes += body.byteLength
    const before = upload.held.get(partNumber)
    const held =
      request.offset > 0 && before?.sha256 === request.sha256 ? before.bytes : new Uint8Array()
    if (held.byteLength !== request.offset) return null
    const bytes = Uint8Array.from([...held, ...body])
    if (server.isResumable) upload.held.set(partNumber, { sha256: request.sha256, bytes })
    return bytes
  }

  const breakOff = (request: PartRequest, sentBytes: number): void => {
    const [, id = '', n = '0'] = new URL(request.url).pathname.split('/')
    const upload = stored.get(id)
    const body = Uint8Array.from(contentOf(request.body)).slice(0, sentBytes)
    if (server.isResumable && upload?.state === 'open') collect(upload, Number(n), request, body)
    else ledger.receivedBytes += body.byteLength
  }

  const offsetOf = async (
    request: Pick<PartRequest, 'url' | 'sha256' | 'pace' | 'signal'>,
  ): Promise<PutOutcome> => {
    ledger.offsets += 1
    if (!server.isStorageThere || server.apiProblem?.kind === 'silent') {
      await clock.sleep(idleLimitMs('connecting', 0, request.pace), request.signal)
      return { kind: 'silence', didStall: true, movedBytes: 0 }
    }
    await clock.sleep(20, request.signal)
    const fault = server.offsetFault
    if (fault !== null) return { ...answer(fault), isOwn: false }
    const [, id = '', n = '0'] = new URL(request.url).pathname.split('/')
    const upload = stored.get(id)
    if (clock.now() > Number(new URL(request.url).searchParams.get('until'))) return answer(403)
    if (upload === undefined || upload.state !== 'open')
      return answer(404, { errorCode: 'NoSuchUpload' })
    const part = upload.parts.get(Number(n))
    if (part !== undefined && part.sha256 === request.sha256)
      return answer(200, { eTag: part.eTag })
    const held = upload.held.get(Number(n))
    return answer(200, {
      heldBytes: held?.sha256 === request.sha256 ? held.bytes.byteLength : 0,
    })
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
        let arrivedBytes = 0
        try {
          for (let waitedMs = 0; waitedMs < limitMs; waitedMs += PROGRESS_MS) {
            await clock.sleep(PROGRESS_MS, request.signal)
            arrivedBytes += (PROGRESS_MS * fault.bytesPerMs) / ledger.concurrentPuts
            if (arrivedBytes >= request.body.size) return receive(request, null)
            arriving.set(key, request.offset + Math.floor(arrivedBytes))
          }
          return { kind: 'silence', didStall: true, movedBytes: request.body.size }
        } finally {
          arriving.delete(key)
          if (arrivedBytes < request.body.size) breakOff(request, Math.floor(arrivedBytes))
        }
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
      if (fault?.kind === 'status') ledger.refusedBytes += request.body.size
      if (fault?.kind !== 'reset') return receive(request, fault)
      const movedBytes = Math.floor(request.body.size * share)
      breakOff(request, movedBytes)
      return { kind: 'silence', didStall: false, movedBytes }
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
    offsetFault: null,
    isResumable: true,
    urlsNeedChecksums: false,
    isStorageThere: true,
    autoValidates: true,
    isCheckLate: false,
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
            held: new Map(),
            state: 'open',
            treeSha256: null,
          }
          stored.set(upload.id, upload)
          return ok(view(upload))
        }),
      read,
      // One answer says that the check is under way, the next one that it has ended.
      readState: read,
      partUrls: (id, parts, signal) =>
        call(signal, () => {
          const upload = stored.get(id)
          if (upload === undefined || upload.state === 'aborted') return err({ kind: 'gone' })
          return upload.state === 'open'
            ? ok(parts.map(({ partNumber, sha256 }) => partView(upload, partNumber, sha256)))
            : err({ kind: 'parts-differ' })
        }),
      heldParts: (id, signal) =>
        call(signal, () => {
          const upload = stored.get(id)
          if (upload === undefined) return err({ kind: 'gone' })
          const numbers = Array.from({ length: countOf(upload) }, (_, index) => index + 1)
          return ok(
            new Map(
              numbers.map((partNumber) => [partNumber, partView(upload, partNumber).heldBytes]),
            ),
          )
        }),
      complete: async (id, parts, signal) => {
        const treeSha256 = await treeHash(
          (buffer) =>
            Promise.resolve(
              Uint8Array.from(createHash('sha256').update(new Uint8Array(buffer)).digest()).buffer,
            ),
          parts.map((part) => part.sha256),
        )
        return call(signal, () =>
          known(id, (upload) => {
            if (upload.state === 'aborted') return err({ kind: 'gone' })
            if (upload.state !== 'open') return ok(view(upload))
            if (
              parts.length !== countOf(upload) ||
              parts.some(({ partNumber, sha256, eTag }) => {
                const listed = upload.parts.get(partNumber)
                return listed?.sha256 !== sha256 || listed.eTag !== eTag
              })
            )
              return err({ kind: 'parts-differ' })
            ledger.completes += 1
            upload.state = 'completed'
            upload.treeSha256 = treeSha256
            return ok(view(upload))
          }),
        )
      },
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
      offset: (request) =>
        offsetOf(request).catch((thrown: unknown) => {
          if (!request.signal.aborted) throw thrown
          throw new DOMException('the part was dropped', 'AbortError')
        }),
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
    mangle: (id, partNumber, bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('base64')
      stored.get(id)?.parts.set(partNumber, { eTag: 'other', sha256, bytes })
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
    heldBytes: null,
    isOwn: true,
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
