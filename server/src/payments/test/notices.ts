/**
 * Notices of the provider `test`: signed, and posted to this server's own webhook route over
 * loopback, so that they take the same way as those of a provider elsewhere.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { asc, eq, lte } from 'drizzle-orm'
import * as v from 'valibot'
import type { Db, Tx } from '#server/db/client.ts'
import type { Key } from '#server/db/secrets.ts'
import { testNotices } from '#server/db/schema.ts'
import type { Log } from '#server/log.ts'
import type { ProviderEvent, ProviderObject } from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'

const SIGNATURE_HEADER = 'onecut-test-signature'
/** Older and newer signatures are refused, so that a copied notice soon has no use. */
const TOLERANCE_S = 5 * 60
const LATE_MS = 10 * 60_000
const AGAIN_MS = 60_000
const AT_ONCE = 50
const ANSWER_WITHIN_MS = 5_000

/** How the notices of a session and of its subscription are delivered. */
export type Delivery = 'once' | 'twice' | 'late' | 'never'

const COPIES: Readonly<Record<Delivery, number>> = { once: 1, twice: 2, late: 1, never: 0 }

export interface NoticeParts {
  readonly db: Db
  readonly clock: () => Date
  readonly newId: () => string
  readonly key: Key
  /** Where this server's webhook route is. */
  readonly webhookUrl: string
  readonly log: Log
}

/** Keeps notices of these types about one object, to be delivered as its session says. */
export async function addNotices(
  tx: Tx,
  { clock, newId }: Pick<NoticeParts, 'clock' | 'newId'>,
  notices: {
    readonly about: ProviderObject
    readonly types: readonly string[]
    readonly delivery: Delivery
  },
): Promise<void> {
  const { about, types, delivery } = notices
  const copies = COPIES[delivery]
  if (copies === 0 || types.length === 0) return
  const now = clock()
  const dueAt = delivery === 'late' ? new Date(now.getTime() + LATE_MS) : now
  await tx.insert(testNotices).values(
    types.map((type) => ({
      id: `test_evt_${newId()}`,
      type,
      objectKind: about.kind,
      objectId: about.id,
      occurredAt: now,
      dueAt,
      copies,
    })),
  )
}

/** Posts the notices that are due; what is not taken stays for the next minute. */
export async function deliverNotices(parts: NoticeParts): Promise<void> {
  const { db, clock, log } = parts
  const due = await db
    .select()
    .from(testNotices)
    .where(lte(testNotices.dueAt, clock()))
    .orderBy(asc(testNotices.dueAt), asc(testNotices.id))
    .limit(AT_ONCE)
  for (const notice of due) {
    const isTaken = await post(parts, notice).catch((error: unknown) => {
      log.warn('test-payments/notice-not-taken', { error })
      return false
    })
    if (isTaken) await db.delete(testNotices).where(eq(testNotices.id, notice.id))
    else
      await db
        .update(testNotices)
        .set({ dueAt: new Date(clock().getTime() + AGAIN_MS) })
        .where(eq(testNotices.id, notice.id))
  }
}

async function post(
  { clock, key, webhookUrl }: NoticeParts,
  notice: typeof testNotices.$inferSelect,
): Promise<boolean> {
  const body = JSON.stringify({
    id: notice.id,
    type: notice.type,
    object: { kind: notice.objectKind, id: notice.objectId },
    occurredAt: notice.occurredAt.toISOString(),
  })
  for (let sent = 0; sent < notice.copies; sent += 1) {
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: sign(key.signing, clock(), body),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) return false
  }
  return true
}

const noticeBody = v.object({
  id: v.string(),
  type: v.string(),
  object: v.object({ kind: v.picklist(['session', 'subscription', 'payment']), id: v.string() }),
  occurredAt: v.pipe(v.string(), v.isoTimestamp()),
})

/** Checks and reads a notice; refuses with `payments/signature-invalid`. */
export function readNotice(
  { key, clock }: Pick<NoticeParts, 'key' | 'clock'>,
  body: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
): ProviderEvent {
  const given = headers[SIGNATURE_HEADER] ?? ''
  const signedAtS = Number(/^t=(\d{1,12}),/.exec(given)?.[1])
  const nowS = clock().getTime() / 1000
  const text = new TextDecoder().decode(body)
  const isOurs = key.accepted.some((each) =>
    isEqual(given, sign(each, new Date(signedAtS * 1000), text)),
  )
  if (!isOurs || !(Math.abs(nowS - signedAtS) <= TOLERANCE_S))
    throw new Problem('payments/signature-invalid', 'The signature of this notice is not right.')
  const notice = v.parse(noticeBody, JSON.parse(text))
  return {
    eventId: notice.id,
    type: notice.type,
    about: notice.object,
    occurredAt: new Date(notice.occurredAt),
  }
}

function sign(key: Uint8Array, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const mac = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

function isEqual(given: string, wanted: string): boolean {
  const one = Buffer.from(given)
  const other = Buffer.from(wanted)
  return one.length === other.length && timingSafeEqual(one, other)
}
