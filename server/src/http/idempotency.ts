import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { idempotentAnswers } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/** One request that carries an `Idempotency-Key`. */
interface IdempotentRequest {
  readonly userId: string
  readonly operation: string
  readonly key: string
  readonly path: string
  readonly bytes: Uint8Array
}

/** What is kept and given again: the status and JSON body of a success. */
export interface IdempotentAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Runs `work` once for a key and gives its first answer to every repetition. Another body or path
 * under the same key is `request/idempotency-conflict`; a repetition that waits too long is
 * `request/in-progress`. Works across processes: the process that inserts the row runs, all others
 * wait for its answer.
 *
 * Only successes are kept: a refusal changed nothing, so asking again is harmless and may succeed.
 * A row whose process died is taken over within seconds, well before a waiting client gives up.
 * Operations are also idempotent by their own rows, so nothing happens twice.
 */
export async function answerOnce(
  deps: AnswerDeps,
  request: IdempotentRequest,
  signal: AbortSignal,
  work: () => Promise<IdempotentAnswer>,
): Promise<IdempotentAnswer> {
  const bodyHash = createHash('sha256')
    .update(`${request.path}\n`)
    .update(request.bytes)
    .digest('hex')
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (await claim(deps, request, bodyHash)) break
    const earlier = await readEarlier(deps, request, bodyHash)
    if (earlier !== null) return earlier
    if (waitedMs >= LONGEST_WAIT_MS || signal.aborted)
      throw new Problem(
        'request/in-progress',
        'The same request is still being processed. Try again in a moment.',
        { retryAfterS: 2 },
      )
    // A client that leaves is no fault of the server.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
  return await runClaimed(deps, request, work)
}

type AnswerDeps = Pick<Deps, 'db' | 'clock'>

/** Runs the work while the row shows that this process lives, and stores the answer. */
async function runClaimed(
  deps: AnswerDeps,
  request: IdempotentRequest,
  work: () => Promise<IdempotentAnswer>,
): Promise<IdempotentAnswer> {
  const ownPending = and(rowOf(request), eq(idempotentAnswers.status, PENDING))
  // A beat that fails only lets another process take over early, which is harmless.
  const beat = setInterval(() => {
    deps.db
      .update(idempotentAnswers)
      .set({ createdAt: deps.clock() })
      .where(ownPending)
      .catch(() => undefined)
  }, ALIVE_EVERY_MS)
  try {
    const answer = await work()
    await deps.db
      .update(idempotentAnswers)
      .set({ status: answer.status, body: answer.body ?? {} })
      .where(rowOf(request))
    return answer
  } catch (error) {
    await deps.db.delete(idempotentAnswers).where(ownPending)
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** The answer of an earlier request under this key; null while there is none. */
async function readEarlier(
  deps: AnswerDeps,
  request: IdempotentRequest,
  bodyHash: string,
): Promise<IdempotentAnswer | null> {
  const [row] = await deps.db.select().from(idempotentAnswers).where(rowOf(request))
  if (row === undefined) return null
  if (row.bodyHash !== bodyHash)
    throw new Problem(
      'request/idempotency-conflict',
      'This key was already used for another request. Start again with a new key.',
    )
  return row.status === PENDING ? null : { status: row.status, body: row.body }
}

function rowOf(request: IdempotentRequest) {
  return and(
    eq(idempotentAnswers.userId, request.userId),
    eq(idempotentAnswers.operation, request.operation),
    eq(idempotentAnswers.key, request.key),
  )
}

/** Status of a row whose request still runs. */
const PENDING = 0
const POLL_MS = 50
const LONGEST_WAIT_MS = 20_000
/** A running request renews its row this often. */
const ALIVE_EVERY_MS = 1_000
/** A pending row that was not renewed for this long belongs to a process that died. */
const ABANDONED_AFTER_MS = 5_000

/** Inserts the row of this request, or takes over one that was abandoned; false when neither. */
async function claim(
  deps: AnswerDeps,
  request: IdempotentRequest,
  bodyHash: string,
): Promise<boolean> {
  const now = deps.clock()
  const inserted = await deps.db
    .insert(idempotentAnswers)
    .values({
      userId: request.userId,
      operation: request.operation,
      key: request.key,
      bodyHash,
      status: PENDING,
      body: {},
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ key: idempotentAnswers.key })
  if (inserted.length > 0) return true
  const taken = await deps.db
    .update(idempotentAnswers)
    .set({ createdAt: now })
    .where(
      and(
        rowOf(request),
        eq(idempotentAnswers.bodyHash, bodyHash),
        eq(idempotentAnswers.status, PENDING),
        lt(idempotentAnswers.createdAt, new Date(now.getTime() - ABANDONED_AFTER_MS)),
      ),
    )
    .returning({ key: idempotentAnswers.key })
  return taken.length > 0
}
