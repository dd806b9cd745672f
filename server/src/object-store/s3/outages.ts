import { setTimeout as rest } from 'node:timers/promises'
import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3'
import { unavailable } from '#server/problems.ts'

interface OutageOptions {
  readonly bucket: string
  /** Told when calls begin to find no store, with what one ran into, and when it is back. */
  readonly onChange: (error: Error | null) => void
  /** Between two questions to a store that was away. */
  readonly askMs?: number
  /** The longest that a call may take for which a person waits. */
  readonly quickMs?: number
  /** Such a call is sent again for this long. */
  readonly againMs?: number
}

/** Whether a bucket's store answers. */
interface Outages {
  /** False unless the last call found no store; then it is asked, each two seconds at most. */
  isAway(): Promise<boolean>
}

const ASK_MS = 2_000
/** Less than a caller waits, and more than three tries to connect take. */
const QUICK_MS = 20_000
/** With a last try less than the 15 s after which the app gives up reading. */
const AGAIN_MS = 8_000
const REST_MS = 250
/** Calls of one process that wait for a store that is away. */
const MOST_WAITING = 200

/** They carry bytes, or make a file of thousands of parts. */
const SLOW: ReadonlySet<string | undefined> = new Set([
  'CompleteMultipartUploadCommand',
  'PutObjectCommand',
  'UploadPartCommand',
  'UploadPartCopyCommand',
])

/**
 * Lets the calls of a client that find no store fail with `system/unavailable`, as those do that
 * find no database: nothing is wrong with what was asked, and the same call may be made again. A
 * person sees nothing of an outage of some seconds: what is quick is sent again meanwhile, as the
 * client itself does it for a moment.
 */
export function watchOutages(
  client: S3Client,
  { bucket, onChange, askMs = ASK_MS, quickMs = QUICK_MS, againMs = AGAIN_MS }: OutageOptions,
): Outages {
  let isDown = false
  let waiting = 0
  const note = (error: Error | null): void => {
    if (isDown === (error !== null)) return
    isDown = error !== null
    onChange(error)
  }
  const untilAnswered = async <T>(send: () => Promise<T>): Promise<T> => {
    const endsAtMs = performance.now() + againMs
    for (;;)
      try {
        return await send()
      } catch (error) {
        const isLate = performance.now() + REST_MS > endsAtMs
        if (isLate || waiting >= MOST_WAITING || !isOutage(error)) throw error
        waiting += 1
        await rest(REST_MS).finally(() => (waiting -= 1))
      }
  }
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        try {
          const send = async () => await next(call)
          const isQuestion = commandName === 'HeadBucketCommand'
          const made = SLOW.has(commandName)
            ? await send()
            : await within(quickMs, isQuestion ? send() : untilAnswered(send))
          note(null)
          return made
        } catch (error) {
          const outage = isOutage(error) && error instanceof Error ? error : null
          note(outage)
          throw outage === null ? error : unavailable()
        }
      },
    // Around the count of calls, which tells outages apart.
    { step: 'initialize', name: 'refuseWhileAway', priority: 'high' },
  )
  const ask = atMostEach(askMs, async () => {
    await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(() => undefined)
  })
  return {
    async isAway() {
      if (isDown) await ask()
      return isDown
    },
  }
}

/** Who asks while an answer is under way, or shortly after one, gets the same. */
function atMostEach(ms: number, ask: () => Promise<void>): () => Promise<void> {
  let last: { readonly answer: Promise<void>; readonly atMs: number } | null = null
  return async () => {
    const now = performance.now()
    if (last === null || now - last.atMs > ms) last = { answer: ask(), atMs: now }
    await last.answer
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Silent(ms)), ms)
  // It goes on, and what it ends with is of no interest any more.
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}

class Silent extends Error {
  override readonly name = 'TimeoutError'

  constructor(ms: number) {
    super(`The store has said nothing for ${ms} ms`)
  }
}

/** Of a socket, and of names that cannot be found for a while. */
const AWAY = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/**
 * Of the store, or of a balancer before it; some have numbers of their own, as Cloudflare has 520
 * to 530. A call answered by 501 or 505 will never be taken, by 507 not before there is room.
 */
function isAwayStatus(status: number): boolean {
  return status === 429 || (status >= 500 && ![501, 505, 507].includes(status))
}

/** Whether a call, or the body of its answer, ended because the store is away or overloaded. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $metadata } = error as { readonly code?: unknown; readonly $metadata?: Metadata }
  if ($metadata?.httpStatusCode !== undefined) return isAwayStatus($metadata.httpStatusCode)
  const isOfSocket = typeof code === 'string' && AWAY.test(code)
  return isOfSocket || error.name === 'TimeoutError' || isOutage(error.cause)
}

interface Metadata {
  readonly httpStatusCode?: number
}
