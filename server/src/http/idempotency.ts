import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { idempotentAnswers } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/** One request that carries an `Idempotency-Key`. */
export interface IdempotentRequest {
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
 * Runs `work` once for a key and gives its first answer to every repetition; another body or path
 * under the same key is 409 `request/idempotency-conflict`. Works across processes: whoever inserts
 * the row runs, all others wait for its answer.
 *
 * Only successes are kept: a refusal changed nothing, so asking again is harmless and may succeed.
 * A row whose process died is taken over within seconds, well before a waiting client gives up;
 * operations are also idempotent by their own rows, so nothing happens twice.
 */
export async function answerOnce(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: IdempotentRequest,
  signal: AbortSignal,
  work: () => Promise<IdempotentAnswer>,
): Promise<IdempotentAnswer> {
  const bodyHash = createHash('sha256')
    .update(`${request.path}\n`)
    .update(request.bytes)
    .digest('hex')
  const isMine = (): ReturnType<typeof and> =>
    and(
      eq(idempotentAnswers.userId, request.userId),
      eq(idempotentAnswers.operation, request.operation),
      eq(idempotentAnswers.key, request.key),
    )
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    if (await claim(deps, request, bodyHash, isMine)) break
    const [row] = await deps.db.select().from(idempotentAnswers).where(isMine())
    if (row !== undefined && row.bodyHash !== bodyHash) {
      throw new Problem(
        'request/idempotency-conflict',
        'This key was already used for another request. Start again with a new key.',
      )
    }
    if (row !== undefined && row.status !== pending) return { status: row.status, body: row.body }
    if (waitedMs >= longestWaitMs)
      throw new Problem(
        'request/in-progress',
        'The same request is still being processed. Try again in a moment.',
        { retryAfterS: 2 },
      )
    await delay(pollMs, undefined, { signal })
  }
  // A beat that fails only lets somebody else take over early, which is harmless.
  const beat = setInterval(() => {
    deps.db
      .update(idempotentAnswers)
      .set({ createdAt: deps.clock() })
      .where(and(isMine(), eq(idempotentAnswers.status, pending)))
      .catch(() => undefined)
  }, aliveEveryMs)
  try {
    const answer = await work()
    await deps.db
      .update(idempotentAnswers)
      .set({ status: answer.status, body: answer.body ?? {} })
      .where(isMine())
    return answer
  } catch (error) {
    await deps.db
      .delete(idempotentAnswers)
      .where(and(isMine(), eq(idempotentAnswers.status, pending)))
    throw error
  } finally {
    clearInterval(beat)
  }
}

const pending = 0
const pollMs = 50
const longestWaitMs = 20_000
/** A request that is worked on says so this often; one that was silent for so long is nobody's. */
const aliveEveryMs = 1_000
const abandonedAfterMs = 5_000

async function claim(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: IdempotentRequest,
  bodyHash: string,
  isMine: () => ReturnType<typeof and>,
): Promise<boolean> {
  const now = deps.clock()
  const inserted = await deps.db
    .insert(idempotentAnswers)
    .values({
      userId: request.userId,
      operation: request.operation,
      key: request.key,
      bodyHash,
      status: pending,
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
        isMine(),
        eq(idempotentAnswers.bodyHash, bodyHash),
        eq(idempotentAnswers.status, pending),
        lt(idempotentAnswers.createdAt, new Date(now.getTime() - abandonedAfterMs)),
      ),
    )
    .returning({ key: idempotentAnswers.key })
  return taken.length > 0
}
