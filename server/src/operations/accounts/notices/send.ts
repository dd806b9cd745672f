/**
 * What the server tells accounts of by itself: their edits are ready, an upload waits, the trial or
 * tokens end.
 *
 * [Note: notices] Rows of other tables say what happened; each minute a query finds what is
 * not told. The notice and its mail are written in one transaction, and a notice is unique for its
 * cause, so that a crash between any two steps loses none and repeats none ([Note: one mail] in
 * operations/core/mail/send.ts says what a mail server may get twice). What is older than a
 * day is no news: after a long standstill, and after the update that brought notices, no flood of
 * old ones goes out. Who wants no mails of a kind has the notice all the same. The messages to
 * devices that asked for them ([Note: one push] in pushes/deliver.ts) are queued in that
 * transaction too, one for each mail and in the words of its subject.
 */
import { eq, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { KEEP_UNFINISHED_DAYS } from '#server/budgets.ts'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { NoticeKind, UserRow } from '#server/db/rows.ts'
import { notices, PUSH_KINDS, users } from '#server/db/schema.ts'
import {
  editsReadyMail,
  reviewWaitsMail,
  tokensExpireMail,
  trialEndsMail,
  uploadWaitsMail,
  type NoticeMail,
  type NoticeNames,
  type NoticeTo,
} from '#server/mail/notice-mails.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { queuePushes } from '#server/operations/accounts/pushes/queue.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Accounts of one kind in one minute; the rest comes next. */
const AT_ONCE = 100

/** One thing that an account has not been told of. */
interface Cause<Facts> {
  readonly id: string
  readonly facts: Facts
}

interface Addressee extends NoticeTo {
  /** The account wants mails to name the video that they are about. */
  readonly namesVideos: boolean
}

/** One mail, and what a message to devices needs beside it. */
interface Told {
  readonly mail: NoticeMail
  /** Ids of what it tells. */
  readonly causes: readonly string[]
  /** Paths of pages that show what it tells. */
  readonly shownOn: readonly string[]
}

/** How one kind of notice comes about. */
interface NoticeRule<Facts> {
  /** Selects `user_id`, `cause` and `facts` (JSON) of what happened within a day before `now`. */
  readonly due: (now: Date) => SQL
  readonly facts: v.GenericSchema<unknown, Facts>
  /** What happened to one account, a mail for each thing that is told by itself. */
  readonly write: (
    notice: Addressee,
    causes: readonly Cause<Facts>[],
    settings: Ctx['settings'],
  ) => readonly Told[]
}

/** A cause as its query answers it. */
interface DueRow extends Record<string, unknown> {
  readonly cause: string
  readonly facts: unknown
}

/** A rule with its facts read: what differs between the kinds is inside. */
interface ReadyRule {
  readonly due: (now: Date) => SQL
  readonly write: (
    notice: Addressee,
    rows: readonly DueRow[],
    settings: Ctx['settings'],
  ) => readonly Told[]
}

function ruleOf<Facts>({ due, facts: schema, write }: NoticeRule<Facts>): ReadyRule {
  const read = ({ cause, facts }: DueRow): Cause<Facts> => ({
    id: cause,
    facts: v.parse(schema, facts),
  })
  return { due, write: (notice, rows, settings) => write(notice, rows.map(read), settings) }
}

const isoTime = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
)

