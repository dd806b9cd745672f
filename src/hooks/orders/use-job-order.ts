import { useQuery } from '@tanstack/react-query'
import { failureOf } from '#src/hooks/sync/query-client.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import type { Order } from './use-order.ts'
import { findSubmission, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'

/** How the order of a job stands. */
export interface JobOrder {
  /** What this device still has to send for it; null for nothing, undefined while it is read. */
  readonly submission: SubmissionRow | null | undefined
  /**
   * The order that is not cancelled, else the newest. Undefined while it is not known, also after a
   * failure; null only where the server answered that there is none.
   */
  readonly order: Order | null | undefined
  /** How asking for the orders stands. */
  readonly pull: Pick<Shown<Order>, 'data' | 'failure' | 'asOfEpochMs' | 'isFetching' | 'refresh'>
}

/** The order of a job, and the submission that makes it. Pulls the job's orders. */
export function useJobOrder(mediaJobId: string): JobOrder {
  const pull = useQuery(usePulls().jobOrders(mediaJobId))
  const answeredAtEpochMs = pull.isSuccess && !pull.isFetching ? pull.dataUpdatedAt : null
  const question = `job-order:${mediaJobId}`
  // Read again after each answer: a query that ran before it gets the answer's rows only later, and
  // until then would seem to say that there are none.
  const live = useLive(
    `${question}:${answeredAtEpochMs}`,
    async (db) => ({ ...(await readJobOrder(db, mediaJobId)), answeredAtEpochMs }),
    question,
  )
  const read = live.kind === 'ready' ? live.value : null
  const isAnswered = answeredAtEpochMs !== null && read?.answeredAtEpochMs === answeredAtEpochMs
  const order = read?.liveOrder ?? (isAnswered ? read.newestOrder : undefined)
  return {
    submission: read?.submission,
    order,
    pull: {
      data: order ?? null,
      failure: live.kind === 'failed' ? { code: 'api/unexpected' } : failureOf(pull.error),
      asOfEpochMs: null,
      isFetching: pull.isFetching,
      refresh: () => void pull.refetch(),
    },
  }
}

/** In one transaction: a submission is accepted and its order stored at the same time. */
function readJobOrder(db: AccountDb, mediaJobId: string) {
  return db.transaction('r', db.outbox, db.orders, async () => {
    const rows = await db.orders.where('mediaJobId').equals(mediaJobId).toArray()
    const newestFirst = rows
      .map((row) => row.value)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    return {
      submission: await findSubmission(db, mediaJobId),
      liveOrder: newestFirst.find((order) => order.status !== 'canceled') ?? null,
      newestOrder: newestFirst[0] ?? null,
    }
  })
}