const rules: Readonly<Record<NoticeKind, ReadyRule>> = {
  'edits-ready': ruleOf({
    due: (now) => sql`
      select j.user_id, j.id as cause, json_build_object(
        'ready', (select count(*) from media_job_tasks t
          where t.media_job_id = j.id and t.status = 'succeeded'),
        'failed', (select count(*) from media_job_tasks t
          where t.media_job_id = j.id and t.status = 'failed'),
        'name', j.name,
        'orderId', (select o.id from orders o
          where o.media_job_id = j.id and o.status <> 'canceled')
      ) as facts
      from media_jobs j where j.workflow_ended_at > ${before(now, 1)}`,
    facts: v.object({
      ready: v.number(),
      failed: v.number(),
      name: v.string(),
      orderId: v.nullable(v.string()),
    }),
    // Each job has a mail of its own; one whose edits were all cancelled has none.
    write: (notice, causes) =>
      causes
        .filter(({ facts: { ready, failed } }) => ready + failed > 0)
        .map(({ id, facts: { ready, failed, name, orderId } }) => ({
          mail: editsReadyMail(notice, { names: namesOf(notice, [name]), ready, failed, orderId }),
          causes: [id],
          shownOn: [
            '/edits',
            `/uploads/media-jobs/${id}/status`,
            ...(orderId === null
              ? []
              : [`/uploads/orders/${orderId}/checkout`, `/orders/${orderId}/checkout`]),
          ],
        })),
  }),
  'review-waits': ruleOf({
    due: (now) => sql`
      select j.user_id, t.id as cause, json_build_object(
        'name', j.name, 'jobId', j.id
      ) as facts
      from media_job_tasks t join media_jobs j on j.id = t.media_job_id
      where t.review_state = 'waiting' and t.status = 'created'
        and t.review_asked_at > ${before(now, 1)}`,
    facts: v.object({ name: v.string(), jobId: v.string() }),
    write: (notice, causes, { keepSourcesDays: keptDays }) => [
      {
        mail: reviewWaitsMail(notice, {
          edits: causes.length,
          keptDays,
          names: namesOf(
            notice,
            causes.map(({ facts }) => facts.name),
          ),
        }),
        causes: causes.map(({ id }) => id),
        shownOn: [
          '/edits',
          ...causes.map(({ facts }) => `/uploads/media-jobs/${facts.jobId}/status`),
        ],
      },
    ],
  }),
  'upload-waits': ruleOf({
    due: (now) => sql`
      select u.user_id, u.id as cause, json_build_object('name', u.client_filename) as facts
      from upload_requests u
      where u.state = 'open' and u.held_at is null and u.purpose <> 'excerpt'
        and (select max(p.stored_at) from upload_parts p where p.upload_request_id = u.id)
          between ${before(now, 2)} and ${before(now, 1)}`,
    facts: v.object({ name: v.string() }),
    write: (notice, causes) => [
      {
        mail: uploadWaitsMail(notice, {
          uploads: causes.length,
          keptDays: KEEP_UNFINISHED_DAYS,
          names: namesOf(
            notice,
            causes.map(({ facts }) => facts.name),
          ),
        }),
        causes: causes.map(({ id }) => id),
        shownOn: ['/uploads/new'],
      },
    ],
  }),
  'trial-ends': ruleOf({
    due: (now) => sql`
      select u.id as user_id, u.id as cause, json_build_object('endsAt', u.trial_ends_at) as facts
      from users u
      where u.trial_ends_at between ${iso(now)} and ${before(now, -1)}
        and u.created_at < ${before(now, 1)}
        and not exists (select 1 from wallet_subscriptions s where s.user_id = u.id)`,
    facts: v.object({ endsAt: isoTime }),
    write: (notice, causes) =>
      causes.map(({ id, facts: { endsAt } }) => ({
        mail: trialEndsMail(notice, { endsAt }),
        causes: [id],
        shownOn: [],
      })),
  }),
  'tokens-expire': ruleOf({
    // The trial's tokens end with the trial. What came a day ago or less is no surprise.
    due: (now) => sql`
      select w.user_id, lot.id as cause, json_build_object(
        'tokens', lots.remaining_coin_amount, 'endsAt', lot.coins_expire_after_at
      ) as facts
      from wallet_transactions lot join wallets w on w.id = lot.wallet_id
        join lots on lots.id = lot.id
      where lot.coins_expire_after_at between ${before(now, -2)} and ${before(now, -3)}
        and lot.kind <> 'trial-grant' and lot.created_at < ${before(now, 1)}
        and lots.remaining_coin_amount > 0`,
    facts: v.object({ tokens: v.number(), endsAt: isoTime }),
    write: (notice, causes) => [
      {
        mail: tokensExpireMail(notice, {
          tokens: causes.reduce((sum, { facts }) => sum + facts.tokens, 0),
          endsAt: new Date(Math.min(...causes.map(({ facts }) => facts.endsAt.getTime()))),
        }),
        causes: causes.map(({ id }) => id),
        shownOn: [],
      },
    ],
  }),
}

/** Where edits cost nothing, nothing is lost with these. */
const ABOUT_TOKENS: readonly NoticeKind[] = ['trial-ends', 'tokens-expire']

/** Tells accounts what they have not been told of. Harmless to repeat. */
export async function sendNotices(ctx: Ctx): Promise<void> {
  for (const kind of Object.keys(rules) as NoticeKind[]) {
    if (ABOUT_TOKENS.includes(kind) && !ctx.settings.takesPayments) continue
    const { rows } = await ctx.db.execute<{ user_id: string }>(sql`
      select distinct due.user_id from (${rules[kind].due(ctx.clock())}) due
      where ${untold(kind)} limit ${AT_ONCE}`)
    for (const { user_id: userId } of rows)
      await inTransaction(ctx, async (ctx) => await tell(ctx, kind, userId))
  }
}

async function tell(ctx: TxCtx, kind: NoticeKind, userId: string): Promise<void> {
  const now = ctx.clock()
  const [user] = await ctx.db.select().from(users).where(eq(users.id, userId)).for('update')
  if (user === undefined) return
  const { rows } = await ctx.db.execute<DueRow>(sql`
    select due.cause, due.facts from (${rules[kind].due(now)}) due
    where due.user_id = ${userId} and ${untold(kind)}`)
  if (rows.length === 0) return
  await ctx.db
    .insert(notices)
    .values(rows.map(({ cause }) => ({ id: ctx.newId(), userId, kind, cause, createdAt: now })))
  if (user.deletedAt !== null || user.lockedAt !== null) return
  const notice: Addressee = {
    to: user.email,
    namesVideos: user.mailsNameVideos && !user.discreet,
    origin: ctx.settings.publicOrigin,
    unsubscribeUrl: unsubscribeUrl(ctx, { userId, kind }),
  }
  for (const told of rules[kind].write(notice, rows, ctx.settings)) {
    if (!user.noticesOff.includes(kind)) await queueMail(ctx, told.mail)
    await tellDevices(ctx, user, kind, told)
  }
}

async function tellDevices(
  ctx: TxCtx,
  { id, pushesOff }: UserRow,
  noticeKind: NoticeKind,
  { mail, causes, shownOn }: Told,
): Promise<void> {
  const kind = PUSH_KINDS.find((each) => each === noticeKind)
  if (kind === undefined || pushesOff.includes(kind)) return
  const { subject: title, path } = mail
  await queuePushes(ctx, id, { kind, causes, title, path, shownOn })
}

/** Each video once, if its owner wants it named. */
function namesOf({ namesVideos }: Addressee, names: readonly string[]): NoticeNames {
  return namesVideos ? [...new Set(names)] : []
}

function untold(kind: NoticeKind): SQL {
  return sql`not exists (
    select 1 from notices n where n.kind = ${kind} and n.cause = due.cause
  )`
}

function before(now: Date, days: number): SQL {
  return iso(new Date(now.getTime() - days * DAY_MS))
}

function iso(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`
}
